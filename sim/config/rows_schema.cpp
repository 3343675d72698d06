#include "config/rows_schema.h"

#include "config/fields.h"

namespace rigcast::config {
namespace {

struct RowField {
  const char* name;
  const char* type;  ///< "": any
  const char* meaning;
};

constexpr RowField kFields[] = {
    {"id", "string", "unique"},
    {"source", "string", "publisher"},
    {"where", "string", "file, table or line there"},
    {"kind", "string",
     "training, inference, or a single operation: gemm, grouped_gemm, conv, rnn, attention, membw, "
     "launch, collective, p2p, h2d, storage, dataload"},
    {"mode", "string", "training, inference, prefill, decode or generate"},
    {"metric", "string", "samples_per_s, tokens_per_s, iteration_s, seconds, busbw_Bps, Bps or flops"},
    {"value", "number", "in the unit of the metric"},
    {"unit", "string", "what a sample or token is"},
    {"system", "string", "a machine of the catalogue"},
    {"gpu", "string", "a GPU of the catalogue; none for host rows"},
    {"gpus", "number", "over all nodes"},
    {"nodes", "number", "machines, or NVLink domains"},
    {"cpu", "string", "a CPU of the catalogue"},
    {"cpu_stated", "string", "the source's words for it"},
    {"host", "string", "mainboard or chassis"},
    {"interconnect", "string", "between the GPUs of a node"},
    {"host_link", "string", "between CPU and GPU"},
    {"pcie_lanes", "number", "of a GPU"},
    {"p2p", "boolean", "PCIe peer access"},
    {"nvlink_domain_gpus", "number", "of a domain larger than a node"},
    {"gpu_overrides", "object", "figures that differ from the catalogue's"},
    {"model", "string", "a workload of the catalogue"},
    {"model_params", "object", "dimensions that differ from the workload's"},
    {"framework", "object",
     "name, year, execution, flash_attention, xla, channels_last, variable_update, data_parallel"},
    {"precision", "string", "as plan.precision"},
    {"precision_detail", "string", "its flavour"},
    {"global_batch", "number", "samples of an optimizer step or forward pass, whole job"},
    {"batch_per_gpu", "number", "of a data-parallel rank"},
    {"micro_batch", "number", "samples of a forward pass"},
    {"batch_unit", "string", "what batches count"},
    {"seq_len", "number", "tokens"},
    {"padding", "", "of sequences: packed, or absent; of a convolution: elements"},
    {"optimizer", "string", "as plan.optimizer"},
    {"parallel", "object", "as plan.parallel"},
    {"data", "string", "real or synthetic"},
    {"data_stated", "string", "the source's words for the loader"},
    {"h2d", "string", "\"pageable, timed\" where the input copy is part of the time"},
    {"peak_memory_bytes", "number", "of a GPU"},
};

}  // namespace

Value rows_schema() {
  Value schema = schema_of_type("object");
  Value& properties = add(schema, "properties", make_object());
  for (const RowField& field : kFields) {
    Value form = *field.type != '\0' ? schema_of_type(field.type) : make_object();
    add(form, "description", make_text(field.meaning));
    add(properties, field.name, std::move(form));
  }
  add(*properties.find("value"), "exclusiveMinimum", make_number(0));
  add(schema, "required", make_texts({"id", "kind", "metric", "value"}));
  return schema;
}

}  // namespace rigcast::config
