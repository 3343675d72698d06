#pragma once

/// What a family of networks is: a name, the dimensions it reads, and a function that builds it from them.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "workload/build.h"
#include "workload/builder.h"

namespace rigcast::workload {

/// A workload's dimensions with defaults. Errors name the dimension and what was expected.
class DimensionReader {
 public:
  DimensionReader(const WorkloadSpec& spec, const Shaping& shaping, Diagnostics& diagnostics)
      : spec_(spec), shaping_(shaping), diagnostics_(diagnostics) {}

  bool has(std::string_view name) const;
  /// A whole number of at least `least`.
  std::int64_t integer(std::string_view name, std::int64_t otherwise, std::int64_t least = 1) const;
  /// One that must be there.
  std::int64_t required(std::string_view name) const;
  /// One of `choices`.
  std::int64_t choice(std::string_view name, std::initializer_list<std::int64_t> choices) const;
  double number(std::string_view name, double otherwise) const;
  bool flag(std::string_view name, bool otherwise = false) const;
  std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> otherwise) const;
  /// One of `choices`, the first when left out.
  std::string text(std::string_view name, std::initializer_list<std::string_view> choices) const;
  /// Channels and `spatial` extents.
  Shape image(std::string_view name, Shape otherwise) const;
  /// The plan's sequence length, or the workload's.
  std::int64_t seq_len(std::int64_t otherwise) const;

  void error(std::string_view dimension, std::string message, std::string hint = {}) const;
  /// False once something was wrong.
  bool ok() const { return ok_; }

 private:
  const std::vector<double>* find(std::string_view name) const;
  std::int64_t whole(std::string_view name, double value, std::int64_t least, std::int64_t otherwise) const;

  const WorkloadSpec& spec_;
  const Shaping& shaping_;
  Diagnostics& diagnostics_;
  mutable bool ok_ = true;
};

struct Family {
  std::string_view name;
  std::vector<DimensionInfo> dimensions;
  void (*build)(const DimensionReader& read, NetworkBuilder& builder, Network& network);
};

/// Every family, in the order of the documentation.
const std::vector<Family>& family_table();

/// What images and volumes cost to copy: float32.
void set_image_dataset(Network& network, const Shape& image, std::string_view unit = "image");
/// Token models: `arrays` index arrays of 8 bytes a token.
void set_token_dataset(Network& network, std::int64_t tokens, int arrays, std::string_view unit = "sequence");

Family resnet_family();
Family vgg_family();
Family densenet_family();
Family efficientnet_family();
Family mobilenet_family();
Family vit_family();
Family mixer_family();
Family swin_family();
Family convnext_family();
Family unet_family();
Family ssd_family();
Family retinanet_family();
Family mask_rcnn_family();
Family encoder_family();
Family decoder_family();
Family encoder_decoder_family();
Family transformer_xl_family();
Family gnmt_family();
Family tacotron2_family();
Family waveglow_family();
Family recommender_family();
Family stable_diffusion_family();
Family mlp_family();
Family wide_deep_family();
Family sim_family();
Family rnnt_family();
Family wav2vec2_family();
Family hifigan_family();
Family fusion_transformer_family();
Family equivariant_family();

}  // namespace rigcast::workload
