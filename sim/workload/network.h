#pragma once

/// A network as a list of operators in execution order, with shapes per sample. A sample is what the batch
/// counts: an image, a sequence of the network's sequence length, a user-item pair. Cost and memory are
/// derived from this alone.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rigcast::workload {

/// Convolution of 1 to 3 spatial dimensions; unused dimensions are 1. Arrays are depth, height, width.
struct Convolution {
  std::int64_t in_channels = 0, out_channels = 0, groups = 1;
  std::int64_t input[3] = {1, 1, 1}, output[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1};
  bool dilated = false;  ///< taps lie apart
  bool transposed = false;
};

/// out[rows, out] = in[rows, in] x weight; rows per sample (tokens, or 1).
struct Linear {
  std::int64_t rows = 1, in = 0, out = 0;
  bool weight_tied = false;  ///< shares another operator's weight: no parameters, no optimizer work
  std::int64_t experts = 1;  ///< independent weights [in, out] that share the rows evenly (a grouped product)
};

/// `count` independent products a sample of [m, k] x [k, n], no weights.
struct BatchedMatmul {
  std::int64_t count = 1, m = 0, n = 0, k = 0;
};

/// Scores, softmax and weighted sum; one operator so that cost may choose fused or unfused kernels.
struct Attention {
  std::int64_t heads = 1, kv_heads = 1, qk_dim = 0, v_dim = 0, queries = 0, keys = 0;
  bool causal = false;
  std::int64_t window = 0;         ///< keys each query sees; 0: all
  bool relative_position = false;  ///< Transformer-XL: a second score product and a shift
  bool dropout = true;             ///< on the probabilities, in training
  bool mask = false;               ///< an additive mask or bias is read
};

enum class NormKind : std::uint8_t { kBatch, kLayer, kGroup, kInstance, kRms };
struct Normalisation {
  NormKind kind = NormKind::kBatch;
};

/// Element-wise functions of one input; `passes` of memory traffic are decided by cost.
enum class Function : std::uint8_t {
  kRelu,
  kGelu,
  kSilu,
  kSigmoid,
  kTanh,
  kHardSwish,
  kLeakyRelu,
  kExp,
  kMask,
  kRotary,
  kOther
};
struct Activation {
  Function function = Function::kRelu;
};

/// Element-wise on two or more inputs (residual add, gate product, scaling by squeeze-and-excite weights).
struct Elementwise {
  bool multiply = false;
};

struct Dropout {};
struct Softmax {};
struct Concat {};
/// A layout change or slice that moves its bytes (transpose, pixel shuffle, window partition).
struct Copy {};
struct Resize {};

struct Pool {
  bool average = false;
  bool global = false;
  std::int64_t window = 1;  ///< inputs per output
};

struct Embedding {
  std::int64_t rows = 0, width = 0, lookups = 1;  ///< lookups per sample
  bool sparse_gradient = false;                   ///< recommender tables: only the touched rows are updated
};

enum class Cell : std::uint8_t { kVanilla, kLstm, kGru };
struct Recurrent {
  Cell cell = Cell::kLstm;
  std::int64_t input = 0, hidden = 0, steps = 1, directions = 1;
  bool fused = true;  ///< one library call over all steps; false: step by step (attention decoders)
};

/// Feature interaction of recommenders: pairwise dot products of `features` vectors.
struct Interaction {
  std::int64_t features = 0, width = 0;
};

struct Loss {};

/// A network known by its totals: a chain of such pieces stands for it. Multiply-adds and activations per
/// sample.
struct Totals {
  double forward_macs = 0;
  double forward_activations = 0;
  double convolution_share = 1;  ///< of the multiply-adds; the rest are linear
  int kernels = 1;               ///< operators it stands for
  double score_share = 0;        ///< of the activations, attention scores: flash kernels never write them
};

using Attributes = std::variant<Convolution, Linear, BatchedMatmul, Attention, Normalisation, Activation,
                                Elementwise, Dropout, Softmax, Concat, Copy, Resize, Pool, Embedding,
                                Recurrent, Interaction, Loss, Totals>;

struct Operator {
  std::string name;  ///< "layer1.0.conv2", unique in the network
  Attributes attributes;
  std::vector<std::uint32_t> inputs;  ///< operators before this one; empty: reads the sample
  std::vector<std::int64_t> shape;    ///< of the output, per sample: channels first, or tokens then width
  double input_elements = 0;          ///< per sample, all inputs together
  double output_elements = 0;         ///< per sample
  double parameters = 0;              ///< trainable scalars, biases included
  double buffers = 0;                 ///< scalars kept but not trained (running statistics)
  double repeat = 1;          ///< times it runs a sample (shared weights, decoder steps); parameters once
  bool frozen = false;        ///< no weight gradient
  bool first = false;         ///< reads the sample: needs no data gradient
  bool one_by_one = false;    ///< runs for each sample of a batch in turn, without gradient (box selection)
  bool synchronises = false;  ///< the host reads its result before it goes on (box selection of detectors)
};

/// What samples are and how they usually arrive.
struct Dataset {
  std::string unit = "sample";  ///< "image", "sequence", ...
  double samples = 0;           ///< 0: not known
  double sample_bytes = 0;      ///< as stored
  double decoded_bytes = 0;     ///< as copied to the GPU
  std::string decode = "none";  ///< the interface's closed list
};

struct Network {
  std::string name, title, family;
  std::vector<Operator> operators;
  std::int64_t tokens_per_sample = 0;  ///< 0: not a token model
  std::string optimizer = "sgd-momentum";
  Dataset dataset;
  double guided_passes = 1;  ///< samples in inference that one counts for: 2 with classifier-free guidance
  std::string source;        ///< of the architecture
  std::vector<std::string> notes;

  double parameters() const;
};

/// "conv2d", "linear", ... as in workload files.
std::string_view kind_name(const Attributes& attributes);

/// Query-key pairs of one head that the mask lets through: all of them, or fewer when causal or windowed.
double visible_pairs(const Attention& attention);

/// Gates of a recurrent cell: matrices of each kind it holds.
int gates(Cell cell);

/// Forward multiply-accumulates of one operator per sample, all its runs (products and convolutions;
/// everything else counts 0). Attention counts the pairs its mask lets through.
double forward_macs(const Operator& op);
double forward_macs(const Network& network);

/// One matrix product of an operator, per sample. `rows` grows with the batch.
struct MatrixWork {
  double rows = 0;  ///< M per sample, grows with the batch; for `count` products that grow instead: fixed M
  double n = 0, k = 0;
  double count = 1;             ///< independent products (groups, heads x samples)
  bool batch_in_count = false;  ///< the batch multiplies `count`, not `rows`
  bool batch_in_k = false;      ///< the batch multiplies k (weight gradients)
};

enum class Pass : std::uint8_t { kForward, kDataGradient, kWeightGradient };

/// The matrix products of a pass: convolutions as implicit GEMM, linear layers, batched products. Attention
/// and recurrent operators are not split here. Empty when the pass has none. One run of the operator: times
/// `repeat` a sample.
std::vector<MatrixWork> matrix_work(const Operator& op, Pass pass);

}  // namespace rigcast::workload
