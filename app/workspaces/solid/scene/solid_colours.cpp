#include "app/workspaces/solid/scene/solid_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "compute/solid/solid_view.h"

namespace loom::app {
namespace {

/// Light from above, in front and a little from the left: faces at low x, high x, low y (above), high y, low
/// z, high z.
constexpr std::array kFaceLight = {0.80f, 0.58f, 1.0f, 0.42f, 0.70f, 0.62f};
/// The share of the light that reaches a point without an open side.
constexpr float kLeastOpen = 0.25f;
/// Position on the scale of the colour of dead cells: its dark end leaves no room for shading.
constexpr std::size_t kDead = 88;

}  // namespace

render::SolidColours solid_colours(const render::Palette& palette) {
  render::SolidColours colours;
  colours.fill(palette.outside);
  const glm::vec3 living(palette.ramp.back());
  const glm::vec3 dead(palette.ramp[kDead]);
  for (std::uint32_t value = 0; value < colours.size(); ++value) {
    const std::uint32_t face = value >> kSolidFaceShift & 7u;
    if ((value & kSolidHit) == 0 || face >= kFaceLight.size()) continue;
    const float open = static_cast<float>(value >> kSolidOpenShift & 15u) / 15;
    const float light = kFaceLight[face] * (kLeastOpen + (1 - kLeastOpen) * open);
    colours[value] = glm::u8vec3(glm::round(((value & kSolidAlive) != 0 ? living : dead) * light));
  }
  return colours;
}

glm::u8vec3 colour_of_pixel(const render::SolidColours& colours, std::uint32_t pixel) {
  const glm::vec3 shown(colours[pixel & 511u]);
  if ((pixel & kSolidHit) == 0) return colours[0];
  const float depth = static_cast<float>(pixel >> kSolidDepthShift) / static_cast<float>(kSolidMaxDepth);
  return glm::u8vec3(glm::round(glm::mix(shown, glm::vec3(colours[0]), render::kSolidHaze * depth)));
}

}  // namespace loom::app
