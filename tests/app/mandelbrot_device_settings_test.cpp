#include <gtest/gtest.h>

#include "app/document/scene/scene.h"
#include "app/shell/shell_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/core/error.h"
#include "sample_scene.h"

namespace loom::app {
namespace {

TEST(PictureShare, AsManyAsThereAre) {
  MandelbrotSettings settings;
  settings.devices = 3;
  settings.overlay = RegionOverlay::kDevices;
  MandelbrotSettings kept = settings;
  EXPECT_EQ(clamp_devices(kept, 8, kCpuDevice), "");
  EXPECT_EQ(kept, settings);
  EXPECT_EQ(clamp_devices(kept, 2, kGpu), "The scene needs 3 GPUs; this machine has 2");
  EXPECT_EQ(kept.devices, 2u);
  EXPECT_EQ(kept.overlay, RegionOverlay::kDevices);
  EXPECT_EQ(clamp_devices(kept, 1, kGpu), "The scene needs 2 GPUs; this machine has 1 GPU");
  EXPECT_EQ(kept.devices, 1u);
  EXPECT_EQ(kept.overlay, RegionOverlay::kOff) << "with one device all regions would have one colour";
}

TEST(PictureShare, WhatIsOfferedSaysWhyNot) {
  for (const std::size_t there : {1, 2, 5}) {
    const std::vector<DeviceCountOption> counts = device_counts(there, kGpu);
    ASSERT_EQ(counts.size(), there > 2 ? 3u : 2u);
    EXPECT_EQ(counts.back().count, std::max<std::size_t>(2, there));
    EXPECT_EQ(counts.back().label, there == 1 ? "2" : "all " + std::to_string(there));
  }
  EXPECT_EQ(missing_devices_reason(1, 1, kGpu), "");
  EXPECT_EQ(missing_devices_reason(2, 2, kGpu), "");
  EXPECT_EQ(missing_devices_reason(2, 1, kGpu),
            "There is one CUDA device. The CPU backend offers simulated devices");
  EXPECT_EQ(missing_devices_reason(9, 8, kCpuDevice), "There are only 8 simulated devices (CPU)");
}

scene::Scene read(const std::string& text) {
  return scene::read_bytes(text, workspace_formats(), [](const FractalConfig&) {});
}

TEST(PictureShare, ASceneKeepsIt) {
  scene::Scene scene = scene::default_scene();
  scene.workspace = "mandelbrot";
  const std::string without = scene::bytes_of(scene);
  scene::mandelbrot_of(scene).settings.devices = 2;
  scene::mandelbrot_of(scene).settings.overlay = RegionOverlay::kDevices;
  const std::string with = scene::bytes_of(scene);
  EXPECT_EQ(scene::mandelbrot_of(read(with)).settings, scene::mandelbrot_of(scene).settings);
  EXPECT_EQ(scene::mandelbrot_of(read(without)).settings.devices, 1u);
  const std::string said = "\"devices\": 2";
  const std::size_t at = with.find(said);
  ASSERT_NE(at, std::string::npos);
  for (const char* const wrong :
       {"\"devices\": 0", "\"devices\": 1025", "\"devices\": -2", "\"devices\": \"2\""}) {
    std::string text = with;
    text.replace(at, said.size(), wrong);
    EXPECT_THROW(read(text), InputError) << wrong;
  }
}

}  // namespace
}  // namespace loom::app
