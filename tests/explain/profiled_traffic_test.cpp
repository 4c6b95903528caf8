#include <gtest/gtest.h>

#include <string>

#include "app/explain/warp_memory_access.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::explain {
namespace {

/// Values of Nsight Compute on an H200 (CUDA 13, compute capability 9.0) for one generation of life: the
/// metrics l1tex__t_requests_ and l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum and _op_st.sum.
struct Profiled {
  const char* fractal;
  int level;
  std::uint32_t tile_size;
  IntraBlock intra_block;
  const char* method;  ///< the map, with "+halo" for the compact map with its halo
  GlobalTraffic loads;
  GlobalTraffic stores;
  /// The tiles of a thread block start within a sector. For copies in chunks of 16 bytes per lane, the
  /// profiler then counts up to 1/40 more sectors.
  bool within_sectors = false;
  /// The tiles of a thread block end within a chunk, which the compiler writes in an unrolled loop. Lanes
  /// with different numbers of remaining bytes then make separate requests, up to 1/5 more than computed.
  bool unrolled_ends = false;
};

constexpr const char* kGasket = "sierpinski-gasket";
constexpr const char* kCarpet = "sierpinski-carpet";

/// All with arithmetic `loop`, which loads no tables, and automatic tiles per thread block. Only requests and
/// sectors are compared with the profiler.
const Profiled kProfiled[] = {
    {kGasket, 10, 32, IntraBlock::kLookup, "bounding-box", {74745, 95032}, {7776, 7776}},
    {kGasket, 10, 4, IntraBlock::kLookup, "lambda", {13608, 110541}, {972, 15552}},
    {kGasket, 10, 8, IntraBlock::kLookup, "lambda", {5346, 30765}, {729, 13608}},
    {kGasket, 10, 32, IntraBlock::kLookup, "lambda", {4617, 18823}, {486, 7776}},
    {kGasket, 10, 4, IntraBlock::kLookup, "compact", {19440, 62769}, {1944, 5103}},
    {kGasket, 10, 8, IntraBlock::kLookup, "compact", {19440, 71474}, {1944, 6075}},
    {kGasket, 10, 32, IntraBlock::kLookup, "compact", {19114, 103059}, {1944, 9477}},
    {kGasket, 10, 4, IntraBlock::kLookup, "compact+halo", {5589, 21207}, {243, 3402}, true},
    {kGasket, 10, 8, IntraBlock::kLookup, "compact+halo", {3888, 18708}, {486, 4374}},
    {kGasket, 10, 32, IntraBlock::kLookup, "compact+halo", {2916, 16399}, {486, 7776}},
    {kGasket, 10, 2, IntraBlock::kSubBox, "lambda", {17462, 120376}, {2916, 23328}},
    {kGasket, 10, 2, IntraBlock::kSubBox, "compact", {26244, 76694}, {2916, 5009}},
    {kGasket, 10, 2, IntraBlock::kSubBox, "compact+halo", {14586, 34632}, {9477, 11299}, true, true},
    {kGasket, 10, 1, IntraBlock::kUnrolled, "lambda", {11664, 110971}, {1944, 20412}},
    {kGasket, 10, 1, IntraBlock::kUnrolled, "compact", {17496, 55342}, {1944, 3726}},
    {kGasket, 10, 1, IntraBlock::kUnrolled, "compact+halo", {19800, 63880}, {2790, 5494}, true, true},
    {kCarpet, 5, 3, IntraBlock::kLookup, "bounding-box", {15294, 54555}, {1584, 5835}},
    {kCarpet, 5, 3, IntraBlock::kLookup, "lambda", {11038, 66971}, {1024, 7101}},
    {kCarpet, 5, 3, IntraBlock::kLookup, "compact", {10240, 32664}, {1024, 2048}},
    {kCarpet, 5, 3, IntraBlock::kLookup, "compact+halo", {6656, 18992}, {4608, 5376}},
    {kCarpet, 5, 9, IntraBlock::kSubBox, "bounding-box", {13777, 63102}, {1408, 6830}},
    {kCarpet, 5, 9, IntraBlock::kSubBox, "lambda", {14890, 62006}, {1536, 6681}},
    {kCarpet, 5, 9, IntraBlock::kSubBox, "compact", {13824, 37880}, {1536, 2720}},
    {kCarpet, 5, 9, IntraBlock::kSubBox, "compact+halo", {6349, 13248}, {6656, 8992}, true, true},
    {kCarpet, 5, 27, IntraBlock::kUnrolled, "bounding-box", {15317, 41577}, {1472, 4394}},
    {kCarpet, 5, 27, IntraBlock::kUnrolled, "lambda", {10014, 76268}, {1024, 8268}},
    {kCarpet, 5, 27, IntraBlock::kUnrolled, "compact", {9216, 62464}, {1024, 6208}},
    {kCarpet, 5, 27, IntraBlock::kUnrolled, "compact+halo", {1101, 5410}, {1088, 2452}, true},
    {"candy", 5, 16, IntraBlock::kSubBox, "lambda", {17280, 72496}, {1728, 27648}},
    {kGasket, 10, 16, IntraBlock::kLookup, "compact+halo", {2916, 17250}, {486, 5832}},
    {"candy", 5, 16, IntraBlock::kSubBox, "compact+halo", {5184, 31040}, {1728, 13824}},
};

TEST(ProfiledTraffic, IsWhatTheLensSays) {
  for (const Profiled& profiled : kProfiled) {
#ifdef __SANITIZE_ADDRESS__
    if (profiled.level > 5) continue;  // these take most of the time
#endif
    SCOPED_TRACE(std::string(profiled.fractal) + " tile size " + std::to_string(profiled.tile_size) + " " +
                 profiled.method);
    const std::string method = profiled.method;
    FractalConfig config{
        .fractal = find_fractal(profiled.fractal), .level = profiled.level, .tile_size = profiled.tile_size};
    config.method = {.map = parse_map(method.substr(0, method.find('+'))),
                     .arithmetic = MapArithmetic::kLoop,
                     .intra_block = profiled.intra_block,
                     .tiles = 0,
                     .halo = method.ends_with("+halo")};
    const LaunchTraffic traffic = launch_traffic(ThreadSpace(config), 1 << 20);
    ASSERT_TRUE(traffic.exact);
    GlobalTraffic loads = traffic.sum.cells_read;
    loads += traffic.sum.tables_read;
    EXPECT_EQ(loads.requests, profiled.loads.requests);
    if (profiled.within_sectors) {
      EXPECT_LE(loads.sectors, profiled.loads.sectors);
      EXPECT_GT(loads.sectors * 40, profiled.loads.sectors * 39);
    } else {
      EXPECT_EQ(loads.sectors, profiled.loads.sectors);
    }
    if (profiled.unrolled_ends) {
      EXPECT_LE(traffic.sum.cells_written.requests, profiled.stores.requests);
    } else {
      EXPECT_EQ(traffic.sum.cells_written.requests, profiled.stores.requests);
    }
    EXPECT_EQ(traffic.sum.cells_written.sectors, profiled.stores.sectors);
  }
}

}  // namespace
}  // namespace loom::app::explain
