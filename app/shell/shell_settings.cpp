#include "app/shell/shell_settings.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/json_document.h"
#include "app/files/json_reader.h"
#include "app/files/state_folder.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {

void choose_device(ShellSettings& settings, const Device& device) {
  settings.backend = choice_of(device.kind);
  if (settings.backend == BackendChoice::kCuda) settings.device = device.ordinal;
}

void set_ui_pixels(ShellSettings& settings, float pixels) {
  settings.ui_pixels = std::round(std::clamp(pixels, kMinUiPixels, kMaxUiPixels));
}

std::string_view default_palette(Theme theme) {
  return theme == Theme::kLight ? "paper" : "cividis";
}

void choose_theme(ShellSettings& settings, Theme theme) {
  const auto follow = [&](std::string& palette) {
    if (palette == default_palette(settings.theme)) palette = default_palette(theme);
  };
  const bool shows_scene = settings.scene_palette && settings.scene_palette->shown == settings.palette;
  if (shows_scene) follow(settings.scene_palette->own);
  follow(settings.palette);
  if (shows_scene) settings.scene_palette->shown = settings.palette;
  settings.theme = theme;
}

void show_palette(ShellSettings& settings, const std::string& palette) {
  if (palette == settings.palette) return;
  settings.scene_palette = ScenePalette{palette, own_palette(settings)};
  settings.palette = palette;
}

const std::string& own_palette(const ShellSettings& settings) {
  const auto& scene = settings.scene_palette;
  return scene && scene->shown == settings.palette ? scene->own : settings.palette;
}

void show_timing(ShellSettings& settings) {
  if (!settings.show_timing && !settings.chosen_timing) settings.chosen_timing = false;
  settings.show_timing = true;
}

void open_metrics(ShellSettings& settings) {
  show_timing(settings);
  if (!settings.side_tab) return;
  settings.side_tab = SideTab::kMetrics;
  settings.show_side_panel = true;
}

bool shows_metrics(const ShellSettings& settings) {
  const bool in_sight =
      !settings.side_tab || (settings.show_side_panel && *settings.side_tab == SideTab::kMetrics);
  return settings.show_timing && in_sight;
}

void toggle_metrics(ShellSettings& settings) {
  settings.show_timing = !shows_metrics(settings);
  if (!settings.side_tab) return;
  settings.side_tab = settings.show_timing ? SideTab::kMetrics : SideTab::kMain;
  settings.show_side_panel |= settings.show_timing;
}

void keep_choice(ShellSettings& settings, const ShellSettings& before) {
  if (settings.show_timing != before.show_timing && settings.chosen_timing == before.chosen_timing)
    settings.chosen_timing.reset();
}

float text_pixels(const ShellSettings& settings, float window_height) {
  if (!is_lecture_mode(settings)) return settings.ui_pixels;
  // In steps of the grid, so that fonts are not drawn anew for each pixel while a window is resized.
  constexpr float kStep = 4;
  const float scaled = settings.ui_pixels * std::max(window_height / kLectureHeight, 1.0f);
  return std::min(std::max(std::floor(scaled / kStep) * kStep, settings.ui_pixels), kMaxUiPixels);
}

