#include "app/explain/data_colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace loom::app::explain {
namespace {

constexpr glm::u8vec3 kNothing = {62, 44, 46};  ///< dark red: idle threads, stored holes
constexpr glm::u8vec3 kDead = {44, 70, 140};
constexpr glm::u8vec3 kAlive = {255, 232, 60};

std::uint8_t byte_of(double part) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

/// All arguments are 0 to 1.
glm::u8vec3 from_hsv(double hue, double saturation, double value) {
  const auto channel = [&](double n) {
    const double k = std::fmod(n + hue * 6, 6.0);
    return byte_of(value - value * saturation * std::max(0.0, std::min({k, 4 - k, 1.0})));
  };
  return {channel(5), channel(3), channel(1)};
}

glm::u8vec3 number_colour(std::uint64_t number) {
  // Steps of the golden ratio around the hue circle: nearby numbers have distant hues.
  const double turns = static_cast<double>(number % 100003) * (std::numbers::phi - 1);
  constexpr std::array kValues = {0.95, 0.62, 0.80};
  return from_hsv(turns - std::floor(turns), 0.58, kValues[number % kValues.size()]);
}

}  // namespace

glm::u8vec3 ordered_colour(float share) {
  constexpr double kStart = 0.5;
  constexpr double kRotations = -1.5;
  constexpr double kHue = 1.2;
  const double light = 0.18 + 0.74 * std::clamp(static_cast<double>(share), 0.0, 1.0);
  const double angle = 2 * std::numbers::pi * (kStart / 3 + 1 + kRotations * light);
  const double amplitude = kHue * light * (1 - light) / 2;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {byte_of(light + amplitude * (-0.14861 * c + 1.78277 * s)),
          byte_of(light + amplitude * (-0.29227 * c - 0.90649 * s)),
          byte_of(light + amplitude * 1.97294 * c)};
}

glm::u8vec3 data_colour(const ColourKey& key) {
  switch (key.kind) {
    case ColourKey::Kind::kNumber:
      return number_colour(key.number);
    case ColourKey::Kind::kOrdered:
      return ordered_colour(key.share);
    case ColourKey::Kind::kNone:
      break;
  }
  return kNothing;
}

glm::u8vec3 level_colour(int level) {
  // The first colour is not white, so that it remains visible on paper.
  static constexpr std::array<glm::u8vec3, 8> kLevels = {{{214, 220, 230},
                                                          {255, 170, 70},
                                                          {110, 225, 235},
                                                          {250, 120, 200},
                                                          {160, 235, 110},
                                                          {190, 160, 255},
                                                          {255, 235, 90},
                                                          {120, 170, 255}}};
  return kLevels[static_cast<std::size_t>(level) % kLevels.size()];
}

glm::u8vec3 state_colour(bool alive) {
  return alive ? kAlive : kDead;
}

}  // namespace loom::app::explain
