#include "app/workspaces/mandelbrot/scene/pixel_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom::app {
namespace {

const BackendSelection kCpu{{}, "test"};

TEST(PixelSamples, DivideAPixelEvenly) {
  const MandelbrotView view{.window = {-2, 2, -1, 1}, .width = 8, .height = 4};  // pixels of 0.5 x 0.5
  for (const int samples_per_axis : kSamplesPerAxis) {
    std::set<std::pair<double, double>> places;
    for (int i = 0; i < samples_per_axis * samples_per_axis; ++i) {
      const MandelbrotView sample = sample_view(view, samples_per_axis, i);
      const double right = (sample.window.re_min + 2) / 0.5 * samples_per_axis;
      const double down = (sample.window.im_min + 1) / 0.5 * samples_per_axis;
      EXPECT_EQ(right, std::floor(right));
      EXPECT_EQ(down, std::floor(down));
      EXPECT_TRUE(right >= 0 && right < samples_per_axis && down >= 0 && down < samples_per_axis);
      EXPECT_EQ(sample.window.re_max - sample.window.re_min, 4);
      EXPECT_TRUE(places.emplace(right / samples_per_axis, down / samples_per_axis).second)
          << "each position occurs once";
    }
    if (samples_per_axis == 4) {
      for (int i = 0; i < 4; ++i) EXPECT_EQ(sample_view(view, 4, i).window, sample_view(view, 2, i).window);
    }
    EXPECT_EQ(sample_view(view, samples_per_axis, 0).window, view.window);
  }
}

TEST(PixelSamples, ASmoothDwellLiesBetweenTwoColours) {
  const std::vector<glm::u8vec3> colours = {{0, 0, 0}, {100, 200, 40}, {200, 0, 0}, {1, 2, 3}};
  EXPECT_EQ(dwell_colour(colours, 1, false), colours[1]);
  EXPECT_EQ(dwell_colour(colours, 77, false), colours[3]) << "the interior colour";
  EXPECT_EQ(dwell_colour(colours, 1u << 16, true), colours[1]);
  EXPECT_EQ(dwell_colour(colours, 1u << 15, true), (glm::u8vec3{50, 100, 20}));
  EXPECT_EQ(dwell_colour(colours, (2u << 16) + 40000, true), colours[2])
      << "no interpolation towards the interior colour";
  EXPECT_EQ(dwell_colour(colours, 3u << 16, true), colours[3]);
}

TEST(PixelSamples, EntriesOfAScaleCoverSeveralDwells) {
  const std::vector<glm::u8vec3> colours = {{0, 0, 0}, {80, 160, 40}, {160, 0, 0}, {1, 2, 3}};
  const render::DwellTable scaled(colours, {.limit = 1000000, .first = 500000, .shift = 3});
  EXPECT_EQ(dwell_colour(scaled, 12, false), colours[0]);
  EXPECT_EQ(dwell_colour(scaled, 500007, false), colours[0]);
  EXPECT_EQ(dwell_colour(scaled, 500008, false), colours[1]);
  EXPECT_EQ(dwell_colour(scaled, 999999, false), colours[2]) << "not the interior colour";
  EXPECT_EQ(dwell_colour(scaled, 1000000, false), colours[3]);
  const int digits = smooth_digits(1000000);
  EXPECT_EQ(dwell_colour(scaled, 500004u << digits, true), (glm::u8vec3{40, 80, 20})) << "half way";
  const render::DwellTable cyclic(colours, {.limit = 1000000, .cycle = 3});
  EXPECT_EQ(dwell_colour(cyclic, 300001, false), colours[1]);
  EXPECT_EQ(dwell_colour(cyclic, 1000001, false), colours[3]);
}

ImageView image_of(const std::vector<std::uint16_t>& dwells, int width) {
  return {.pixels = dwells.data(),
          .format = PixelFormat::kDwell16,
          .width = width,
          .height = static_cast<int>(dwells.size()) / width,
          .row_bytes = static_cast<std::size_t>(width) * 2};
}

TEST(PictureMean, OfOnePictureIsThePicture) {
  std::vector<glm::u8vec3> colours;
  std::vector<std::uint16_t> dwells;
  for (int i = 0; i < 256; ++i) {
    const auto one = static_cast<std::uint8_t>(i);
    colours.push_back({one, static_cast<std::uint8_t>(255 - i), 7});
    dwells.push_back(static_cast<std::uint16_t>(i));
  }
  PictureMean mean;
  mean.begin(16, 16);
  for (int times = 0; times < 16; ++times) {
    mean.add(image_of(dwells, 16), colours);
    std::vector<glm::u8vec3> row(16);
    for (int y = 0; y < 16; ++y) {
      mean.row(y, row);
      for (int x = 0; x < 16; ++x)
        EXPECT_EQ(row[static_cast<std::size_t>(x)], colours[static_cast<std::size_t>(16 * y + x)]);
    }
  }
}

TEST(PictureMean, IsOfLight) {
  const std::vector<glm::u8vec3> colours = {{0, 0, 0}, {255, 255, 255}};
  PictureMean mean;
  mean.begin(2, 1);
  mean.add(image_of({0, 1}, 2), colours);
  mean.add(image_of({1, 1}, 2), colours);
  std::vector<std::uint32_t> packed;
  mean.packed(packed);
  // Half the linear light of white is 188 in sRGB, not 128.
  EXPECT_EQ(packed, (std::vector<std::uint32_t>{0xffbcbcbcu, 0xffffffffu}));
}

struct Scene {
  Supersampler::Request of{.config = {.dwell_limit = 100},
                           .view = {.window = {}, .width = 60, .height = 40},
                           .backend = kCpu,
                           .smooth = false,
                           .samples_per_axis = 4};
  std::vector<glm::u8vec3> colours;
  Scene() { dwell_colours(render::palettes().front(), {}, {}, 100, colours); }
};

/// Each pixel must be the mean of its samples, each computed separately.
void expect_mean(const Supersampler& sampler, const Scene& scene, int samples_per_axis) {
  const auto engine = make_mandelbrot_engine(kCpu);
  PictureMean mean;
  mean.begin(60, 40);
  for (int i = 0; i < samples_per_axis * samples_per_axis; ++i) {
    engine->compute(scene.of.config, sample_view(scene.of.view, samples_per_axis, i));
    if (scene.of.smooth) engine->compute_smooth();
    mean.add(scene.of.smooth ? engine->smooth_image(MemorySpace::kHost) : engine->image(MemorySpace::kHost),
             scene.colours);
  }
  std::vector<std::uint32_t> expected;
  mean.packed(expected);
  EXPECT_EQ(sampler.picture(), expected) << samples_per_axis;
}

TEST(Supersampler, EndsWithTheMeanOfAllPoints) {
  for (const bool smooth : {false, true}) {
    Scene scene;
    scene.of.smooth = smooth;
    Supersampler sampler;
    EXPECT_EQ(sampler.samples_per_axis(), 1);
    std::vector<int> finer;
    do {
      if (sampler.advance(scene.of, scene.colours, kNoTimeout)) {
        finer.push_back(sampler.samples_per_axis());
        expect_mean(sampler, scene, sampler.samples_per_axis());
      }
    } while (sampler.working());
    EXPECT_EQ(finer, (std::vector<int>{2, 4})) << "2 x 2 samples come before 4 x 4";
    EXPECT_FALSE(sampler.advance(scene.of, scene.colours, kNoTimeout)) << "no work is left";
    EXPECT_EQ(sampler.samples_per_axis(), 4);
  }
}

TEST(Supersampler, AnotherWishTakesThePictureBack) {
  Scene scene;
  Supersampler sampler;
  do sampler.advance(scene.of, scene.colours, kNoTimeout);
  while (sampler.working());
  scene.of.view.window.re_min = -1.4;
  EXPECT_FALSE(sampler.is_of(scene.of));
  sampler.advance(scene.of, scene.colours, TaskTimeout{0});
  EXPECT_EQ(sampler.samples_per_axis(), 1);
  do sampler.advance(scene.of, scene.colours, kNoTimeout);
  while (sampler.working());
  expect_mean(sampler, scene, 4);
  ++scene.of.colours;
  EXPECT_FALSE(sampler.is_of(scene.of)) << "the colours changed";
  sampler.forget();
  EXPECT_EQ(sampler.samples_per_axis(), 1);
}

TEST(Supersampler, WhatWasCancelledIsNotBegunAgain) {
  Scene scene;
  scene.of.view = {.window = {}, .width = 1000, .height = 1000};
  scene.of.config.dwell_limit = 60000;
  dwell_colours(render::palettes().front(), {}, {}, 60000, scene.colours);
  Supersampler sampler;
  sampler.advance(scene.of, scene.colours, TaskTimeout{0});
  EXPECT_TRUE(sampler.working());
  sampler.cancel();
  EXPECT_FALSE(sampler.working());
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(sampler.advance(scene.of, scene.colours, kNoTimeout));
  EXPECT_FALSE(sampler.working());
  EXPECT_EQ(sampler.samples_per_axis(), 1);
  EXPECT_EQ(sampler.take_problem(), "");
}

}  // namespace
}  // namespace loom::app
