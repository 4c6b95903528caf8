#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "compute/backend/cuda_backend.h"
#include "compute/cuda/split/copy_exchange.h"
#include "compute/cuda/split/device_picture.h"
#include "compute/cuda/split/nccl_exchange.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/split/sharing.h"
#include "compute/split/split_engine.h"

namespace loom::cuda {
namespace {

/// Parts exchange and draw in the way that their devices allow. Here they are made to go the other ways.
class WaysOfParts : public testing::Test {
 protected:
  void SetUp() override {
    if (cudaGetDeviceCount(&devices_) != cudaSuccess || devices_ == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "no CUDA device";
    }
  }

  static FractalConfig config_of(std::size_t fractal, int level) {
    return {.fractal = catalog()[fractal],
            .level = level,
            .method = {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
  }

  static std::vector<std::uint16_t> picture_of(FractalEngine& engine) {
    Viewport viewport;
    for (std::int64_t i = 0; i <= 50; ++i) {
      viewport.x_edges.push_back(i * 30);
      viewport.y_edges.push_back(i * 25);
    }
    ImageView image;
    engine.resolve(viewport, MemorySpace::kHost, image);
    const auto* const pixels = static_cast<const std::uint16_t*>(image.pixels);
    return {pixels, pixels + image.width * image.height};
  }

  /// Part i on the i-th device, against one device.
  static void expect_as_one_device(const FractalConfig& config, const std::vector<int>& devices,
                                   std::unique_ptr<PartExchange> exchange,
                                   std::unique_ptr<PartPicture> picture) {
    SCOPED_TRACE(config.fractal.name() + " " + std::to_string(devices.size()) + " " + exchange->name());
    const auto one = make_engine(config, 0);
    const auto count = static_cast<std::uint32_t>(devices.size());
    const std::vector<PlaneRange> ranges = part_ranges(config, count);
    std::vector<std::unique_ptr<FractalPart>> parts;
    for (std::uint32_t i = 0; i < count; ++i) parts.push_back(make_part(config, ranges, i, devices[i]));
    SplitEngine split(config, std::move(parts), count, std::move(exchange), std::move(picture));
    for (FractalEngine* const engine : {one.get(), static_cast<FractalEngine*>(&split)})
      engine->reset({4, 0.5});
    for (const std::uint32_t times : {1u, 7u, 40u}) {
      for (FractalEngine* const engine : {one.get(), static_cast<FractalEngine*>(&split)})
        engine->step(times, {});
      EXPECT_EQ(split.census().hash, one->census().hash);
      EXPECT_EQ(picture_of(split), picture_of(*one));
    }
  }

  int devices_ = 0;
};

TEST_F(WaysOfParts, TheDriverCopiesAndPicturesAreAddedUpInHostMemory) {
  for (const std::size_t parts : {2, 3}) {
    const std::vector<int> devices(parts, 0);
    expect_as_one_device(config_of(0, 15), devices, make_copy_exchange(false), nullptr);
    expect_as_one_device(config_of(1, 5), devices, make_copy_exchange(false), nullptr);
  }
}

TEST_F(WaysOfParts, DifferentDevices) {
  if (devices_ < 2) GTEST_SKIP() << "one device";
  const std::vector<int> devices = {1, 0};
  for (const FractalConfig& config : {config_of(0, 15), config_of(1, 5)}) {
    if (auto nccl = make_nccl_exchange(devices))
      expect_as_one_device(config, devices, std::move(nccl), nullptr);
    expect_as_one_device(config, devices, make_copy_exchange(false), make_device_picture(devices));
    if (share_memory(devices)) {
      expect_as_one_device(config, devices, make_copy_exchange(true), make_device_picture(devices));
    }
  }
}

}  // namespace
}  // namespace loom::cuda
