// Compiles a custom map by libtcc and runs it, in a process that is in a sandbox before the compiler reads
// the first byte.

#include "compute/custom_map/map_runner.h"

#include <libtcc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "compute/custom_map/map_code.h"
#include "compute/custom_map/map_messages.h"
#include "compute/custom_map/map_run.h"
#include "compute/custom_map/map_sandbox.h"

namespace loom {
namespace {

constexpr std::size_t kPointsAtATime = 1 << 14;
constexpr int kRuns = 5;

double now_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// What the driver in C calls.
struct Sink {
  std::vector<MapPoint> points;
  void send_points() {
    if (points.empty()) return;
    send(MapMessage::kPoints, points.data(), points.size() * sizeof(MapPoint));
    points.clear();
  }
};
Sink* sink = nullptr;
void take_points(int count, const MapPoint* points) {
  sink->points.insert(sink->points.end(), points, points + count);
  if (sink->points.size() >= kPointsAtATime) sink->send_points();
}

constexpr const char* kDriver = R"(
#line 1 "driver"
void loom_take(int count, const Cell* cells);
void loom_launch(Launch* launched) { *launched = launch(loom_fractal); }
void loom_run(void) {
  Cell cells[1024];
  int count;
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
      count = 0;
      for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
          cells[count++] = cell_of_thread(loom_fractal);
      loom_take(count, cells);
    }
}
void loom_write(char* points) {
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
      for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) {
          Cell c = cell_of_thread(loom_fractal);
          if ((unsigned)c.x < (unsigned)loom_fractal.width && (unsigned)c.y < (unsigned)loom_fractal.height)
            points[(long long)c.y * loom_fractal.width + c.x] = 1;
        }
}
void loom_write_compact(char* cells) {
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
      for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) {
          Cell c = cell_of_thread(loom_fractal);
          if ((unsigned)c.x < (unsigned)loom_fractal.width && (unsigned)c.y < (unsigned)loom_fractal.height)
            *cells = 1;
          cells++;
        }
}
)";

/// The Fractal of the prelude.
struct FractalValue {
  std::int32_t level, width, height, cells, k, s_x, s_y;
};

/// A message of the compiler: "map:3: error: ';' expected".
void on_compiler_message(void*, const char* text) {
  std::string message = text;
  int line = 0;
  if (message.starts_with("map:")) {
    char* end = nullptr;
    line = static_cast<int>(std::strtol(message.c_str() + 4, &end, 10));
    message.erase(0, static_cast<std::size_t>(end - message.c_str()));
  } else if (message.starts_with("driver:")) {
    message.erase(0, message.find(": "));  // a function of the map has other parameters
  }
  for (const char* const word : {": ", "tcc: ", "error: ", "warning: "}) {
    if (message.starts_with(word)) message.erase(0, std::strlen(word));
  }
  send_problem(line, 0, message);
}

template <typename Value>
Value* symbol(TCCState* state, const char* name) {
  return static_cast<Value*>(tcc_get_symbol(state, name));
}

}  // namespace

