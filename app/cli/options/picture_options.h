#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/shell_settings.h"
#include "app/workspaces/life/scene/life_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// Largest side in pixels of an image that a subcommand writes.
inline constexpr std::uint32_t kMaxImageSide = 16384;

/// The options that `view` and `shot` share in addition to those of the scene, as typed.
struct PictureOptions {
  std::string size = "1280x720";
  std::optional<std::string> ui_scale;
  std::optional<std::string> theme;

  /// Throws InputError for anything but WIDTHxHEIGHT with sides from 1 to `most`.
  glm::ivec2 extent(std::uint32_t most = kMaxImageSide) const;
  /// The text scale, 0.625 to 3, where 1 is 16 pixels; empty if it was not typed. Throws InputError.
  std::optional<float> scale() const;
  /// The theme; empty if it was not typed. Throws InputError.
  std::optional<Theme> theme_choice() const;
};

void add_picture_options(CLI::App& command, PictureOptions& options);
void add_appearance_options(CLI::App& command, PictureOptions& options);

/// Applies the named palette, if any, to both workspaces: a known palette, or a file of GIMP, Fractint or GMT
/// by its ending. Throws InputError that lists the palettes for any other name.
void choose_palette(ShellSettings& settings, MandelbrotSettings& mandelbrot,
                    const std::optional<std::string>& name);

/// The options for the visible part of the cells, as typed; view() checks them.
struct LifeViewOptions {
  std::vector<std::string> region;
  std::optional<std::string> zoom;
  std::vector<std::string> pan;

  /// The view; empty if no option was typed. Throws InputError with the allowed values.
  std::optional<render::Camera::View> view(const FractalConfig& config) const;
};

/// Adds the options to a subcommand. `options` must outlive the parse.
void add_life_view_options(CLI::App& command, LifeViewOptions& options);

}  // namespace loom::app
