#pragma once

#include <optional>
#include <string>

#include "app/document/scene/bookmark.h"
#include "app/workspaces/life/scene/field_cells.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app::scene {

/// Everything that a scene file stores. Backend, device and text size depend on machine and user, and are
/// left out.
struct Scene {
  std::size_t workspace = 0;        ///< as in ShellSettings::workspace
  std::string palette = "cividis";  ///< palette of Life
  CustomPalettes custom_palettes = {};
  LifeSettings life = default_life_settings();
  FieldCells cells = {};
  std::optional<LifeView> life_view = {};  ///< empty: the whole field, fitted
  MandelbrotSettings mandelbrot = {};
  std::optional<ComplexView> mandelbrot_view = {};  ///< empty: the default view
  std::vector<Bookmark> bookmarks = {};
};

}  // namespace loom::app::scene
