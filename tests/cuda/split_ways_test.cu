#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "compute/backend/cuda_backend.h"
#include "compute/cuda/distributed/copy_segments.h"
#include "compute/cuda/engines.h"
#include "compute/distributed/image_compositor.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::cuda {
namespace {

/// Partitions normally use the best halo exchange and image compositor that their devices support. These
/// tests force the others.
class WaysOfParts : public testing::Test {
 protected:
  void SetUp() override {
    if (cudaGetDeviceCount(&devices_) != cudaSuccess || devices_ == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "no CUDA device";
    }
  }

  /// Gasket and carpet, each with byte and bit-packed storage.
  static std::vector<FractalConfig> configs() {
    std::vector<FractalConfig> configs;
    for (const CellStorage storage : kCellStorages) {
      for (const auto& [fractal, level] : {std::pair(0, 15), std::pair(1, 5)})
        configs.push_back({.fractal = catalog()[static_cast<std::size_t>(fractal)],
                           .level = level,
                           .method = {.map = MapKind::kCompact, .storage = storage}});
    }
    return configs;
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

  /// Compares partitions on `devices` with one device.
  static void expect_as_one_device(const FractalConfig& config, const std::vector<int>& devices,
                                   std::unique_ptr<HaloExchange> exchange,
                                   std::unique_ptr<ImageCompositor> picture) {
    SCOPED_TRACE(config.fractal.name() + " " + std::to_string(devices.size()) + " " + exchange->name());
    const auto one = make_engine(config, 0);
    const auto count = static_cast<std::uint32_t>(devices.size());
    const Partitioning partitioning = make_partitioning(config, count);
    std::vector<std::unique_ptr<FractalPartition>> parts;
    for (std::uint32_t i = 0; i < count; ++i) parts.push_back(make_part(config, partitioning, i, devices[i]));
    const auto split =
        make_distributed_engine(config, std::move(parts), count, std::move(exchange), std::move(picture));
    for (FractalEngine* const engine : {one.get(), split.get()}) engine->reset({4, 0.5});
    for (const std::uint32_t times : {1u, 7u, 40u}) {
      for (FractalEngine* const engine : {one.get(), split.get()}) engine->step(times, {});
      EXPECT_EQ(split->census().hash, one->census().hash);
      EXPECT_EQ(picture_of(*split), picture_of(*one));
    }
  }

  int devices_ = 0;
};

TEST_F(WaysOfParts, TheDriverCopiesAndPicturesAreAddedUpInHostMemory) {
  for (const std::size_t parts : {2, 3}) {
    const std::vector<int> devices(parts, 0);
    for (const FractalConfig& config : configs())
      expect_as_one_device(config, devices, make_copy_exchange(false), nullptr);
  }
}

TEST_F(WaysOfParts, DifferentDevices) {
  if (devices_ < 2) GTEST_SKIP() << "one device";
  const std::vector<int> devices = {1, 0};
  for (const FractalConfig& config : configs()) {
    if (auto nccl = make_nccl_exchange(devices))
      expect_as_one_device(config, devices, std::move(nccl), nullptr);
    expect_as_one_device(config, devices, make_copy_exchange(false), make_device_compositor(devices));
    if (enable_peer_access(devices)) {
      expect_as_one_device(config, devices, make_copy_exchange(true), make_device_compositor(devices));
    }
  }
}

}  // namespace
}  // namespace loom::cuda
