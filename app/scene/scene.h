#pragma once

#include <optional>
#include <string>

#include "app/life/scene/field_cells.h"
#include "app/life/scene/life_settings.h"
#include "app/life/scene/life_view.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/scene/bookmark.h"

namespace loom::app::scene {

/// Everything that a scene file stores. Backend, device and text size depend on machine and user, and are
/// left out.
struct Scene {
  std::size_t workspace = 0;        ///< as in ShellSettings::workspace
  std::string palette = "cividis";  ///< palette of Life
  OwnPalettes own_palettes = {};
  LifeSettings life = default_life_settings();
  FieldCells cells = {};
  std::optional<LifeView> life_view = {};  ///< empty: the whole field, fitted
  MandelbrotSettings mandelbrot = {};
  std::optional<ComplexView> mandelbrot_view = {};  ///< empty: the default view
  std::vector<Bookmark> places = {};
};

}  // namespace loom::app::scene
