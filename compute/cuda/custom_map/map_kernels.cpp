#include "compute/cuda/custom_map/map_kernels.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
#include <span>

namespace loom::cuda {
namespace {

constexpr std::string_view kKernelText = R"(
#line 1 "kernels"
extern "C" __global__ void loom_launch(Launch* launched) { *launched = launch(loom_fractal); }

static __device__ __forceinline__ bool loom_is_inside(Cell c) {
  return (unsigned)c.x < (unsigned)loom_fractal.width && (unsigned)c.y < (unsigned)loom_fractal.height;
}
static __device__ __forceinline__ unsigned long long loom_place(Cell c) {
  return (unsigned long long)c.y * loom_fractal.width + c.x;
}

extern "C" __global__ void __launch_bounds__(1024) loom_points(Cell* __restrict__ cells) {
  const unsigned long long block = (unsigned long long)blockIdx.y * gridDim.x + blockIdx.x;
  cells[(block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = cell_of_thread(loom_fractal);
}

// The value of single_write_value() in compute/workload/cell_work.h, at a byte per thread or per point.
static __device__ __forceinline__ void loom_write_cell(unsigned char* __restrict__ bytes, unsigned generation,
                                                       bool compact) {
  const Cell c = cell_of_thread(loom_fractal);
  const unsigned long long block = (unsigned long long)blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned long long thread = (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (loom_is_inside(c)) bytes[compact ? thread : loom_place(c)] = ((unsigned)(c.x + c.y) + generation) >> 3 & 1u;
}
// For launches of at most 2^29 threads along each axis: thread numbers are not negative as int, and divisions by
// constants take half of the instructions.
#define LOOM_ASSUME_SMALL                          \
  __builtin_assume(threadIdx.x < 1024);            \
  __builtin_assume(threadIdx.y < 1024);            \
  __builtin_assume(blockDim.x <= 1024);            \
  __builtin_assume(blockDim.y <= 1024);            \
  __builtin_assume(blockIdx.x * blockDim.x < (1u << 29)); \
  __builtin_assume(blockIdx.y * blockDim.y < (1u << 29))
#define LOOM_WRITE(name, compact, assumption)                        \
  extern "C" __global__ void __launch_bounds__(1024)                 \
      name(unsigned char* __restrict__ bytes, unsigned generation) { \
    assumption;                                                      \
    loom_write_cell(bytes, generation, compact);                     \
  }
LOOM_WRITE(loom_write, false, )
LOOM_WRITE(loom_write_small, false, LOOM_ASSUME_SMALL)
LOOM_WRITE(loom_write_compact, true, )
LOOM_WRITE(loom_write_compact_small, true, LOOM_ASSUME_SMALL)

// `once` and `more` have a bit per point.
extern "C" __global__ void __launch_bounds__(1024)
    loom_count(unsigned* __restrict__ once, unsigned* __restrict__ more, unsigned long long* __restrict__ counts) {
  const Cell c = cell_of_thread(loom_fractal);
  const bool is_none = c.x == -2147483647 - 1;
  const bool inside = loom_is_inside(c);
  const bool active = inside && is_cell(c.x, c.y);
  const unsigned long long place = inside ? loom_place(c) : 0;
  bool first = false, repeated = false;
  if (active) {
    const unsigned bit = 1u << (place & 31);
    first = !(atomicOr(&once[place >> 5], bit) & bit);
    repeated = !first && !(atomicOr(&more[place >> 5], bit) & bit);
  }
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned lane = thread & 31;
  const unsigned last = blockDim.x * blockDim.y - (thread - lane);
  const unsigned lanes = last >= 32 ? ~0u : (1u << last) - 1;
  const unsigned busy = __ballot_sync(lanes, active);
  const unsigned none = __ballot_sync(lanes, is_none);
  const unsigned holes = __ballot_sync(lanes, inside && !active);
  const unsigned outside = __ballot_sync(lanes, !inside && !is_none);
  const unsigned firsts = __ballot_sync(lanes, first);
  const unsigned repeats = __ballot_sync(lanes, repeated);
  // Each thread is alone with its sector or the first lane of those that share it.
  const unsigned same = __match_any_sync(lanes, active ? place >> 5 : ~0ull);
  const unsigned sectors = __ballot_sync(lanes, active && lane == __ffs(same) - 1);
  if (lane == 0) {
    atomicAdd(&counts[0], __popc(busy));
    atomicAdd(&counts[1], __popc(none));
    atomicAdd(&counts[2], __popc(holes));
    atomicAdd(&counts[3], __popc(outside));
    atomicAdd(&counts[4], __popc(firsts));
    atomicAdd(&counts[5], __popc(repeats));
    atomicAdd(&counts[6], 1);
    if (busy) {
      atomicAdd(&counts[7], 1);
      atomicAdd(&counts[8], __popc(sectors));
    }
  }
  if (__syncthreads_or(active) && thread == 0) atomicAdd(&counts[9], 1);
}
)";

std::string list(const std::int32_t* values) {
  return fmt::format("{}", fmt::join(std::span(values, kMaxReplicas), ","));
}

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "fork" for the symbol "_Z4forki".
std::string name_of_function(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) return symbol;
  const std::string whole(text);
  std::free(text);
  return whole.substr(0, whole.find('('));
}

}  // namespace

std::string map_kernel_text(const MapRunRequest& request, const std::string& code) {
  const NbbShape& shape = request.shape;
  std::int32_t x[kMaxReplicas];
  std::int32_t y[kMaxReplicas];
  std::int32_t replica[kMaxReplicas];
  for (std::size_t i = 0; i < kMaxReplicas; ++i) {
    x[i] = static_cast<std::int32_t>(shape.offset_x[i]);
    y[i] = static_cast<std::int32_t>(shape.offset_y[i]);
    replica[i] = static_cast<std::int32_t>(shape.replica_at[i]);
  }
  std::string text = fmt::format(
      "#define LOOM_FRACTAL {},{},{},{},{},{},{}\n#define LOOM_OFFSETS_X {}\n#define LOOM_OFFSETS_Y {}\n"
      "#define LOOM_REPLICAS {}\n",
      request.level, request.width, request.height, request.cells, shape.k, shape.s_x, shape.s_y, list(x),
      list(y), list(replica));
  text += map_prelude();
  text += "#line 1 \"map\"\n";
  text += code;
  text += kKernelText;
  return text;
}

std::vector<CodeProblem> problems_of_log(std::string_view log) {
  constexpr std::string_view kFile = "map(";
  constexpr std::string_view kError = ": error: ";
  std::vector<CodeProblem> problems;
  bool awaits_caret = false;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::string_view line = log.substr(begin, log.find('\n', begin) - begin);
    begin += line.size() + 1;
    const std::size_t error = line.find(kError);
    if (error != std::string_view::npos) {
      CodeProblem& problem = problems.emplace_back();
      if (line.starts_with(kFile)) problem.line = number(line.substr(kFile.size()));
      problem.message = line.substr(error + kError.size());
      // As other compilers quote names.
      for (char& c : problem.message) {
        if (c == '"') c = '\'';
      }
      awaits_caret = problem.line > 0;
      continue;
    }
    // Of the assembler, which knows no lines: "ptxas fatal   : Unresolved extern function 'fork'".
    constexpr std::string_view kUnresolved = "Unresolved extern function '";
    if (const std::size_t unresolved = line.find(kUnresolved); unresolved != std::string_view::npos) {
      const std::string_view name = line.substr(unresolved + kUnresolved.size());
      problems.push_back(
          {0, 0, 0,
           fmt::format("the function '{}' is declared and has no body; a map uses only its own functions and "
                       "those of the language",
                       name_of_function(std::string(name.substr(0, name.find('\'')))))});
      continue;
    }
    const std::size_t caret = line.find_first_not_of(' ');
    if (!awaits_caret || caret == std::string_view::npos || line.substr(caret) != "^") continue;
    // Lines of the code are indented by two spaces.
    problems.back().column = static_cast<int>(caret) - 1;
    awaits_caret = false;
  }
  return problems;
}

}  // namespace loom::cuda
