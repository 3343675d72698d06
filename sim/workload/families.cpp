#include "workload/family.h"

namespace rigcast::workload {

const std::vector<Family>& family_table() {
  static const std::vector<Family> table = {
      resnet_family(),
      vgg_family(),
      densenet_family(),
      efficientnet_family(),
      mobilenet_family(),
      vit_family(),
      mixer_family(),
      swin_family(),
      convnext_family(),
      unet_family(),
      ssd_family(),
      retinanet_family(),
      mask_rcnn_family(),
      encoder_family(),
      decoder_family(),
      encoder_decoder_family(),
      gnmt_family(),
      tacotron2_family(),
      waveglow_family(),
      transformer_xl_family(),
      recommender_family(),
      stable_diffusion_family(),
      mlp_family(),
      wide_deep_family(),
      sim_family(),
      rnnt_family(),
      wav2vec2_family(),
      hifigan_family(),
      fusion_transformer_family(),
      equivariant_family(),
  };
  return table;
}

}  // namespace rigcast::workload
