/// The three ways to a network, and what they share: names, data set, the check that a description is of one
/// kind.

#include "workload/build.h"

#include <algorithm>

#include "base/text.h"
#include "workload/family.h"
#include "workload/layers.h"

namespace rigcast::workload {
namespace {

const Family* find_family(std::string_view name) {
  for (const Family& family : family_table()) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

/// Dimensions of a network known by its totals.
const std::vector<DimensionInfo> kTotalsDimensions = {
    {"kernels", false, "operators it stands for"},
    {"convolution_share", false, "of the multiply-accumulates; the rest are linear"},
    {"score_share", false, "of the activations that are attention scores"},
    {"image", false, "shape of a sample"},
    {"volume", false, "shape of a sample"},
};

void check_known(const WorkloadSpec& spec, const std::vector<DimensionInfo>& known, std::string_view what,
                 Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const DimensionInfo& dimension : known) names.push_back(dimension.name);
  const auto check = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    Origin origin = spec.origin;
    origin.pointer += "/dimensions/" + name;
    diagnostics.error(std::move(origin), std::string(what) + " has no dimension \"" + name + "\"",
                      did_you_mean(name, names));
  };
  for (const auto& [name, values] : spec.dimensions) check(name);
  for (const auto& [name, value] : spec.options) check(name);
}

/// Dimensions a layer list takes: another shape of the sample.
const std::vector<DimensionInfo> kListDimensions = {
    {"image", false, "in place of the list's input"},
    {"volume", false, "in place of the list's input"},
};

/// A chain of equal pieces, each with its share of the work, the outputs and the parameters.
void build_totals(const WorkloadSpec& spec, const DimensionReader& read, NetworkBuilder& builder,
                  Network& network, Diagnostics& diagnostics) {
  check_known(spec, kTotalsDimensions, "a network known by its totals", diagnostics);
  const std::int64_t kernels = read.integer("kernels", 50);
  const double share = read.number("convolution_share", 1), scores = read.number("score_share", 0);
  const Shape sample =
      read.has("volume") ? read.image("volume", {1, 128, 128, 128}) : read.image("image", {3, 224, 224});
  if (kernels > 100000) read.error("kernels", "\"kernels\" must be at most 100000");
  if (share > 1) read.error("convolution_share", "\"convolution_share\" must be at most 1");
  if (scores > 1) read.error("score_share", "\"score_share\" must be at most 1");
  const auto need = [&](const std::optional<double>& value, const char* name, bool must) {
    if (value && *value >= 0 && *value < 1e24) return *value;
    if (value || must) {
      Origin origin = spec.origin;
      origin.pointer += "/" + std::string(name);
      diagnostics.error(std::move(origin),
                        "a network known by its totals needs \"" + std::string(name) + "\", a number from 0");
    }
    return 0.0;
  };
  const double pieces = static_cast<double>(kernels);
  const double macs = need(spec.forward_macs, "forward_macs", true) / pieces;
  const double activations = need(spec.forward_activations, "forward_activations", true) / pieces;
  const double parameters = need(spec.parameters, "parameters", true) / pieces;
  if (!diagnostics.ok()) return;
  set_image_dataset(network, sample, spec.dataset.unit);
  Tensor x = builder.sample(sample);
  const Shape shape = {std::max<std::int64_t>(1, static_cast<std::int64_t>(activations + 0.5))};
  for (std::int64_t i = 0; i < kernels; ++i) {
    x = builder.add_operator("piece" + std::to_string(i), Totals{macs, activations, share, 1, scores}, {x},
                             shape, parameters);
  }
  builder.loss({x});
}

}  // namespace

std::optional<Network> build(const WorkloadSpec& spec, const Shaping& shaping, Diagnostics& diagnostics) {
  Network network;
  network.name = spec.name;
  network.title = spec.title.empty() ? spec.name : spec.title;
  network.source = spec.source;
  Diagnostics found;
  NetworkBuilder builder(network, found);
  builder.set_origin(spec.origin);
  const DimensionReader read(spec, shaping, found);
  if (spec.family && !spec.layers.empty()) {
    found.error(spec.origin, "a workload has a family or a layer list, not both");
  } else if (spec.family) {
    network.family = *spec.family;
    if (const Family* family = find_family(*spec.family)) {
      check_known(spec, family->dimensions, "the family " + *spec.family, found);
      for (const DimensionInfo& dimension : family->dimensions) {
        if (dimension.required && !read.has(dimension.name)) read.required(dimension.name);
      }
      if (found.ok()) family->build(read, builder, network);
    } else {
      found.error(spec.origin, "unknown family \"" + *spec.family + "\"",
                  did_you_mean(*spec.family, family_names()));
    }
  } else if (!spec.layers.empty()) {
    network.family = "layers";
    network.dataset.unit = spec.dataset.unit;
    check_known(spec, kListDimensions, "a layer list", found);
    WorkloadSpec list = spec;
    for (const char* name : {"image", "volume"}) {
      if (read.has(name)) list.input = read.integers(name, spec.input);
    }
    network.dataset.decoded_bytes = 4 * elements(list.input);
    network.tokens_per_sample = spec.seq_len.value_or(0);
    if (shaping.seq_len && shaping.seq_len != spec.seq_len) {
      network.notes.push_back("the length of a sample is fixed by the layer list's \"input\"");
    }
    build_layers(list, network, found);
  } else {
    network.family = "totals";
    build_totals(spec, read, builder, network, found);
  }
  diagnostics.append(found);
  if (!found.ok()) return std::nullopt;
  if (spec.optimizer) network.optimizer = *spec.optimizer;
  const Dataset derived = network.dataset;
  network.dataset = spec.dataset;
  if (network.dataset.decoded_bytes <= 0) network.dataset.decoded_bytes = derived.decoded_bytes;
  if (network.dataset.unit == Dataset{}.unit) network.dataset.unit = derived.unit;
  if (network.dataset.decode == Dataset{}.decode) network.dataset.decode = derived.decode;
  return network;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family& family : family_table()) names.emplace_back(family.name);
  return names;
}

std::vector<DimensionInfo> family_dimensions(std::string_view name) {
  const Family* family = find_family(name);
  return family ? family->dimensions : std::vector<DimensionInfo>{};
}

}  // namespace rigcast::workload