void toggle_lecture_mode(ShellSettings& settings) {
  if (const auto before = std::exchange(settings.outside_lecture, std::nullopt)) {
    settings.ui_pixels = before->ui_pixels;
    settings.show_side_panel = before->show_side_panel;
    settings.show_timing = before->show_timing;
    return;
  }
  settings.outside_lecture = {settings.ui_pixels, settings.show_side_panel, settings.show_timing};
  settings.ui_pixels = std::max(settings.ui_pixels, kLectureUiPixels);
  settings.show_side_panel = settings.show_timing = false;
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "fractal-loom settings";
constexpr std::uint64_t kMaxSettingsBytes = 1 << 16;
constexpr int kMinSide = 64;
constexpr int kMaxWindowSide = 16384;
constexpr double kMinScale = static_cast<double>(kMinUiPixels / kMaxUiPixels);
constexpr double kMostScale = static_cast<double>(kMaxUiPixels / kMinUiPixels);

/// Calls `visit` with the name in the file and the member of each setting.
template <typename Visit>
void for_each_setting(const Visit& visit) {
  visit("palette", &PersistentSettings::palette);
  visit("text_scale", &PersistentSettings::text_scale);
  visit("theme", &PersistentSettings::theme);
  visit("animations", &PersistentSettings::animations);
  visit("window", &PersistentSettings::window);
  visit("show_timing", &PersistentSettings::show_timing);
}

template <typename Value>
Json json_of(const Value& value) {
  return value;
}
Json json_of(Theme theme) {
  return name_of(theme);
}
Json json_of(const glm::ivec2& sides) {
  return {sides.x, sides.y};
}

PersistentSettings read_or_move_aside(const std::filesystem::path& file, std::string& problem) {
  try {
    const auto text = read_state_file(file, kMaxSettingsBytes);
    return text ? read_persistent_settings(*text) : PersistentSettings{};
  } catch (const InputError& error) {
    problem = fmt::format("Settings could not be read ({}). The file was kept as {}.", error.what(),
                          move_aside(file).string());
    return {};
  }
}

}  // namespace

