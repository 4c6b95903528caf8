#include "app/shell/kept_settings.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/bench/json_document.h"
#include "app/bench/json_reader.h"
#include "app/files/folder_lock.h"
#include "app/files/state_folder.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "fractal-loom settings";
constexpr std::uint64_t kMostBytes = 1 << 16;
constexpr int kLeastSide = 64;
constexpr int kMostWindowSide = 16384;
constexpr double kLeastScale = static_cast<double>(kMinUiPixels / kMaxUiPixels);
constexpr double kMostScale = static_cast<double>(kMaxUiPixels / kMinUiPixels);

KeptSettings read_or_set_aside(const std::filesystem::path& file, std::string& problem) {
  try {
    const auto text = kept_text(file, kMostBytes);
    return text ? read_kept_settings(*text) : KeptSettings{};
  } catch (const InputError& error) {
    problem = fmt::format("Settings could not be read ({}). The file was kept as {}.", error.what(),
                          set_aside(file).string());
    return {};
  }
}

}  // namespace

std::string text_of(const KeptSettings& settings) {
  Json json{{"format", kFormat}};
  if (settings.palette) json["palette"] = *settings.palette;
  if (settings.text_scale) json["text_scale"] = *settings.text_scale;
  if (settings.window) json["window"] = {settings.window->width, settings.window->height};
  if (settings.show_timing) json["show_timing"] = *settings.show_timing;
  if (settings.all_figures) json["all_figures"] = *settings.all_figures;
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

KeptSettings read_kept_settings(std::string_view text) {
  const Json document = bench::parse_json(text, {});
  const bool is_one = document.is_object() && document.contains("format") && document["format"] == kFormat;
  if (!is_one) throw InputError("not a settings file of Fractal Loom");
  const bench::JsonReader json(document, "settings");
  KeptSettings settings;
  if (json.has("palette")) settings.palette = json.text("palette");
  if (json.has("text_scale")) {
    settings.text_scale = json.number("text_scale");
    if (*settings.text_scale < kLeastScale || *settings.text_scale > kMostScale)
      throw InputError("settings.text_scale is out of range");
  }
  if (json.has("window")) {
    const Json& sides = json.array("window");
    const auto is_side = [](const Json& one) {
      return one.is_number_unsigned() && one.get<std::uint64_t>() >= kLeastSide &&
             one.get<std::uint64_t>() <= kMostWindowSide;
    };
    if (sides.size() != 2 || !is_side(sides[0]) || !is_side(sides[1]))
      throw InputError("settings.window is not two pixel counts");
    settings.window = render::Extent{sides[0].get<int>(), sides[1].get<int>()};
  }
  if (json.has("show_timing")) settings.show_timing = json.yes_no("show_timing");
  if (json.has("all_figures")) settings.all_figures = json.yes_no("all_figures");
  return settings;
}

std::optional<std::filesystem::path> settings_file() {
  const auto folder = config_folder();
  if (!folder) return std::nullopt;
  return *folder / "settings.json";
}

KeptSettings load_settings(std::string& problem) {
  const auto file = settings_file();
  if (!file) return {};
  const FolderLock lock(file->parent_path());  // what is set aside is what was read
  return read_or_set_aside(*file, problem);
}

void keep_settings(const KeptSettings& before, const KeptSettings& now) {
  const auto file = settings_file();
  if (!file) return;
  std::error_code failure;
  std::filesystem::create_directories(file->parent_path(), failure);
  const FolderLock lock(file->parent_path());
  std::string problem;
  KeptSettings all = read_or_set_aside(*file, problem);
  const auto keep = [&](auto member) {
    if (now.*member != before.*member || !(all.*member)) all.*member = now.*member;
  };
  keep(&KeptSettings::palette);
  keep(&KeptSettings::text_scale);
  keep(&KeptSettings::window);
  keep(&KeptSettings::show_timing);
  keep(&KeptSettings::all_figures);
  try {
    keep_text(*file, text_of(all));
  } catch (const std::exception&) {  // settings that are not kept are no reason to stop
  }
}

}  // namespace loom::app