void run_with_libtcc(const MapRunRequest& request, const std::string& code) {
  const double begin = now_milliseconds();
  TCCState* const state = tcc_new();
  if (state == nullptr) {
    send_problem(0, 0, "out of memory");
    return;
  }
  tcc_set_error_func(state, nullptr, on_compiler_message);
  tcc_set_options(state, "-nostdlib -nostdinc -Wimplicit-function-declaration -Werror");
  tcc_set_output_type(state, TCC_OUTPUT_MEMORY);
  // A map that is measured computes is_cell() as it does on a GPU.
  const bool has_table = request.measure == MapStorage::kNone;
  const std::string text = std::string(has_table ? "#define LOOM_CELLS\n" : "") + std::string(map_prelude()) +
                           "#line 1 \"map\"\n" + code + "\n" + kDriver;
  tcc_add_symbol(state, "loom_take", reinterpret_cast<const void*>(&take_points));
  // What the compiler itself calls for copies of structures.
  tcc_add_symbol(state, "memmove", reinterpret_cast<const void*>(&memmove));
  tcc_add_symbol(state, "memcpy", reinterpret_cast<const void*>(&memcpy));
  tcc_add_symbol(state, "memset", reinterpret_cast<const void*>(&memset));
  if (tcc_compile_string(state, text.c_str()) != 0) return;
  if (tcc_relocate(state, TCC_RELOCATE_AUTO) != 0) return;
  *symbol<FractalValue>(state, "loom_fractal") = {request.level,
                                                  request.width,
                                                  request.height,
                                                  request.cells,
                                                  static_cast<std::int32_t>(request.shape.k),
                                                  static_cast<std::int32_t>(request.shape.s_x),
                                                  static_cast<std::int32_t>(request.shape.s_y)};
  std::copy_n(request.shape.offset_x, kMaxReplicas, symbol<std::int32_t>(state, "loom_offset_x"));
  std::copy_n(request.shape.offset_y, kMaxReplicas, symbol<std::int32_t>(state, "loom_offset_y"));
  std::copy_n(request.shape.replica_at, kMaxReplicas, symbol<std::int32_t>(state, "loom_replica"));
  std::vector<std::uint8_t> cells;
  if (has_table) {
    cells = cells_of_square(request.shape, request.level);
    *symbol<const std::uint8_t*>(state, "loom_cells") = cells.data();
  }
  const double compiled = now_milliseconds() - begin;
  send(MapMessage::kCompiled, &compiled, sizeof(compiled));

  MapLaunch launch;
  reinterpret_cast<void (*)(MapLaunch*)>(tcc_get_symbol(state, "loom_launch"))(&launch);
  send(MapMessage::kLaunch, &launch, sizeof(launch));
  if (!launch_problem(launch).empty()) return;
  auto* const grid = symbol<std::uint32_t>(state, "gridDim");
  auto* const block = symbol<std::uint32_t>(state, "blockDim");
  grid[0] = static_cast<std::uint32_t>(launch.grid_x);
  grid[1] = static_cast<std::uint32_t>(launch.grid_y);
  block[0] = static_cast<std::uint32_t>(launch.block_x);
  block[1] = static_cast<std::uint32_t>(launch.block_y);
  grid[2] = block[2] = 1;
  set_thread_indices(symbol<std::uint32_t>(state, "blockIdx"), symbol<std::uint32_t>(state, "threadIdx"));

  Sink own;
  own.points.reserve(kPointsAtATime + kMaxMapBlock);
  sink = &own;
  const double run_begin = now_milliseconds();
  set_in_thread(true);
  reinterpret_cast<void (*)()>(tcc_get_symbol(state, "loom_run"))();
  set_in_thread(false);
  own.send_points();
  const double ran = now_milliseconds() - run_begin;
  send(MapMessage::kRan, &ran, sizeof(ran));

  if (request.measure != MapStorage::kNone) {
    const bool compact = request.measure == MapStorage::kCompact;
    std::vector<char> image(compact ? launch.threads()
                                    : static_cast<std::size_t>(request.width) *
                                          static_cast<std::size_t>(request.height));
    const auto write = reinterpret_cast<void (*)(char*)>(
        tcc_get_symbol(state, compact ? "loom_write_compact" : "loom_write"));
    std::array<double, kRuns> times;
    set_in_thread(true);
    write(image.data());  // warm-up
    for (double& time : times) {
      const double from = now_milliseconds();
      write(image.data());
      time = now_milliseconds() - from;
    }
    set_in_thread(false);
    std::sort(times.begin(), times.end());
    send(MapMessage::kMeasured, &times[kRuns / 2], sizeof(double));
  }
  send(MapMessage::kDone, nullptr, 0);
}

}  // namespace loom
