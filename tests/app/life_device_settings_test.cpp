#include <gtest/gtest.h>

#include "app/document/scene/scene.h"
#include "app/shell/application.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "sample_scene.h"

namespace loom::app {
namespace {

constexpr std::chrono::duration<double, std::milli> kAll{1e9};
constexpr std::chrono::duration<double, std::milli> kNothing{0};
constexpr std::size_t kThere = 8;

LifeSettings shared_out_settings(int level, std::uint32_t devices) {
  LifeSettings settings = default_life_settings();
  settings.config.level = level;
  settings.config.method = {.map = MapKind::kCompact, .storage = CellStorage::kBits};
  settings.devices = devices;
  return settings;
}

// The expected value is computed by querying the device of every cell that the pixel covers.
TEST(DeviceRaster, APixelIsOfTheDeviceThatHasItsCells) {
  int several = 0;
  for (const char* const name : {"sierpinski-gasket", "sierpinski-carpet", "chandelier"}) {
    const NbbFractal& fractal = find_fractal(name);
    int level = 0;
    while (fractal.cells(level + 1) <= 20'000) ++level;
    LifeSettings settings = shared_out_settings(level, 3);
    settings.config.fractal = fractal;
    const auto cells = std::make_shared<const explain::DeviceCells>(settings.config, 3, "device");
    for (const double zoom : {0.2, 1.0, 3.7, 90.0}) {
      render::Camera camera;
      camera.set_picture({83, 71});
      camera.set_field({fractal.width(level), fractal.height(level)});
      camera.fit();
      camera.zoom_at({20, 60}, zoom);
      DeviceRaster raster;
      raster.look_at(cells);
      raster.advance(camera, kAll);
      ASSERT_TRUE(raster.finished());
      const auto xs = camera.edges(0);
      const auto ys = camera.edges(1);
      for (std::size_t row = 0; row < 71; ++row) {
        for (std::size_t column = 0; column < 83; ++column) {
          std::uint8_t expected = DeviceRaster::kNoDevice;
          for (std::int64_t y = ys[row]; y < std::max(ys[row] + 1, ys[row + 1]); ++y) {
            for (std::int64_t x = xs[column]; x < std::max(xs[column] + 1, xs[column + 1]); ++x) {
              if (x < 0 || y < 0) continue;
              const auto device =
                  cells->device_of(Coord64{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)});
              if (!device) continue;
              const auto one = static_cast<std::uint8_t>(*device);
              expected = expected == DeviceRaster::kNoDevice || expected == one
                             ? one
                             : DeviceRaster::kSeveralDevices;
            }
          }
          several += expected == DeviceRaster::kSeveralDevices ? 1 : 0;
          ASSERT_EQ(raster.devices()[row * 83 + column], expected)
              << name << " " << zoom << " " << column << "," << row;
        }
      }
    }
  }
  EXPECT_GT(several, 0);
}

TEST(DeviceRaster, GoesOnInSlices) {
  const LifeSettings settings = shared_out_settings(14, 2);
  render::Camera camera;
  camera.set_picture({300, 300});
  camera.set_field({1 << 14, 1 << 14});
  camera.fit();
  const auto cells = std::make_shared<const explain::DeviceCells>(settings.config, 2, "device");
  DeviceRaster whole;
  whole.look_at(cells);
  whole.advance(camera, kAll);
  DeviceRaster sliced;
  sliced.look_at(cells);
  int slices = 0;
  do {
    sliced.advance(camera, kNothing);
    ++slices;
  } while (!sliced.finished());
  EXPECT_GT(slices, 2);
  EXPECT_EQ(sliced.devices(), whole.devices());
}

TEST(DeviceTimeBreakdown, SaysWhyNot) {
  LifeSettings settings = shared_out_settings(9, 1);
  EXPECT_EQ(no_devices_reason(settings.config, 2, kThere, kCpuDevice), "");
  EXPECT_EQ(no_devices_reason(settings.config, 2, 2, kGpu), "");
  EXPECT_NE(no_devices_reason(settings.config, 2, 1, kGpu).find("one CUDA device"), std::string::npos);
  EXPECT_EQ(no_devices_reason(settings.config, 3, 2, kGpu), "There are only 2 GPUs");
  settings.config.level = 6;
  EXPECT_NE(no_devices_reason(settings.config, 2, kThere, kCpuDevice).find("at most 1"), std::string::npos);
  settings.config.method.map = MapKind::kLambda;
  settings.config.method.storage = CellStorage::kBytes;
  EXPECT_NE(no_devices_reason(settings.config, 2, kThere, kCpuDevice).find("the compact map"),
            std::string::npos);
  EXPECT_EQ(no_devices_reason(settings.config, 1, 1, kCpuDevice), "");
}

TEST(DeviceTimeBreakdown, WhatCannotBeBecomesTheMostThatCan) {
  LifeSettings settings = shared_out_settings(9, 4);
  settings.colouring.by = explain::ColourBy::kDevice;
  EXPECT_EQ(clamp_devices(settings, kThere, kCpuDevice), "");
  EXPECT_EQ(settings.devices, 4u);
  EXPECT_EQ(settings.colouring.by, explain::ColourBy::kDevice);

  LifeSettings fewer = settings;
  EXPECT_EQ(clamp_devices(fewer, 1, kGpu), "The scene needs 4 GPUs; this machine has 1 GPU");
  EXPECT_EQ(fewer.devices, 1u);
  EXPECT_EQ(fewer.colouring.by, explain::ColourBy::kState) << "colouring by device needs several devices";

  settings.config.level = 7;  // level 7 has three groups in two words
  EXPECT_EQ(clamp_devices(settings, kThere, kCpuDevice), "");
  EXPECT_GE(settings.devices, 1u);
  EXPECT_LT(settings.devices, 4u);
  EXPECT_EQ(no_devices_reason(settings.config, settings.devices, kThere, kCpuDevice), "");

  settings = shared_out_settings(9, 2);
  settings.config.method.storage = CellStorage::kBytes;
  EXPECT_EQ(clamp_devices(settings, kThere, kCpuDevice), "");
  EXPECT_EQ(settings.devices, 2u);
  settings.config.method.map = MapKind::kLambda;
  EXPECT_EQ(clamp_devices(settings, kThere, kCpuDevice), "");
  EXPECT_EQ(settings.devices, 1u);
}

TEST(DeviceTimeBreakdown, ColoursThatCanBe) {
  LifeSettings settings = shared_out_settings(9, 1);
  using explain::ColourBy;
  EXPECT_FALSE(no_colouring_reason(settings, ColourBy::kDevice).empty());
  set_panes(settings, PanePreset::kDevices);
  EXPECT_TRUE(no_colouring_reason(settings, ColourBy::kDevice).empty())
      << "a secondary pane has several devices";
  EXPECT_FALSE(no_colouring_reason(settings, ColourBy::kWarp).empty())
      << "bit-packed storage has no colours by warp";
  EXPECT_TRUE(no_colouring_reason(settings, ColourBy::kState).empty());
  EXPECT_TRUE(no_colouring_reason(default_life_settings(), ColourBy::kWarp).empty());
  EXPECT_FALSE(no_colouring_reason(default_life_settings(), ColourBy::kWorker).empty());
}

TEST(DeviceTimeBreakdown, ThePaneThatCompares) {
  LifeSettings settings = default_life_settings();
  settings.devices = 3;
  set_panes(settings, PanePreset::kDevices);
  EXPECT_EQ(settings.devices, 1u);
  ASSERT_EQ(settings.secondary_panes.size(), 1u);
  EXPECT_EQ(settings.secondary_panes[0].devices, 2u);
  EXPECT_EQ(settings.secondary_panes[0].method, settings.config.method) << "both panes use the same method";
  EXPECT_EQ(settings.config.method.storage, CellStorage::kBits);
  settings.devices = 2;
  pin_as_pane(settings);
  EXPECT_EQ(settings.secondary_panes[1].devices, 2u);
}

TEST(DeviceTimeBreakdown, IsSavedWithScenes) {
  scene::Scene scene = scene::default_scene();
  scene::life_of(scene).settings = shared_out_settings(9, 2);
  set_panes(scene::life_of(scene).settings, PanePreset::kDevices);
  scene::life_of(scene).settings.devices = 4;
  scene::life_of(scene).settings.colouring.by = explain::ColourBy::kDevice;
  const std::string text = scene::bytes_of(scene);
  const scene::Scene again = scene::read_bytes(text, workspace_formats(), {});
  EXPECT_EQ(scene::life_of(again).settings.devices, 4u);
  ASSERT_EQ(scene::life_of(again).settings.secondary_panes.size(), 1u);
  EXPECT_EQ(scene::life_of(again).settings.secondary_panes[0].devices, 2u);
  EXPECT_EQ(scene::life_of(again).settings.colouring.by, explain::ColourBy::kDevice);

  const auto with = [&](const std::string& devices) {
    std::string other = text;
    other.replace(other.find("\"devices\": 4"), 12, "\"devices\": " + devices);
    return other;
  };
  EXPECT_EQ(scene::life_of(scene::read_bytes(with("27"), workspace_formats(), {})).settings.devices, 27u)
      << "up to one device per word, whatever this machine has";
  for (const char* const wrong : {"0", "-1", "28", "2000", "\"two\""})
    EXPECT_THROW(scene::read_bytes(with(wrong), workspace_formats(), {}), InputError) << wrong;
  scene::life_of(scene).settings = default_life_settings();
  EXPECT_EQ(scene::bytes_of(scene).find("devices"), std::string::npos) << "a single device is not written";
}

TEST(DeviceTimeBreakdown, TheStatusLineSaysHowMany) {
  EXPECT_EQ(words_of({kGpu, "selected", {cuda_device(1)}}, {}), "CUDA: 2 × NVIDIA H200");
  EXPECT_EQ(words_of({kCpuDevice, "selected", {{.ordinal = 1}, {.ordinal = 2}}}, {}),
            "CPU: 3 simulated devices");
}

}  // namespace
}  // namespace loom::app
