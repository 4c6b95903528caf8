// The text around a translated map: what the language provides, and the kernels.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compute/cuda/map_code/gpu_map.h"

namespace loom::cuda {
namespace {

// The fractal is a constant of the code.
constexpr std::string_view kPrelude = R"(
struct Cell { int x, y; };
struct Launch { long long grid_x, grid_y, block_x, block_y; };
static constexpr int loom_level = LOOM_LEVEL, loom_width = LOOM_WIDTH, loom_height = LOOM_HEIGHT, loom_cells = LOOM_CELLS,
                     loom_k = LOOM_K, loom_s_x = LOOM_S_X, loom_s_y = LOOM_S_Y;
__constant__ constexpr int loom_offsets_x[64] = {LOOM_OFFSETS_X};
__constant__ constexpr int loom_offsets_y[64] = {LOOM_OFFSETS_Y};
__constant__ constexpr int loom_replicas[64] = {LOOM_REPLICAS};
#define loom_threadIdx_x threadIdx.x
#define loom_threadIdx_y threadIdx.y
#define loom_blockIdx_x blockIdx.x
#define loom_blockIdx_y blockIdx.y
#define loom_blockDim_x blockDim.x
#define loom_blockDim_y blockDim.y
#define loom_gridDim_x gridDim.x
#define loom_gridDim_y gridDim.y
#define LOOM_SHARED static __device__ __forceinline__
#define LOOM_FUNCTION static __device__
#define LOOM_TABLE static __constant__ const
#define LOOM_STATE LoomThread*

// What a thread has left: instructions, then refills.
struct LoomThread { int left, refills, depth; };
// The first thread that failed: its number, line and Fault. -1: none.
extern "C" __device__ unsigned long long loom_fault;
extern "C" __device__ int loom_cancel;
__device__ unsigned long long loom_fault = ~0ull;
__device__ int loom_cancel = 0;
LOOM_SHARED unsigned long long loom_thread() {
  const unsigned long long block = (unsigned long long)blockIdx.y * gridDim.x + blockIdx.x;
  return (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static __device__ __noinline__ void loom_stop(int fault, int line) {
  atomicMin(&loom_fault, loom_thread() << 21 | (unsigned)line << 4 | (unsigned)fault);
  asm volatile("exit;");
}
LOOM_SHARED bool loom_is_over() {
  return *(volatile int*)&loom_cancel != 0 || *(volatile unsigned long long*)&loom_fault != ~0ull;
}
static __device__ __noinline__ void loom_refill(LoomThread* t, int line) {
  if (*(volatile int*)&loom_cancel != 0) loom_stop(7, line);
  if (loom_is_over()) asm volatile("exit;");  // another thread has failed, and tells where
  if (++t->refills > LOOM_REFILLS) loom_stop(6, line);
  t->left += 4096;
}
#define LOOM_STOP(fault, line) { loom_stop(fault, line); __builtin_unreachable(); }
#ifdef LOOM_UNCHECKED
#define LOOM_SPEND(cost, line)
#define LOOM_ENTER(line)
#define LOOM_LEAVE
#else
#define LOOM_SPEND(cost, line) if ((t->left -= cost) < 0) loom_refill(t, line);
#define LOOM_ENTER(line) if (++t->depth > LOOM_DEPTH) LOOM_STOP(4, line)
#define LOOM_LEAVE --t->depth;
#endif

// Small tables are bits of a constant: lanes that read different entries of constant memory wait for each other.
static __host__ __device__ constexpr int loom_bits_for(int range) {
  int width = 1;
  while (range >> width) ++width;
  return width;
}
static __host__ __device__ constexpr unsigned long long loom_bits(const int* table, int entries, int least, int width) {
  unsigned long long bits = 0;
  for (int i = 0; i < entries && (i + 1) * width <= 64; ++i)
    bits |= (unsigned long long)(table[i] - least) << (i * width);
  return bits;
}
template <unsigned long long kBits, int kEntries, int kWidth>
LOOM_SHARED int loom_entry(const int* table, int least, int i) {
  if constexpr (kEntries * kWidth <= 32) return int((unsigned)kBits >> (i * kWidth) & ((1u << kWidth) - 1)) + least;
  if constexpr (kEntries * kWidth <= 64) return int((unsigned)(kBits >> (i * kWidth)) & ((1u << kWidth) - 1)) + least;
  return table[i];
}
#define LOOM_ENTRY(table, entries, least, most, i)                                                            \
  loom_entry<loom_bits(table, entries, least, loom_bits_for(most - (least))), entries, loom_bits_for(most - (least))>( \
      table, least, i)
LOOM_SHARED int loom_offset_x(int replica) {
  return replica >= 0 && replica < loom_k ? LOOM_ENTRY(loom_offsets_x, loom_k, 0, loom_s_x - 1, replica) : 0;
}
LOOM_SHARED int loom_offset_y(int replica) {
  return replica >= 0 && replica < loom_k ? LOOM_ENTRY(loom_offsets_y, loom_k, 0, loom_s_y - 1, replica) : 0;
}
LOOM_SHARED int loom_replica_at(int x, int y) {
  if (x < 0 || y < 0 || x >= loom_s_x || y >= loom_s_y) return -1;
  return LOOM_ENTRY(loom_replicas, loom_s_x * loom_s_y, -1, loom_k - 1, y * loom_s_x + x);
}
LOOM_SHARED int loom_is_cell(int x, int y) {
  unsigned rest_x = x, rest_y = y;
  if (x < 0 || y < 0 || x >= loom_width || y >= loom_height) return 0;
  for (int i = 0; i < loom_level; ++i) {
    if (loom_replica_at(rest_x % (unsigned)loom_s_x, rest_y % (unsigned)loom_s_y) < 0) return 0;
    rest_x /= (unsigned)loom_s_x;
    rest_y /= (unsigned)loom_s_y;
  }
  return 1;
}
LOOM_SHARED int loom_power(int base, int exponent) {
  unsigned product = 1, factor = base;
  for (; exponent > 0; exponent >>= 1, factor *= factor)
    if (exponent & 1) product *= factor;
  return product;
}
)";

constexpr std::string_view kKernels = R"(
LOOM_SHARED Cell loom_cell_of_thread() {
  LoomThread thread = {4096, 0, 0};
  Cell cell;
  LOOM_CELL_OF_THREAD(&thread, cell.x, cell.y);
  return cell;
}
LOOM_SHARED bool loom_is_inside(Cell c) {
  return (unsigned)c.x < (unsigned)loom_width && (unsigned)c.y < (unsigned)loom_height;
}
LOOM_SHARED unsigned long long loom_place(Cell c) { return (unsigned long long)c.y * loom_width + c.x; }

extern "C" __global__ void loom_launch(Launch* launched) {
  LoomThread thread = {4096, 0, 0};
  LOOM_LAUNCH(&thread, launched->grid_x, launched->grid_y, launched->block_x, launched->block_y);
}

extern "C" __global__ void __launch_bounds__(1024) loom_points(Cell* __restrict__ cells) {
  if (loom_is_over()) return;
  cells[loom_thread()] = loom_cell_of_thread();
}

// `once` and `more` have a bit per point.
extern "C" __global__ void __launch_bounds__(1024)
    loom_count(unsigned* __restrict__ once, unsigned* __restrict__ more, unsigned long long* __restrict__ counts) {
  if (loom_is_over()) return;
  const Cell c = loom_cell_of_thread();
  const bool is_none = c.x == -2147483647 - 1;
  const bool inside = loom_is_inside(c);
  const bool active = inside && loom_is_cell(c.x, c.y);
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

#ifdef LOOM_WRITES
// The value of single_write_value() in compute/workload/cell_work.h, at a byte per thread or per point.
LOOM_SHARED void loom_write_cell(unsigned char* __restrict__ bytes, unsigned generation, bool compact) {
  const Cell c = loom_cell_of_thread();
  if (loom_is_inside(c))
    bytes[compact ? loom_thread() : loom_place(c)] = ((unsigned)(c.x + c.y) + generation) >> 3 & 1u;
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
#endif
)";

}  // namespace

std::string map_kernel_text(const MapCode& code, const MapFractal& fractal, bool is_checked, bool writes) {
  static constexpr const char* kMembers[] = {"LEVEL", "WIDTH", "HEIGHT", "CELLS", "K", "S_X", "S_Y"};
  std::string text;
  if (!is_checked) text += "#define LOOM_UNCHECKED\n";
  if (writes) text += "#define LOOM_WRITES\n";
  for (std::size_t i = 0; i < fractal.members.size(); ++i)
    text += fmt::format("#define LOOM_{} {}\n", kMembers[i], fractal.members[i]);
  for (const auto& [name, table] : {std::pair("OFFSETS_X", fractal.offset_x),
                                    {"OFFSETS_Y", fractal.offset_y},
                                    {"REPLICAS", fractal.replica_at}})
    text += fmt::format("#define LOOM_{} {}\n", name, fmt::join(table, ","));
  text += fmt::format(
      "#define LOOM_REFILLS {}\n#define LOOM_DEPTH {}\n#define LOOM_LAUNCH f{}\n#define LOOM_CELL_OF_THREAD "
      "f{}\n",
      kMaxWarpInstructions / 4096, kMaxGpuMapCalls, code.launch, code.cell_of_thread);
  return text.append(kPrelude) + translated(code) + std::string(kKernels);
}

}  // namespace loom::cuda
