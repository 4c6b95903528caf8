#include "render/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace loom::render {
namespace {

struct Linear {
  double r, g, b;
};

struct Lab {
  double l, a, b;
};

double to_linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Linear to_linear(glm::u8vec3 colour) {
  return {to_linear(colour.r), to_linear(colour.g), to_linear(colour.b)};
}

/// CIE L*a*b* under D65, from linear sRGB.
Lab to_lab(Linear colour) {
  const double x = (0.4124564 * colour.r + 0.3575761 * colour.g + 0.1804375 * colour.b) / 0.95047;
  const double y = 0.2126729 * colour.r + 0.7151522 * colour.g + 0.0721750 * colour.b;
  const double z = (0.0193339 * colour.r + 0.1191920 * colour.g + 0.9503041 * colour.b) / 1.08883;
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

/// CIE 1976 colour difference: about 2 is just noticeable side by side, 20 is clearly a different colour.
double difference(Linear a, Linear b) {
  const Lab p = to_lab(a);
  const Lab q = to_lab(b);
  return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

double difference(glm::u8vec3 a, glm::u8vec3 b) {
  return difference(to_linear(a), to_linear(b));
}

/// Full colour-vision deficiencies after Machado, Oliveira, Fernandes (2009), on linear sRGB.
constexpr double kDeficiencies[3][3][3] = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Linear seen_with(const double (&m)[3][3], glm::u8vec3 colour) {
  const Linear c = to_linear(colour);
  const auto row = [&](int i) { return std::clamp(m[i][0] * c.r + m[i][1] * c.g + m[i][2] * c.b, 0.0, 1.0); };
  return {row(0), row(1), row(2)};
}

class PaletteTest : public testing::TestWithParam<std::string> {
 protected:
  const Palette& palette() const { return *find_palette(GetParam()); }
};

TEST_P(PaletteTest, HoleDeadAndLivingArePlainlyDifferent) {
  const glm::u8vec3 dead = palette().ramp.front();
  const glm::u8vec3 alive = palette().ramp.back();
  const glm::u8vec3 hole = palette().hole;
  EXPECT_GE(difference(hole, dead), 20);
  EXPECT_GE(difference(hole, alive), 20);
  EXPECT_GE(difference(dead, alive), 20);
  EXPECT_GE(difference(palette().outside, hole), 5);
  EXPECT_GE(difference(palette().outside, dead), 10);
  EXPECT_GE(difference(palette().outside, alive), 20);
}

// From a distance and on a projector, lightness separates dead cells from holes, not hue.
TEST_P(PaletteTest, DeadCellsAreClearlyLighterThanHoles) {
  const double dead = to_lab(to_linear(palette().ramp.front())).l;
  const double hole = to_lab(to_linear(palette().hole)).l;
  if (palette().name == "paper") {
    EXPECT_GE(hole - dead, 16) << "holes are the paper";
  } else {
    EXPECT_GE(dead - hole, 16);
  }
}

TEST_P(PaletteTest, AlsoWithColourVisionDeficiencies) {
  for (const auto& deficiency : kDeficiencies) {
    const Linear dead = seen_with(deficiency, palette().ramp.front());
    const Linear alive = seen_with(deficiency, palette().ramp.back());
    const Linear hole = seen_with(deficiency, palette().hole);
    EXPECT_GE(difference(hole, dead), 15);
    EXPECT_GE(difference(hole, alive), 20);
    EXPECT_GE(difference(dead, alive), 20);
  }
}

TEST_P(PaletteTest, LightnessRunsOneWay) {
  const auto lightness = [&](std::size_t i) { return to_lab(to_linear(palette().ramp[i])).l; };
  const double sign = lightness(255) > lightness(0) ? 1 : -1;
  for (std::size_t i = 1; i < 256; ++i) EXPECT_GT(sign * (lightness(i) - lightness(i - 1)), -0.5) << i;
  EXPECT_GE(std::abs(lightness(255) - lightness(0)), 40);
}

TEST_P(PaletteTest, NoDensityLooksLikeAHole) {
  for (const glm::u8vec3 entry : palette().ramp) EXPECT_GE(difference(entry, palette().hole), 15);
}

TEST_P(PaletteTest, OneLivingCellAmongManyIsSeen) {
  EXPECT_GE(difference(display_colour(palette(), 2), display_colour(palette(), 1)), 8);
}

TEST_P(PaletteTest, DisplayColourMeetsTheContract) {
  EXPECT_EQ(display_colour(palette(), 0), palette().hole);
  EXPECT_EQ(display_colour(palette(), 1), palette().ramp.front());
  EXPECT_EQ(display_colour(palette(), 65535), palette().ramp.back());
}

TEST_P(PaletteTest, ACycleHasNoSeam) {
  const auto& cycle = palette().cycle;
  for (std::size_t i = 0; i < cycle.size(); ++i)
    EXPECT_LE(difference(cycle[i], cycle[(i + 1) % cycle.size()]), 8) << i;
}

TEST_P(PaletteTest, TheCycleHasTheRampsColours) {
  for (const glm::u8vec3 entry : palette().ramp) {
    double nearest = 1000;
    for (const glm::u8vec3 other : palette().cycle) nearest = std::min(nearest, difference(entry, other));
    EXPECT_LE(nearest, 4);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Palette& palette : palettes()) result.push_back(palette.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, PaletteTest, testing::ValuesIn(names()), [](const auto& palette_name) {
  std::string name = palette_name.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Palettes, CividisComesFirstAndNamesAreUnique) {
  ASSERT_GE(palettes().size(), 16u);
  EXPECT_EQ(palettes().front().name, "cividis");
  const std::vector<std::string> all = names();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  for (const Palette& palette : palettes()) EXPECT_EQ(find_palette(palette.name), &palette);
  EXPECT_EQ(find_palette("no such palette"), nullptr);
}

TEST(Palettes, EveryGroupHasSome) {
  for (const PaletteGroup group : kPaletteGroups) {
    const auto count = std::ranges::count(palettes(), group, &Palette::group);
    EXPECT_GE(count, group == PaletteGroup::kCustom ? 0 : 4) << label_of(group);
  }
}

/// Equal steps along the ramp are about equal steps of lightness.
TEST(Palettes, UniformOnesAreUniform) {
  for (const Palette& palette : palettes()) {
    if (palette.group != PaletteGroup::kUniform) continue;
    const auto lightness = [&](std::size_t i) { return to_lab(to_linear(palette.ramp[i])).l; };
    const double whole = lightness(255) - lightness(0);
    for (std::size_t eighth = 0; eighth < 8; ++eighth) {
      const double part = (lightness(eighth * 32 + 31) - lightness(eighth * 32)) / whole;
      EXPECT_GE(part, 0.5 / 8) << palette.name << ' ' << eighth;
      EXPECT_LE(part, 1.6 / 8) << palette.name << ' ' << eighth;
    }
  }
}

/// Formula of D. A. Green (2011) with start 0.5, rotations -1.5, hue 1 and gamma 1.
TEST(Palettes, CubehelixIsTheFormulas) {
  const auto& stops = std::ranges::find(palette_specs(), "cubehelix", &PaletteSpec::name)->stops;
  for (const PaletteStop& stop : stops) {
    const double light = 0.2 + 0.8 * stop.at;
    const double angle = 2 * M_PI * (0.5 / 3 - 1.5 * light);
    const double depth = light * (1 - light) / 2;
    const auto channel = [&](double a, double b) {
      return std::lround(255 *
                         std::clamp(light + depth * (a * std::cos(angle) + b * std::sin(angle)), 0.0, 1.0));
    };
    EXPECT_EQ(stop.colour.r, channel(-0.14861, 1.78277));
    EXPECT_EQ(stop.colour.g, channel(-0.29227, -0.90649));
    EXPECT_EQ(stop.colour.b, channel(1.97294, 0));
  }
}

PaletteSpec black_to_white() {
  return {.name = "test", .stops = {{0, {0, 0, 0}}, {1, {255, 255, 255}}}};
}

TEST(Palettes, ARampGoesFromStopToStop) {
  const Palette palette = make_palette(black_to_white());
  for (std::size_t i = 0; i < 256; ++i) {
    const auto grey = static_cast<std::uint8_t>(i);
    EXPECT_EQ(palette.ramp[i], (glm::u8vec3{grey, grey, grey}));
  }
  EXPECT_EQ(palette.cycle[0], (glm::u8vec3{0, 0, 0}));
  EXPECT_EQ(palette.cycle[128], (glm::u8vec3{255, 255, 255}));
  EXPECT_EQ(palette.cycle[64], palette.cycle[192]);
}

TEST(Palettes, ReversedAndTurned) {
  PaletteSpec recipe = black_to_white();
  const Palette plain = make_palette(recipe);
  recipe.reversed = true;
  const Palette reversed = make_palette(recipe);
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(reversed.ramp[i], plain.ramp[255 - i]);
  recipe.reversed = false;
  recipe.offset = 0.25;
  const Palette turned = make_palette(recipe);
  EXPECT_EQ(turned.ramp, plain.ramp) << "the offset must not change the ramp";
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(turned.cycle[i], plain.cycle[(i + 64) % 256]);
}

TEST(Palettes, ACyclicOneGoesBackToItsFirstStop) {
  const PaletteSpec recipe{
      .name = "test", .stops = {{0.25, {0, 0, 0}}, {0.75, {200, 200, 200}}}, .cyclic = true};
  const Palette palette = make_palette(recipe);
  EXPECT_EQ(palette.cycle[64], (glm::u8vec3{0, 0, 0}));
  EXPECT_EQ(palette.cycle[192], (glm::u8vec3{200, 200, 200}));
  EXPECT_EQ(palette.cycle[0], (glm::u8vec3{100, 100, 100}));
  EXPECT_EQ(palette.cycle[128], (glm::u8vec3{100, 100, 100}));
  EXPECT_EQ(palette.ramp[255], palette.cycle[128]) << "the ramp must end halfway through the cycle";
}

TEST(Palettes, WhatIsNoneIsRefused) {
  const auto refused = [](std::vector<PaletteStop> stops) {
    PaletteSpec recipe = black_to_white();
    recipe.stops = std::move(stops);
    EXPECT_THROW(make_palette(recipe), std::invalid_argument);
  };
  refused({});
  refused({{0, {}}});
  refused({{0.5, {}}, {0.2, {}}});
  refused({{0, {}}, {1.5, {}}});
  refused({{-1, {}}, {1, {}}});
  refused({{std::nan(""), {}}, {1, {}}});
  refused(std::vector<PaletteStop>(kMaxStops + 1));
}

TEST(Palettes, RampIndexRisesWithDensity) {
  EXPECT_EQ(ramp_index(0), 0);
  EXPECT_EQ(ramp_index(-1), 0);
  EXPECT_EQ(ramp_index(std::nan("")), 0);
  EXPECT_EQ(ramp_index(1), 255);
  EXPECT_EQ(ramp_index(7), 255);
  for (int i = 1; i < 65535; ++i) ASSERT_GE(ramp_index(i / 65534.0), ramp_index((i - 1) / 65534.0));
}

}  // namespace
}  // namespace loom::render
