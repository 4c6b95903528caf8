#include "app/cli/options/picture_options.h"

#include "app/cli/options/read_number.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "compute/core/named_choice.h"
#include "render/palette.h"

namespace loom::app {

glm::ivec2 PictureOptions::extent(std::uint32_t most) const {
  const ImageSides sides = read_sides("--size", size, most, allowed_sides(most));
  return {static_cast<int>(sides.x), static_cast<int>(sides.y)};
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
  command.add_option("--size", options.size, "Size of the window or image in pixels")
      ->type_name("WxH")
      ->capture_default_str();
}

void add_appearance_options(CLI::App& command, PictureOptions& options) {
  command.add_option("--ui-scale", options.ui_scale, "Text size: 1 is 16 pixels, 1.75 suits a projector")
      ->type_name("FACTOR");
  command.add_option("--theme", options.theme, "Colours of the window: dark (default) or light")
      ->type_name("THEME");
}

void choose_palette(ShellSettings& settings, MandelbrotSettings& mandelbrot,
                    const std::optional<std::string>& name) {
  if (!name) return;
  if (find_palette(settings.custom_palettes, *name) != nullptr) {
    settings.palette = mandelbrot.palette = *name;
    return;
  }
  if (has_palette_extension(*name)) {
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

}  // namespace loom::app
