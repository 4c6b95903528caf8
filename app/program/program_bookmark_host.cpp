#include "app/program/program_bookmark_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/document/bookmarks/view_text.h"
#include "app/program/scene_command.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "app/workspaces/mandelbrot/scene/precision_gauge.h"
#include "compute/core/error.h"

namespace loom::app {

scene::Bookmark ProgramBookmarkHost::here() const {
  if (shows_life()) {
    const FractalConfig& config = life_.async_engine().config();
    const auto view = life_.view();
    return {
        .name = fmt::format("{}, level {}{}", config.fractal.name(), config.level, view ? ", region" : ""),
        .cells = scene::Bookmark::Cells{config.fractal, config.level, view}};
  }
  const ComplexView& view = mandelbrot_.view();
  return {.name = fmt::format("{:.6g} {:+.6g}i, width {:.3g}", view.re, view.im, view.width),
          .dwells = scene::Bookmark::Dwells{view, mandelbrot_.settings().config.dwell_limit}};
}

Area ProgramBookmarkHost::picture_area() const {
  return shows_life() ? life_.picture_area() : mandelbrot_.picture_area();
}

float ProgramBookmarkHost::picture_scale() const {
  return shows_life() ? life_.picture_scale() : mandelbrot_.picture_scale();
}

render::Extent ProgramBookmarkHost::picture() const {
  const bool laid_out = !mandelbrot_.picture_area().empty();
  const Area& area = laid_out ? mandelbrot_.picture_area() : life_.picture_area();
  const float scale = laid_out ? mandelbrot_.picture_scale() : life_.picture_scale();
  const auto pixels = [&](float length) {
    return std::max(1, static_cast<int>(std::lround(length * scale)));
  };
  return {pixels(area.width), pixels(area.height)};
}

void ProgramBookmarkHost::look_at(const ComplexView& view, std::optional<std::uint32_t> dwell_limit,
                                  ShellEdit& shell) {
  shell.settings.workspace = 1;
  const bool deep = !fits_precision(view, picture(), Precision::kFloat);
  mandelbrot_.request([=](MandelbrotEdit& edit) {
    if (deep) edit.settings.config.precision = Precision::kDouble;
    if (dwell_limit) edit.settings.config.dwell_limit = *dwell_limit;
    edit.commands.go_to = view;
  });
}

void ProgramBookmarkHost::go(const scene::Bookmark& bookmark, ShellEdit& shell) {
  if (bookmark.dwells) return look_at(bookmark.dwells->view, bookmark.dwells->dwell_limit, shell);
  if (!bookmark.cells) return;
  shell.settings.workspace = 0;
  life_.request([cells = *bookmark.cells](LifeEdit& edit) {
    FractalConfig& config = edit.settings.config;
    if (config.fractal == cells.fractal && config.level == cells.level) {
      edit.commands.look_at = cells.view;
      return;
    }
    if (config.fractal != cells.fractal) set_fractal(config, cells.fractal);
    set_level(config, cells.level);
    // A new field starts from its initial cells; the view is applied when it runs.
    edit.commands.put_back =
        std::make_shared<const SavedField>(SavedField{.fractal = cells.fractal,
                                                      .level = cells.level,
                                                      .cells = {.start = edit.settings.start},
                                                      .view = cells.view});
  });
}

std::string ProgramBookmarkHost::coordinates() const {
  if (!shows_life()) return bookmarks::text_of(mandelbrot_.view());
  return bookmarks::text_of(life_.part());
}

std::string ProgramBookmarkHost::go_to_dwells(const std::string& text, ShellEdit& shell) {
  const bookmarks::ParsedView read = bookmarks::parse_view(text);
  const render::Extent size = picture();
  const ComplexView view = read.fitted_to_aspect(static_cast<double>(size.width) / size.height);
  const ComplexView possible = clamped(view, size, Precision::kDouble);
  look_at(view, read.dwell_limit, shell);
  std::string said = read.dropped;
  if (possible != view) {
    said += fmt::format("{}Double precision ends at a width of {:.3g} here.", said.empty() ? "" : " ",
                        possible.width);
  }
  return said;
}

std::string ProgramBookmarkHost::go_to(const std::string& text, ShellEdit& shell) {
  if (!shows_life()) return go_to_dwells(text, shell);
  const FieldPart part = bookmarks::parse_part(text);
  const FractalConfig& config = life_.async_engine().config();
  const auto width = static_cast<double>(config.fractal.width(config.level));
  const auto height = static_cast<double>(config.fractal.height(config.level));
  if (part.x >= width || part.y >= height || part.x + part.width <= 0 || part.y + part.height <= 0)
    throw InputError(
        fmt::format("the region is outside the square of {:.0f} x {:.0f} points", width, height));
  life_.request([view = view_of_part(part, width, height)](LifeEdit& edit) { edit.commands.look_at = view; });
  return {};
}

std::string ProgramBookmarkHost::command() const {
  scene::Scene scene = scenes_.describe();
  CommandOptions command_options{.window = application_.window_size(), .picture = picture()};
  if (scene.workspace == 0) {
    command_options.backend = life_.async_engine().backend();
    if (life_.view()) command_options.part = life_.part();
    const auto recomputable = life_.cell_history().recomputable();
    if (!recomputable) {
      throw InputError(
          "No option describes painted cells. Save the scene (Ctrl S) and open it with fractal-loom FILE");
    }
    scene.cells = *recomputable;
  } else {
    command_options.backend = mandelbrot_.runner().backend();
    if (!scene.mandelbrot.automatic)
      scene.mandelbrot.automatic = life_.async_engine().backend().kind == BackendKind::kCuda;
  }
  try {
    return command_of(scene, command_options);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}. Save the scene (Ctrl S) and open it with fractal-loom FILE", error.what()));
  }
}

}  // namespace loom::app