std::string text_of(const PersistentSettings& settings) {
  Json json{{"format", kFormat}};
  for_each_setting([&](const char* name, auto member) {
    if (settings.*member) json[name] = json_of(*(settings.*member));
  });
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

PersistentSettings read_persistent_settings(std::string_view text) {
  const Json document = bench::parse_json(text, {});
  const bool is_one = document.is_object() && document.contains("format") && document["format"] == kFormat;
  if (!is_one) throw InputError("not a settings file of Fractal Loom");
  const JsonReader json(document, "settings");
  PersistentSettings settings;
  if (json.has("palette")) settings.palette = json.text("palette");
  if (json.has("text_scale")) {
    settings.text_scale = json.number("text_scale");
    if (*settings.text_scale < kMinScale || *settings.text_scale > kMostScale)
      throw InputError("settings.text_scale is out of range");
  }
  if (json.has("theme")) settings.theme = parse_choice("settings.theme", json.text("theme"), kThemes);
  if (json.has("animations")) settings.animations = json.yes_no("animations");
  if (json.has("window")) {
    const Json& sides = json.array("window");
    const auto is_side = [](const Json& one) {
      return one.is_number_unsigned() && one.get<std::uint64_t>() >= kMinSide &&
             one.get<std::uint64_t>() <= kMaxWindowSide;
    };
    if (sides.size() != 2 || !is_side(sides[0]) || !is_side(sides[1]))
      throw InputError("settings.window is not two pixel counts");
    settings.window = glm::ivec2{sides[0].get<int>(), sides[1].get<int>()};
  }
  if (json.has("show_timing")) settings.show_timing = json.yes_no("show_timing");
  return settings;
}

std::optional<std::filesystem::path> settings_file() {
  const auto folder = config_folder();
  if (!folder) return std::nullopt;
  return *folder / "settings.json";
}

PersistentSettings load_settings(std::string& problem) {
  const auto file = settings_file();
  if (!file) return {};
  const FolderLock lock(file->parent_path());  // ensures that the file moved aside is the file that was read
  return read_or_move_aside(*file, problem);
}

std::string save_settings(const PersistentSettings& before, const PersistentSettings& now) {
  const auto file = settings_file();
  if (!file || now == before) return {};
  std::error_code failure;
  std::filesystem::create_directories(file->parent_path(), failure);
  const FolderLock lock(file->parent_path());
  std::string problem;
  PersistentSettings all = read_or_move_aside(*file, problem);
  for_each_setting([&](const char*, auto member) {
    if (now.*member != before.*member) all.*member = now.*member;
  });
  try {
    write_state_file(*file, text_of(all));
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

void backend_row(BackendChoice& chosen, const BackendRowInfo& now) {
  row_label("Backend");
  const Text no_cuda = now.cuda.devices.empty() ? format_text("No CUDA device: {}", now.cuda.reason) : Text();
  const auto radio = [&](BackendChoice choice, const char* label, std::string_view disabled_reason,
                         std::string_view hint) {
    const bool selected = chosen == choice;
    Text more = hint;
    if (selected) more.add("\nNow: {} ({})", now.name, now.backend.reason);
    if (choice_radio(label, selected, disabled_reason, more)) chosen = choice;
  };
  radio(BackendChoice::kAuto, "auto", {}, "CUDA if a device is available, otherwise the CPU");
  ImGui::SameLine();
  radio(BackendChoice::kCuda, "CUDA", no_cuda, "The NVIDIA GPU");
  ImGui::SameLine();
  radio(BackendChoice::kCpu, "CPU", {}, now.cpu);
}

std::vector<DeviceCountOption> device_counts(std::size_t there, const Device& device) {
  const bool simulated = device.simulated_devices > 0;
  std::vector<std::size_t> counts = {1, 2};
  if (simulated) counts = {1, 2, 4, 8};
  if (!simulated && there > 2) counts.push_back(there);
  std::vector<DeviceCountOption> choices;
  for (const std::size_t count : counts) {
    const bool all = !simulated && count == there && there > 1;
    choices.push_back({.count = static_cast<std::uint32_t>(count),
                       .label = count == 1 ? "1"
                                : all      ? fmt::format("all {}", count)
                                           : std::to_string(count)});
  }
  return choices;
}

std::string devices_text(std::size_t devices, const Device& device) {
  const char* const many = devices == 1 ? "" : "s";
  if (device.simulated_devices == 0) return fmt::format("{} GPU{}", devices, many);
  return devices == 1 ? "the CPU" : fmt::format("{} simulated devices (CPU)", devices);
}

std::string missing_devices_reason(std::size_t devices, std::size_t there, const Device& device) {
  if (devices <= 1 || devices <= there) return {};
  if (device.simulated_devices == 0 && there == 1)
    return "There is one CUDA device. The CPU backend offers simulated devices";
  return fmt::format("There are only {}", devices_text(there, device));
}

void devices_row(std::span<DeviceCountOption> counts, std::uint32_t& chosen, bool simulated,
                 std::string_view hint) {
  if (simulated) {
    // This label is wider than the label column; the count buttons are narrow enough to follow it.
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Simulated devices (CPU)");
    ImGui::SameLine();
  } else {
    row_label("Devices");
  }
  tooltip(hint);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x / 2;
  const float width = (remaining_width() + gap) / static_cast<float>(counts.size()) - gap;
  for (DeviceCountOption& one : counts) {
    if (&one != counts.data()) ImGui::SameLine(0, gap);
    ImGui::PushID("devices");
    if (choice_button(one.label.c_str(), chosen == one.count, width, one.problem, one.hint))
      chosen = one.count;
    ImGui::PopID();
    one.place = item_area();
  }
}

void text_size_row(TextSizeState& state, ShellSettings& view) {
  if (!state.dragging) state.ui_pixels = view.ui_pixels;
  row_label("Text size");
  slider("##ui", &state.ui_pixels, kMinUiPixels, kMaxUiPixels, "%.0f pixels", ImGuiSliderFlags_AlwaysClamp);
  state.dragging = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) set_ui_pixels(view, state.ui_pixels);
  tooltip("Changes when you release the slider (Ctrl +, Ctrl −)");
}

bool lecture_button(ShellSettings& view, float width) {
  const bool pressed = choice_button(kLectureLabel, is_lecture_mode(view), width, {},
                                     "Lecture mode: large text, side panel and metrics folded (P)");
  if (pressed) toggle_lecture_mode(view);
  return pressed;
}

}  // namespace loom::app
