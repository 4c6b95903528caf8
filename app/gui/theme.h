#pragma once

#include <imgui.h>

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace loom::app::theme {

// A dark background, one accent for the selection, a colour for each kind of message, and overlay colours
// that are visible on every palette.
inline constexpr glm::vec4 kText{0.92f, 0.93f, 0.95f, 1.00f};
inline constexpr glm::vec4 kMuted{0.66f, 0.69f, 0.74f, 1.00f};
inline constexpr glm::vec4 kAccent{0.36f, 0.72f, 0.78f, 1.00f};
inline constexpr glm::vec4 kOnAccent{0.04f, 0.07f, 0.09f, 1.00f};
inline constexpr glm::vec4 kGrab{0.24f, 0.50f, 0.55f, 1.00f};  ///< slider; the value on it is readable
inline constexpr glm::vec4 kWarning{1.00f, 0.68f, 0.38f, 1.00f};
inline constexpr glm::vec4 kSuccess{0.47f, 0.86f, 0.52f, 1.00f};
inline constexpr glm::vec4 kError{1.00f, 0.50f, 0.46f, 1.00f};
inline constexpr glm::vec4 kBackground{0.090f, 0.098f, 0.118f, 1.00f};
inline constexpr glm::vec4 kRaised{0.165f, 0.180f, 0.216f, 1.00f};
inline constexpr glm::vec4 kHover{0.225f, 0.247f, 0.294f, 1.00f};

inline constexpr ImU32 kActiveTile = IM_COL32(110, 225, 235, 150);  ///< outline of a launched tile with cells
inline constexpr ImU32 kEmptyTile = IM_COL32(255, 96, 72, 62);      ///< fill of an empty tile
inline constexpr ImU32 kEmptyTileOutline = IM_COL32(255, 110, 84, 110);
inline constexpr ImU32 kEmptyTileHatch = IM_COL32(255, 110, 84, 80);
inline constexpr ImU32 kIdleThread = IM_COL32(255, 120, 90, 170);  ///< dot of a thread without a cell
inline constexpr ImU32 kCellGrid = IM_COL32(255, 255, 255, 38);
inline constexpr ImU32 kSelectedTile = IM_COL32(255, 255, 255, 48);  ///< tint of the selected thread's tile
inline constexpr ImU32 kHovered = IM_COL32(255, 255, 255, 235);
inline constexpr ImU32 kRing = IM_COL32(255, 226, 92, 255);  ///< around a control that a lesson highlights
inline constexpr ImU32 kRingEdge = IM_COL32(10, 12, 16, 255);
inline constexpr ImU32 kRubberBand = IM_COL32(255, 255, 255, 230);
inline constexpr ImU32 kRubberFill = IM_COL32(255, 255, 255, 30);
inline constexpr ImU32 kTextBackground = IM_COL32(18, 20, 26, 225);  ///< behind text on the picture

/// A colour for draw lists.
inline ImU32 packed(glm::u8vec3 colour, std::uint8_t alpha = 255) {
  return IM_COL32(colour.r, colour.g, colour.b, alpha);
}

/// Colours for fields and buttons in a popup, whose background has their usual colour.
void push_on_raised();
void pop_on_raised();

/// Colours, rounding and spacing for a font of `ui_pixels`.
void apply(float ui_pixels);

}  // namespace loom::app::theme
