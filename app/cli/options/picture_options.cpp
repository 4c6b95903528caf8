#include "app/cli/options/picture_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "app/cli/options/options.h"
#include "app/files/file_kind.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "render/palette.h"

namespace loom::app {

glm::ivec2 PictureOptions::extent(std::uint32_t most) const {
  return read_sides("--size", size, most, allowed_sides(most));
}

std::optional<float> PictureOptions::scale() const {
  if (!ui_scale) return std::nullopt;
  return static_cast<float>(read_real_number("--ui-scale", *ui_scale,
                                             static_cast<double>(kMinUiPixels / kDefaultUiPixels),
                                             static_cast<double>(kMaxUiPixels / kDefaultUiPixels)));
}

std::optional<Theme> PictureOptions::theme_choice() const {
  if (!theme) return std::nullopt;
  return parse_choice("--theme", *theme, kThemes);
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  add_text(command, "--size", options.size, "WxH", "Size of the window or image in pixels");
}

void add_appearance_options(CLI::App& command, PictureOptions& options) {
  add_text(command, "--ui-scale", options.ui_scale, "FACTOR",
           "Text size: 1 is 16 pixels, 1.75 suits a projector");
  add_text(command, "--theme", options.theme, "THEME", "Colours of the window: dark (default) or light");
}

void choose_palette(ShellSettings& settings, MandelbrotSettings& mandelbrot,
                    const std::optional<std::string>& name) {
  if (!name) return;
  if (find_palette(settings.custom_palettes, *name) != nullptr) {
    settings.palette = mandelbrot.palette = *name;
    return;
  }
  if (kind_of_extension(*name) == FileKind::kPalette) {
    render::PaletteSpec recipe = recipe_of(read_palette_file(*name));
    recipe.name = free_name(settings.custom_palettes, recipe.name);
    settings.custom_palettes = with_palette(settings.custom_palettes, recipe);
    settings.palette = mandelbrot.palette = recipe.name;
    return;
  }
  std::string names;
  for (const render::Palette& palette : render::palettes()) names += palette.name + ", ";
  throw bad_value("--palette", *name, names + "a .gpl, .map or .cpt file");
}

namespace {

constexpr double kMaxZoom = 1e18;
constexpr double kMaxPan = 1e18;
constexpr double kBeyond = 1000;  // times the sides of the square

}  // namespace

std::optional<render::Camera::View> LifeViewOptions::view(const FractalConfig& config) const {
  if (region.empty() && !zoom && pan.empty()) return std::nullopt;
  const auto width = static_cast<double>(config.fractal.width(config.level));
  const auto height = static_cast<double>(config.fractal.height(config.level));
  if (!region.empty()) {
    if (zoom || !pan.empty())
      throw InputError("--region excludes --zoom and --pan; allowed: --region, or --zoom and --pan");
    const std::string allowed =
        fmt::format("X,Y,X2,Y2 in points of the square of {:.0f} x {:.0f}, X less than X2 and Y less than Y2",
                    width, height);
    // The picture may extend beyond the square.
    const Bounds across{-kBeyond * width, kBeyond * width};
    const Bounds down{-kBeyond * height, kBeyond * height};
    const std::array<Bounds, 4> bounds = {across, down, across, down};
    const std::vector<double> at = read_numbers("--region", region, bounds, allowed);
    if (!(at[0] < at[2] && at[1] < at[3]))
      throw bad_value("--region", fmt::format("{}", fmt::join(region, ",")), allowed);
    return view_of_part({{at[0], at[1]}, {at[2] - at[0], at[3] - at[1]}}, {width, height});
  }
  const double factor = zoom ? read_real_number("--zoom", *zoom, 1, kMaxZoom) : 1;
  std::vector<double> moved = {0, 0};
  if (!pan.empty()) {
    const std::array<Bounds, 2> bounds = {{{-kMaxPan, kMaxPan}, {-kMaxPan, kMaxPan}}};
    moved = read_numbers("--pan", pan, bounds, "X,Y in points of the square, right and down");
  }
  const glm::dvec2 field{width, height};
  const glm::dvec2 size = field / factor;
  return view_of_part({field / 2.0 - size / 2.0 + glm::dvec2{moved[0], moved[1]}, size}, field);
}

void add_life_view_options(CLI::App& command, LifeViewOptions& options) {
  add_text(command, "--region", options.region, "NUMBERS",
           "Life: visible part of the square, X,Y,X2,Y2 in points (the whole square by default)")
      .expected(1, 4);
  add_text(command, "--zoom", options.zoom, "FACTOR", "Life: magnification about the middle of the square");
  add_text(command, "--pan", options.pan, "NUMBERS",
           "Life: shift of the view to the right and down, X,Y in points of the square")
      .expected(1, 2);
}

}  // namespace loom::app
