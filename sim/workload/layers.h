#pragma once

/// Layer lists: the types a list may hold, and the building of a list.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/build.h"
#include "workload/builder.h"

namespace rigcast::workload {

/// An attribute of a layer type. Numbers are whole and at least `least`; a list means one number a dimension.
struct LayerAttribute {
  std::string_view name;
  bool required = false;
  bool text = false;
  std::int64_t least = 1;
};

/// A layer's attributes with defaults, after they were checked against its type.
class LayerReader {
 public:
  explicit LayerReader(const LayerSpec& spec) : spec_(spec) {}
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  bool flag(std::string_view name, bool otherwise) const { return integer(name, otherwise ? 1 : 0) != 0; }
  /// One number for all `dimensions`, or one each; right-aligned.
  Extent extent(std::string_view name, int dimensions, std::int64_t otherwise) const;
  std::vector<double> numbers(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  std::string_view type() const { return spec_.type; }

 private:
  const LayerSpec& spec_;
};

struct LayerType {
  std::string_view name;
  std::size_t least_inputs = 1, most_inputs = 1;  ///< most 0: any number
  std::vector<LayerAttribute> attributes;
  std::function<Tensor(NetworkBuilder&, const std::vector<Tensor>&, const LayerReader&,
                       std::string_view name)>
      apply;
};

/// Every type, in the order of the documentation.
const std::vector<LayerType>& layer_type_table();

/// Nothing wrong: true.
bool check_attributes(const LayerSpec& spec, const LayerType& type, const std::string& name,
                      Diagnostics& diagnostics);

void build_layers(const WorkloadSpec& spec, Network& network, Diagnostics& diagnostics);

}  // namespace rigcast::workload
