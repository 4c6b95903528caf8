#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>

#include "app/explain/colour_by.h"
#include "app/workspaces/solid/scene/solid_settings.h"

namespace loom::app {
namespace {

/// Light from above, in front and a little from the left: faces at low x, high x, low y (above), high y, low
/// z, high z.
constexpr std::array kFaceLight = {0.88f, 0.60f, 1.0f, 0.45f, 0.72f, 0.80f};
/// The share of the light that reaches a point without an open side.
constexpr float kLeastOpen = 0.25f;
/// The length of the dark end of a scale: of dead cells, which are mixed with white, and of living ones.
constexpr std::size_t kDarkEndOfDead = 40;
constexpr std::size_t kDarkEndOfLiving = 88;
/// The light of a dead cell with a colour value, relative to a living one.
constexpr float kDeadLight = 0.5f;
/// How far dead cells are mixed with white, so that they stand out from a dark background.
constexpr float kDeadWhite = 0.45f;
/// The background is lit from above: how far its top is mixed with white, and the light at the bottom.
constexpr float kTopWhite = 0.18f;
constexpr float kBottomLight = 0.85f;
constexpr glm::u8vec3 kEmpty = {255, 140, 40};  // the orange of empty tiles in two dimensions

int sum_of_channels(glm::u8vec3 colour) {
  return colour.r + colour.g + colour.b;
}

/// The colour of a density of living cells, on the part of the scale without its dark end, which leaves no
/// room for shading. It follows the square root of the density, as in two dimensions; without a step at 0,
/// since near pixels show cells and far ones densities.
glm::vec3 density_colour(const render::Palette& palette, float density) {
  const bool living_is_dark = sum_of_channels(palette.ramp.back()) < sum_of_channels(palette.ramp.front());
  const std::size_t dark_end = living_is_dark ? kDarkEndOfLiving : kDarkEndOfDead;
  const std::size_t first = living_is_dark ? 0 : dark_end;
  const auto length = static_cast<float>(palette.ramp.size() - 1 - dark_end);
  const float part = std::sqrt(density);
  const glm::vec3 colour(palette.ramp[first + static_cast<std::size_t>(std::lround(length * part))]);
  return glm::mix(colour, glm::vec3(255), living_is_dark ? 0 : kDeadWhite * (1 - part));
}

}  // namespace

render::SolidColours solid_colours(const render::Palette& palette, SolidColouring colouring,
                                   glm::u8vec3 background) {
  const bool of_state = colouring == SolidColouring::kState;
  render::SolidColours colours;
  colours.states.fill(glm::u8vec3(glm::vec3(background) * kBottomLight));
  colours.top = glm::u8vec3(glm::mix(glm::vec3(background), glm::vec3(255), kTopWhite));
  colours.empty = kEmpty;
  const glm::vec3 living = density_colour(palette, 1);
  const glm::vec3 dead = density_colour(palette, 0);
  for (std::uint32_t value = 0; value < colours.states.size(); ++value) {
    const std::uint32_t face = value >> kSolidFaceShift & 7u;
    if ((value & kSolidHit) == 0 || face >= kFaceLight.size()) continue;
    const float open = static_cast<float>(value >> kSolidOpenShift & 15u) / 15;
    const float light = kFaceLight[face] * (kLeastOpen + (1 - kLeastOpen) * open);
    const bool alive = (value & kSolidAlive) != 0;
    colours.states[value] = glm::u8vec3(glm::round((alive ? living : dead) * light));
    const float of_value = alive || of_state ? light : light * kDeadLight;
    colours.light[value] = static_cast<std::uint8_t>(std::lround(255 * of_value));
  }
  for (std::uint32_t value = 0; value < colours.values.size(); ++value) {
    const std::uint32_t position = std::max(value, 1u) - 1;  // 0 is no value
    const float share = static_cast<float>(position) / 254;
    if (of_state) {
      colours.values[value] = glm::u8vec3(glm::round(density_colour(palette, share)));
      continue;
    }
    colours.values[value] = explain::data_colour(
        is_ordered(colouring) ? explain::ColourKey{explain::ColourKey::Kind::kOrdered, position, share}
                              : explain::ColourKey{explain::ColourKey::Kind::kNumber, position, 0});
  }
  return colours;
}

glm::u8vec3 colour_of_pixel(const render::SolidColours& colours, std::uint32_t pixel, int row, int rows) {
  const float down = (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
  const glm::vec3 background = glm::mix(glm::vec3(colours.top), glm::vec3(colours.states[0]), down);
  const std::uint32_t state = pixel & 511u;
  const std::uint32_t value = pixel >> kSolidColourShift & 255u;
  glm::vec3 shown = (pixel & kSolidHit) != 0 ? glm::vec3(colours.states[state]) : background;
  if (value != 0) shown = glm::vec3(colours.values[value]) * (static_cast<float>(colours.light[state]) / 255);
  if ((pixel & kSolidHit) != 0) {
    const float depth = static_cast<float>(pixel >> kSolidDepthShift) / static_cast<float>(kSolidMaxDepth);
    shown = glm::mix(shown, background, render::kSolidHaze * depth);
  }
  const float empty =
      static_cast<float>(pixel >> kSolidEmptyShift & kSolidMaxEmpty) / static_cast<float>(kSolidMaxEmpty);
  return glm::u8vec3(glm::round(glm::mix(shown, glm::vec3(colours.empty), empty)));
}

}  // namespace loom::app
