#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/workspaces/life/scene/life_view.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app::scene {

/// A thumbnail: RGB, rows from the top.
struct Thumbnail {
  static constexpr int kWidth = 80;
  static constexpr int kHeight = 60;
  static constexpr std::size_t kBytes = std::size_t{kWidth} * kHeight * 3;
  std::string rgb;  ///< kBytes long, or empty
  friend bool operator==(const Thumbnail&, const Thumbnail&) = default;
};

/// A bookmark: a view in one of the workspaces.
struct Bookmark {
  /// A view of the Mandelbrot set.
  struct Dwells {
    ComplexView view;
    std::uint32_t dwell_limit = 512;
    friend bool operator==(const Dwells&, const Dwells&) = default;
  };
  /// A view of the cells of a fractal.
  struct Cells {
    NbbFractal fractal;
    int level = 0;
    std::optional<LifeView> view;  ///< empty: the whole field
    friend bool operator==(const Cells& a, const Cells& b) {
      return a.fractal == b.fractal && a.level == b.level && a.view == b.view;
    }
  };
  std::string name;
  std::optional<Dwells> dwells = {};  ///< exactly one of these is set
  std::optional<Cells> cells = {};
  Thumbnail thumbnail = {};
  /// Whether both show the same view, regardless of their names.
  bool same_view(const Bookmark& other) const { return dwells == other.dwells && cells == other.cells; }
};

inline constexpr std::size_t kMaxBookmarks = 200;
inline constexpr std::size_t kMaxBookmarkName = 80;

}  // namespace loom::app::scene
