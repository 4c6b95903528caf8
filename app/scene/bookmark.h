#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/life/scene/life_view.h"
#include "app/mandelbrot/scene/complex_view.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app::scene {

/// A small picture of a place: RGB, rows from the top.
struct Thumbnail {
  static constexpr int kWidth = 80;
  static constexpr int kHeight = 60;
  static constexpr std::size_t kBytes = std::size_t{kWidth} * kHeight * 3;
  std::string rgb;  ///< kBytes, or none
  friend bool operator==(const Thumbnail&, const Thumbnail&) = default;
};

/// A place that somebody wants to come back to.
struct Bookmark {
  /// A view of the Mandelbrot set.
  struct Dwells {
    ComplexView view;
    std::uint32_t dwell_limit = 512;
    friend bool operator==(const Dwells&, const Dwells&) = default;
  };
  /// A part of a fractal's cells.
  struct Cells {
    NbbFractal fractal;
    int level = 0;
    std::optional<LifeView> view;  ///< nothing: all of it
    friend bool operator==(const Cells& a, const Cells& b) {
      return a.fractal == b.fractal && a.level == b.level && a.view == b.view;
    }
  };
  std::string name;
  std::optional<Dwells> dwells = {};  ///< one of the two
  std::optional<Cells> cells = {};
  Thumbnail thumbnail = {};
  /// Whether both are of one place, whatever they are called.
  bool same_place(const Bookmark& other) const { return dwells == other.dwells && cells == other.cells; }
};

inline constexpr std::size_t kMostBookmarks = 200;
inline constexpr std::size_t kMostBookmarkName = 80;

}  // namespace loom::app::scene
