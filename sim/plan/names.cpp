#include <array>
#include <cstddef>

#include "plan/plan.h"

/// The texts of the interface, one table an enumeration, in the order of its values.

namespace rigcast::plan {

namespace {

template <class Enum>
struct Table;

template <>
struct Table<Mode> {
  static constexpr std::array<std::string_view, 2> texts = {"training", "inference"};
};
template <>
struct Table<Precision> {
  static constexpr std::array<std::string_view, 10> texts = {"fp64", "fp32", "tf32", "amp-fp16", "amp-bf16",
                                                             "fp16", "bf16", "fp8",  "int8",     "int4"};
};
template <>
struct Table<Execution> {
  static constexpr std::array<std::string_view, 3> texts = {"eager", "compiled", "graphs"};
};
template <>
struct Table<Method> {
  static constexpr std::array<std::string_view, 4> texts = {"ddp", "data-parallel", "parameter-server",
                                                            "independent"};
};
template <>
struct Table<Layout> {
  static constexpr std::array<std::string_view, 2> texts = {"files", "records"};
};
template <>
struct Table<Decode> {
  static constexpr std::array<std::string_view, 8> texts = {
      "none", "jpeg-224", "jpeg-224-distort", "jpeg-300", "jpeg-800", "volume", "audio", "text"};
};
template <>
struct Table<Loader> {
  static constexpr std::array<std::string_view, 5> texts = {"framework", "dali-cpu", "dali-gpu", "tf-data",
                                                            "prebatched"};
};
template <>
struct Table<Optimizer> {
  static constexpr std::array<std::string_view, 10> texts = {
      "none", "sgd-momentum", "adam", "adamw", "lamb", "lars", "novograd", "rmsprop", "adagrad", "muon"};
};

template <>
struct Table<Recompute> {
  static constexpr std::array<std::string_view, 3> texts = {"none", "selective", "full"};
};
template <>
struct Table<EmbeddingPlacement> {
  static constexpr std::array<std::string_view, 2> texts = {"replicated", "model-parallel"};
};
template <>
struct Table<BatchUnit> {
  static constexpr std::array<std::string_view, 3> texts = {"samples", "tokens", "concat batches"};
};
template <>
struct Table<Padding> {
  static constexpr std::array<std::string_view, 2> texts = {"dense", "packed"};
};

template <class Enum>
std::string_view text_of(Enum value) {
  return Table<Enum>::texts[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view name(Mode value) { return text_of(value); }
std::string_view name(Precision value) { return text_of(value); }
std::string_view name(Execution value) { return text_of(value); }
std::string_view name(Method value) { return text_of(value); }
std::string_view name(Layout value) { return text_of(value); }
std::string_view name(Decode value) { return text_of(value); }
std::string_view name(Loader value) { return text_of(value); }
std::string_view name(Optimizer value) { return text_of(value); }
std::string_view name(Recompute value) { return text_of(value); }
std::string_view name(EmbeddingPlacement value) { return text_of(value); }
std::string_view name(BatchUnit value) { return text_of(value); }
std::string_view name(Padding value) { return text_of(value); }

template <class Enum>
std::optional<Enum> parse(std::string_view text) {
  for (std::size_t i = 0; i < Table<Enum>::texts.size(); ++i)
    if (Table<Enum>::texts[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> names() {
  return {Table<Enum>::texts.begin(), Table<Enum>::texts.end()};
}

template std::optional<Mode> parse<Mode>(std::string_view);
template std::optional<Precision> parse<Precision>(std::string_view);
template std::optional<Execution> parse<Execution>(std::string_view);
template std::optional<Method> parse<Method>(std::string_view);
template std::optional<Layout> parse<Layout>(std::string_view);
template std::optional<Decode> parse<Decode>(std::string_view);
template std::optional<Loader> parse<Loader>(std::string_view);
template std::optional<Optimizer> parse<Optimizer>(std::string_view);
template std::optional<Recompute> parse<Recompute>(std::string_view);
template std::optional<EmbeddingPlacement> parse<EmbeddingPlacement>(std::string_view);
template std::optional<BatchUnit> parse<BatchUnit>(std::string_view);
template std::optional<Padding> parse<Padding>(std::string_view);

template std::vector<std::string> names<Mode>();
template std::vector<std::string> names<Precision>();
template std::vector<std::string> names<Execution>();
template std::vector<std::string> names<Method>();
template std::vector<std::string> names<Layout>();
template std::vector<std::string> names<Decode>();
template std::vector<std::string> names<Loader>();
template std::vector<std::string> names<Optimizer>();
template std::vector<std::string> names<Recompute>();
template std::vector<std::string> names<EmbeddingPlacement>();
template std::vector<std::string> names<BatchUnit>();
template std::vector<std::string> names<Padding>();

Bytes parameter_bytes(Precision precision) {
  switch (precision) {
    case Precision::kFp64:
      return {8};
    case Precision::kFp32:
    case Precision::kTf32:
    case Precision::kAmpFp16:
    case Precision::kAmpBf16:
      return {4};
    case Precision::kFp16:
    case Precision::kBf16:
      return {2};
    case Precision::kFp8:
    case Precision::kInt8:
      return {1};
    case Precision::kInt4:
      return {0.5};
  }
  return {4};
}

Bytes activation_bytes(Precision precision) {
  switch (precision) {
    case Precision::kFp64:
      return {8};
    case Precision::kFp32:
    case Precision::kTf32:
      return {4};
    case Precision::kInt8:
      return {1};
    // fp8 and int4 quantise the operands of products; what flows between operators stays 16 bits wide.
    default:
      return {2};
  }
}

bool is_mixed(Precision precision) {
  return precision == Precision::kAmpFp16 || precision == Precision::kAmpBf16;
}

}  // namespace rigcast::plan
