#pragma once

#include <array>
#include <string_view>

namespace loom::app {

/// The colours of the window around the pictures.
enum class Theme { kDark, kLight };
inline constexpr std::array kThemes = {Theme::kDark, Theme::kLight};

constexpr std::string_view name_of(Theme theme) {
  return theme == Theme::kLight ? "light" : "dark";
}

}  // namespace loom::app
