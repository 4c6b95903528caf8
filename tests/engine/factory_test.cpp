#include "backend.h"

namespace loom {
namespace {

class Factory : public tests::EngineTest {};

TEST_F(Factory, RefusesWhatDoesNotFitAndSaysWhatWould) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const FractalConfig huge{gasket, 24, 16, {.map = MapKind::kBoundingBox}};
  try {
    make(huge);
    FAIL() << "half a petabyte was allocated";
  } catch (const CapacityError& error) {
    EXPECT_EQ(error.needed_bytes, std::uint64_t{2} << 48);
    EXPECT_LT(error.free_bytes, error.needed_bytes);
    // Two buffers of 4^r bytes each.
    int fits = 0;
    while (std::uint64_t{2} << 2 * (fits + 1) <= error.free_bytes) ++fits;
    EXPECT_NE(std::string(error.what()).find("the largest level that fits is " + std::to_string(fits)),
              std::string::npos)
        << error.what();
    EXPECT_EQ(largest_level(huge, error.free_bytes), fits);
  }
}

TEST_F(Factory, RefusesInvalidConfigurations) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  EXPECT_THROW(make({gasket, 3, 16, {.map = MapKind::kLambda}}), InputError) << "tile larger than the level";
  EXPECT_THROW(make({gasket, 3, 3, {.map = MapKind::kLambda}}), InputError) << "not a power of the scale";
  EXPECT_THROW(make({gasket, 8, 64, {.map = MapKind::kLambda}}), InputError) << "more than 1024 threads";
  EXPECT_THROW(make({gasket, -1, 1, {.map = MapKind::kLambda}}), InputError);
  EXPECT_THROW(make({gasket, 41, 1, {.map = MapKind::kCompact}}), InputError);
}

TEST(Backends, NamesAndChoices) {
  EXPECT_EQ(parse_backend("cpu"), BackendChoice::kCpu);
  EXPECT_THROW(parse_backend("gpu"), InputError);
  EXPECT_THROW(parse_map("box"), InputError);
  EXPECT_THROW(select_backend(BackendChoice::kAuto, -1), InputError);
  EXPECT_EQ(select_backend(BackendChoice::kCpu).device.kind, BackendKind::kCpu);
  if (const CudaStatus status = cuda_status(); status.devices.empty()) {
    EXPECT_FALSE(status.reason.empty());
    EXPECT_THROW(select_backend(BackendChoice::kCuda), MachineError);
    const BackendSelection automatic = select_backend(BackendChoice::kAuto);
    EXPECT_EQ(automatic.device.kind, BackendKind::kCpu);
    EXPECT_NE(automatic.reason.find(status.reason), std::string::npos);
  } else {
    EXPECT_EQ(select_backend(BackendChoice::kAuto).device.kind, BackendKind::kCuda);
    EXPECT_THROW(select_backend(BackendChoice::kCuda, 1000), MachineError);
  }
}

}  // namespace
}  // namespace loom
