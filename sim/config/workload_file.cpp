#include "config/workload_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/plan.h"

namespace rigcast::config {

using workload::LayerSpec;
using workload::WorkloadSpec;

namespace {

constexpr Need kOptional = Need::kOptional;

using Numbers = std::map<std::string, std::vector<double>, std::less<>>;
using Texts = std::map<std::string, std::string, std::less<>>;

/// A number, a boolean (0 or 1), a list of numbers or a text: what an attribute or a dimension may be.
void read_attribute(const Cursor& cursor, const std::string& name, Numbers& numbers, Texts& texts,
                    Diagnostics& diagnostics) {
  const Value& value = *cursor.value;
  numbers.erase(name);
  texts.erase(name);
  switch (value.kind) {
    case JsonKind::kNull:
      return;
    case JsonKind::kBool:
      numbers[name] = {value.boolean ? 1.0 : 0.0};
      return;
    case JsonKind::kNumber:
      numbers[name] = {value.number};
      return;
    case JsonKind::kText:
      texts[name] = value.text;
      return;
    case JsonKind::kArray: {
      std::vector<double> list;
      for (std::size_t i = 0; i < value.elements.size(); ++i)
        if (expect(cursor.element(i), JsonKind::kNumber, diagnostics))
          list.push_back(value.elements[i].number);
      numbers[name] = std::move(list);
      return;
    }
    case JsonKind::kObject:
      diagnostics.error(cursor.origin(), "expected a number, a text or a list of numbers, found an object");
  }
}

/// Attributes that are one number are written as one.
void write_attributes(Value& object, const Numbers& numbers, const Texts& texts) {
  for (const auto& [name, list] : numbers) {
    if (list.size() == 1) {
      add(object, name, make_number(list[0]));
    } else {
      Value array = make_array();
      for (const double number : list) array.elements.push_back(make_number(number));
      add(object, name, std::move(array));
    }
  }
  for (const auto& [name, text] : texts) add(object, name, make_text(text));
}

// ---- layers

void read_layers(const Cursor& cursor, std::vector<LayerSpec>& layers, Diagnostics& diagnostics);

void read_branches(const Cursor& cursor, LayerSpec& layer, Diagnostics& diagnostics) {
  if (!expect(cursor, JsonKind::kArray, diagnostics)) return;
  for (std::size_t i = 0; i < cursor.value->elements.size(); ++i)
    read_layers(cursor.element(i), layer.branches.emplace_back(), diagnostics);
}

void read_inputs(const Cursor& cursor, LayerSpec& layer, Diagnostics& diagnostics) {
  if (cursor.value->is(JsonKind::kText))
    layer.inputs = {cursor.value->text};
  else
    layer.inputs = read_texts(cursor, diagnostics);
}

void read_layer(const Cursor& cursor, LayerSpec& layer, Diagnostics& diagnostics) {
  layer.origin = cursor.origin();
  if (!expect(cursor, JsonKind::kObject, diagnostics)) return;
  for (const JsonMember& member : cursor.value->members) {
    const Cursor at = cursor.member(member);
    const bool text = member.key == "type" || member.key == "name";
    if (text && !expect(at, JsonKind::kText, diagnostics)) continue;
    if (member.key == "type") {
      layer.type = member.value.text;
    } else if (member.key == "name") {
      layer.name = member.value.text;
    } else if (member.key == "inputs") {
      read_inputs(at, layer, diagnostics);
    } else if (member.key == "repeat") {
      if (const auto number = read_number(at, kWhole, diagnostics)) layer.repeat = static_cast<int>(*number);
    } else if (member.key == "layers" && layer.type.empty() && member.value.is(JsonKind::kArray)) {
      read_layers(at, layer.layers, diagnostics);
    } else if (member.key == "branches") {
      read_branches(at, layer, diagnostics);
    } else if (member.key != "note") {
      read_attribute(at, member.key, layer.numbers, layer.texts, diagnostics);
    }
  }
  if (layer.type.empty() && layer.layers.empty() && layer.branches.empty() &&
      cursor.value->find("type") == nullptr)
    diagnostics.error(layer.origin, "a layer needs the key \"type\", or \"layers\" or \"branches\"");
}

void read_layers(const Cursor& cursor, std::vector<LayerSpec>& layers, Diagnostics& diagnostics) {
  layers.clear();
  if (!expect(cursor, JsonKind::kArray, diagnostics)) return;
  layers.resize(cursor.value->elements.size());
  for (std::size_t i = 0; i < layers.size(); ++i) read_layer(cursor.element(i), layers[i], diagnostics);
}

Value write_layers(const std::vector<LayerSpec>& layers) {
  Value array = make_array();
  for (const LayerSpec& layer : layers) {
    Value object = make_object();
    if (!layer.type.empty()) add(object, "type", make_text(layer.type));
    if (!layer.name.empty()) add(object, "name", make_text(layer.name));
    if (!layer.inputs.empty()) add(object, "inputs", make_texts(layer.inputs));
    if (layer.repeat != 1) add(object, "repeat", make_number(layer.repeat));
    write_attributes(object, layer.numbers, layer.texts);
    if (!layer.layers.empty()) add(object, "layers", write_layers(layer.layers));
    if (!layer.branches.empty()) {
      Value branches = make_array();
      for (const std::vector<LayerSpec>& branch : layer.branches)
        branches.elements.push_back(write_layers(branch));
      add(object, "branches", std::move(branches));
    }
    array.elements.push_back(std::move(object));
  }
  return array;
}

// ---- dimensions

void read_dimensions(const Cursor& cursor, const std::string& prefix, WorkloadSpec& spec,
                     Diagnostics& diagnostics) {
  if (!expect(cursor, JsonKind::kObject, diagnostics)) return;
  for (const JsonMember& member : cursor.value->members) {
    const Cursor at = cursor.member(member);
    const std::string name = prefix + member.key;
    std::optional<double>* total = name == "forward_macs"          ? &spec.forward_macs
                                   : name == "forward_activations" ? &spec.forward_activations
                                   : name == "parameters"          ? &spec.parameters
                                                                   : nullptr;
    if (member.value.is(JsonKind::kObject)) {
      read_dimensions(at, name + ".", spec, diagnostics);
    } else if (total != nullptr) {
      if (const auto number = read_number(at, kPositive, diagnostics)) *total = *number;
    } else {
      read_attribute(at, name, spec.dimensions, spec.options, diagnostics);
    }
  }
}

Fields::Custom dimensions_hook(WorkloadSpec& spec) {
  return {[&spec](const Cursor& cursor, Diagnostics& diagnostics) {
            read_dimensions(cursor, "", spec, diagnostics);
          },
          [&spec]() -> std::optional<Value> {
            if (spec.dimensions.empty() && spec.options.empty()) return std::nullopt;
            // Dotted names are read back as they are.
            Value object = make_object();
            write_attributes(object, spec.dimensions, spec.options);
            return object;
          },
          [] { return schema_of_type("object"); }};
}

Fields::Custom input_hook(WorkloadSpec& spec) {
  return {[&spec](const Cursor& cursor, Diagnostics& diagnostics) {
            spec.input.clear();
            if (!expect(cursor, JsonKind::kArray, diagnostics)) return;
            for (std::size_t i = 0; i < cursor.value->elements.size(); ++i)
              if (const auto extent = read_number(cursor.element(i), kWhole, diagnostics))
                spec.input.push_back(static_cast<std::int64_t>(*extent));
          },
          [&spec]() -> std::optional<Value> {
            if (spec.input.empty()) return std::nullopt;
            Value array = make_array();
            for (const std::int64_t extent : spec.input)
              array.elements.push_back(make_number(static_cast<double>(extent)));
            return array;
          },
          [] {
            Value schema = schema_of_type("array");
            Value extent = schema_of_type("integer");
            add(extent, "minimum", make_number(1));
            add(schema, "items", std::move(extent));
            return schema;
          }};
}

Fields::Custom layers_hook(WorkloadSpec& spec) {
  return {[&spec](const Cursor& cursor, Diagnostics& diagnostics) {
            read_layers(cursor, spec.layers, diagnostics);
          },
          [&spec]() -> std::optional<Value> {
            if (spec.layers.empty()) return std::nullopt;
            return write_layers(spec.layers);
          },
          [] {
            Value schema = schema_of_type("array");
            Value reference = make_object();
            add(reference, "$ref", make_text("#/$defs/layer"));
            add(schema, "items", std::move(reference));
            return schema;
          }};
}

void describe_dataset(Fields& f, workload::Dataset& dataset) {
  const std::vector<std::string> decodes = plan::names<plan::Decode>();
  f.text({"unit", kOptional, "image, sequence, sample, volume, ..."}, dataset.unit);
  f.number({"samples", kOptional, "of the usual data set; 0: not known"}, dataset.samples, kNotNegative);
  NumberRule bytes{Dimension::kBytes, 0, false, false};
  f.number({"sample_bytes", kOptional, "as stored"}, dataset.sample_bytes, bytes);
  f.number({"decoded_bytes", kOptional, "as copied to the GPU"}, dataset.decoded_bytes, bytes);
  f.choice({"decode", kOptional, "what the host does to a sample"}, dataset.decode, decodes);
}

}  // namespace

void describe(Fields& f, WorkloadSpec& spec) {
  const std::vector<std::string> families = workload::family_names();
  const std::vector<std::string> optimizers = plan::names<plan::Optimizer>();
  f.text({"name", kOptional, "what scenarios name it by"}, spec.name);
  f.text({"title", kOptional, "one line for people"}, spec.title);
  f.text({"source", kOptional, "where the architecture is published"}, spec.source);
  f.choice({"family", kOptional, "a generator of networks"}, spec.family, families);
  f.custom({"dimensions", kOptional, "what the family is built with"}, dimensions_hook(spec));
  f.custom({"input", kOptional, "shape of a sample"}, input_hook(spec));
  f.custom({"layers", kOptional, "a layer list"}, layers_hook(spec));
  f.number({"forward_macs", kOptional, "multiply-accumulates of a sample"}, spec.forward_macs, kPositive);
  f.number({"forward_activations", kOptional, "scalars of a sample"}, spec.forward_activations, kPositive);
  f.number({"parameters", kOptional, "trainable scalars"}, spec.parameters, kPositive);
  f.choice({"optimizer", kOptional, "the usual one"}, spec.optimizer, optimizers);
  f.number({"seq_len", kOptional, "default sequence length"}, spec.seq_len, kWhole);
  f.object({"dataset", kOptional, "what samples are and how they arrive"}, true,
           [&](Fields& inner) { describe_dataset(inner, spec.dataset); });
  f.remark({"notes", kOptional, "texts shown with the network"});
}

std::vector<std::string> workload_keys() {
  WorkloadSpec sample;
  const Value schema = schema_object([&](Fields& f) { describe(f, sample); });
  std::vector<std::string> keys;
  for (const JsonMember& member : schema.find("properties")->members) keys.push_back(member.key);
  return keys;
}

Value write_workload(const WorkloadSpec& spec) {
  WorkloadSpec copy = spec;
  return write_object([&](Fields& f) { describe(f, copy); });
}

Value layer_schema() {
  Value layer = schema_of_type("object");
  Value& properties = add(layer, "properties", make_object());
  Value type = make_object();
  add(type, "enum", make_texts(workload::layer_types()));
  add(properties, "type", std::move(type));
  add(properties, "name", schema_of_type("string"));
  Value inputs = make_object();
  add(inputs, "type", make_texts({"string", "array"}));
  add(properties, "inputs", std::move(inputs));
  Value repeat = schema_of_type("integer");
  add(repeat, "minimum", make_number(1));
  add(properties, "repeat", std::move(repeat));
  Value list = schema_of_type("array");
  Value reference = make_object();
  add(reference, "$ref", make_text("#/$defs/layer"));
  add(list, "items", std::move(reference));
  Value branches = schema_of_type("array");
  add(branches, "items", list);
  Value layers = make_object();  // a block's layers; of a recurrent layer: how many
  Value forms = make_array();
  forms.elements.push_back(std::move(list));
  forms.elements.push_back(schema_of_type("integer"));
  add(layers, "anyOf", std::move(forms));
  add(properties, "layers", std::move(layers));
  add(properties, "branches", std::move(branches));
  return layer;
}

}  // namespace rigcast::config
