#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/shell/shell_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

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

}  // namespace loom::app
