#include "app/cli/picture_options.h"

#include <fmt/format.h>

#include <charconv>

#include "app/cli/read_number.h"
#include "app/life/scene/setting_steps.h"
#include "render/palette.h"

namespace loom::app {
namespace {

constexpr int kMaxSide = 16384;

bool read_side(std::string_view text, int& side) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  return error == std::errc() && end == text.data() + text.size() && side >= 1 && side <= kMaxSide;
}

}  // namespace

render::Extent PictureOptions::extent() const {
  render::Extent result;
  const auto cross = size.find('x');
  if (cross == std::string::npos || !read_side(std::string_view(size).substr(0, cross), result.width) ||
      !read_side(std::string_view(size).substr(cross + 1), result.height)) {
    throw bad_value("--size", size, fmt::format("WIDTHxHEIGHT with sides from 1 to {}", kMaxSide));
  }
  return result;
}

std::optional<float> PictureOptions::scale() const {
  if (!ui_scale) return std::nullopt;
  return static_cast<float>(read_real_number("--ui-scale", *ui_scale,
                                             static_cast<double>(kMinUiPixels / kDefaultUiPixels),
                                             static_cast<double>(kMaxUiPixels / kDefaultUiPixels)));
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  command.add_option("--size", options.size, "Size of the window or picture in pixels")
      ->type_name("WxH")
      ->capture_default_str();
  command
      .add_option("--ui-scale", options.ui_scale, "Size of the text: 1 is 16 pixels, 1.75 suits a projector")
      ->type_name("FACTOR");
}

void choose_palette(ShellSettings& settings, const std::optional<std::string>& name) {
  if (!name) return;
  std::string names;
  for (const render::Palette& palette : render::palettes()) {
    if (palette.name == *name) {
      settings.palette = *name;
      return;
    }
    names += (names.empty() ? "" : ", ") + palette.name;
  }
  throw bad_value("--palette", *name, names);
}

}  // namespace loom::app
