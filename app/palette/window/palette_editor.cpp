#include "app/palette/window/palette_editor.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/files/file_kind.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kPaletteTitle = "Palette";
constexpr float kPaletteWidth = 24;      // font sizes
constexpr std::size_t kMaxHandles = 40;  // more would be too narrow to grab
constexpr std::size_t kThinned = 12;
constexpr int kMaxOfSlider = 1024;

const std::vector<std::string>& palette_extensions() {
  static const std::vector<std::string> extensions = extensions_of(FileKind::kPalette);
  return extensions;
}

bool colour_edit(const char* id, glm::u8vec3& colour) {
  glm::vec3 parts = glm::vec3(colour) / 255.0f;
  if (!ImGui::ColorEdit3(id, glm::value_ptr(parts),
                         ImGuiColorEditFlags_NoLabel | ImGuiColorEditFlags_DisplayHex))
    return false;
  colour = glm::u8vec3(glm::round(255.0f * glm::clamp(parts, 0.0f, 1.0f)));
  return true;
}

}  // namespace

void cycle_row(std::uint32_t& cycle, std::string_view disabled_reason) {
  row_label("Cycle");
  ImGui::BeginDisabled(!disabled_reason.empty());
  int value = static_cast<int>(std::min<std::uint32_t>(cycle, kMaxOfSlider));
  const char* const format = cycle == 0 ? "palette used once" : "%d dwells";
  if (slider("##cycle", &value, 0, kMaxOfSlider, format,
             ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic)) {
    cycle = static_cast<std::uint32_t>(value);
  }
  ImGui::EndDisabled();
  tooltip(disabled_reason.empty()
              ? "Dwells per turn of the palette. At 0, the palette spans the dwells of the "
                "picture once, on a logarithmic scale"
              : disabled_reason);
}

PaletteEditor::PaletteEditor()
    : browser_(
          {.open = "Open a palette", .save = "", .nothing = "No .gpl, .map or .cpt files in this folder"}) {}

nlohmann::ordered_json PaletteEditor::state() const {
  if (!open_) return nullptr;
  nlohmann::ordered_json json{{"problem", problem_},
                              {"browser", browser_.is_open()},
                              {"file", browser_.name()},
                              {"refused", browser_.problem()},
                              {"places", numbers_of(areas_)}};
  if (browser_.is_open()) {
    for (const auto& [what, place] : browser_.areas()) json["places"]["browser " + what] = numbers_of(place);
  }
  return json;
}

// A built-in palette never changes: editing it creates a custom palette.
void PaletteEditor::take(ShellSettings& shell, std::string& name, render::PaletteSpec recipe) {
  try {
    if (!is_custom(shell.custom_palettes, name))
      recipe.name = free_name(shell.custom_palettes, "my " + recipe.name);
    shell.custom_palettes = with_palette(shell.custom_palettes, recipe);
    name = recipe.name;
    problem_.clear();
  } catch (const InputError& error) {
    problem_ = error.what();
  }
}

// The colours with the stops below them. Returns true if a stop was changed.
bool PaletteEditor::stop_strip(render::PaletteSpec& recipe) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float bar = theme::grid(6);
  const float handle = theme::grid(2);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  render::PaletteSpec plain = recipe;
  plain.reversed = false;
  plain.offset = 0;
  const render::Palette made = render::make_palette(plain);
  ImGui::InvisibleButton("##strip", {width, bar + 2.4f * handle});
  areas_["strip"] = {at, {width, bar}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_colours(list, recipe.cyclic ? made.cycle : made.ramp, at, {width, bar});
  const bool few = recipe.stops.size() <= kMaxHandles;
  const auto x_of = [&](const render::PaletteStop& stop) {
    return at.x + static_cast<float>(stop.at) * width;
  };
  bool changed = false;
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  const double place = std::clamp(static_cast<double>((mouse.x - at.x) / width), 0.0, 1.0);
  if (few && ImGui::IsItemActivated()) {
    const auto nearest = std::ranges::min_element(
        recipe.stops, {}, [&](const render::PaletteStop& stop) { return std::abs(x_of(stop) - mouse.x); });
    if (std::abs(x_of(*nearest) - mouse.x) <= 1.2f * handle) {
      selected_ = static_cast<std::size_t>(nearest - recipe.stops.begin());
      dragging_ = true;
    } else if (recipe.stops.size() < kMaxHandles) {
      const auto index = static_cast<std::size_t>(std::lround(255 * place));
      const auto after = std::ranges::upper_bound(recipe.stops, place, {}, &render::PaletteStop::at);
      const glm::u8vec3 colour = (recipe.cyclic ? made.cycle : made.ramp)[index];
      selected_ = static_cast<std::size_t>(after - recipe.stops.begin());  // its index after the insertion
      recipe.stops.insert(after, {place, colour});
      changed = dragging_ = true;
    }
  }
  if (!ImGui::IsItemActive()) dragging_ = false;
  if (few && dragging_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
    // Stops stay in order.
    const double low = selected_ == 0 ? 0 : recipe.stops[selected_ - 1].at;
    const double high = selected_ + 1 == recipe.stops.size() ? 1 : recipe.stops[selected_ + 1].at;
    recipe.stops[selected_].at = std::clamp(place, low, high);
    changed = true;
  }
  if (!few) return changed;
  for (std::size_t i = 0; i < recipe.stops.size(); ++i) {
    const float x = x_of(recipe.stops[i]);
    const float top = at.y + bar;
    const glm::vec2 tip{x, top};
    const glm::vec2 left{x - handle, top + 2 * handle};
    const glm::vec2 right{x + handle, top + 2 * handle};
    list.AddTriangleFilled(tip, right, left, theme::packed(recipe.stops[i].colour));
    list.AddTriangle(tip, right, left,
                     i == selected_ ? theme::colours().ring : ImGui::GetColorU32(ImGuiCol_Text),
                     i == selected_ ? 2.0f : 1.0f);
  }
  return changed;
}

bool PaletteEditor::stop_rows(render::PaletteSpec& recipe) {
  if (recipe.stops.size() > kMaxHandles) {
    note(format_text("{} colours are too many to edit", recipe.stops.size()));
    const bool thin = choice_button("Reduce to 12 stops", false, remaining_width());
    areas_["thin"] = item_area();
    if (thin) reduce_stops(recipe, kThinned);
    return thin;
  }
  selected_ = std::min(selected_, recipe.stops.size() - 1);
  bool changed = false;
  row_label("Stop");
  ImGui::PushID(static_cast<int>(selected_));
  changed |= colour_edit("##stop", recipe.stops[selected_].colour);
  ImGui::PopID();
  areas_["stop"] = item_area();
  row_label("at");
  ImGui::TextUnformatted(format_text("{:.3f}", recipe.stops[selected_].at).c_str());
  ImGui::SameLine();
  const float half = equal_width(2);
  const bool last_two = recipe.stops.size() == 2;
  if (choice_button("Remove", false, half, last_two ? "A palette needs at least two stops" : "",
                    "Removes this stop")) {
    recipe.stops.erase(recipe.stops.begin() + static_cast<std::ptrdiff_t>(selected_));
    selected_ = std::min(selected_, recipe.stops.size() - 1);
    changed = true;
  }
  areas_["remove"] = item_area();
  ImGui::SameLine();
  if (choice_button("Distribute", false, remaining_width(), {}, "Spaces all stops equally")) {
    const double steps = static_cast<double>(recipe.stops.size()) - (recipe.cyclic ? 0 : 1);
    for (std::size_t i = 0; i < recipe.stops.size(); ++i) recipe.stops[i].at = static_cast<double>(i) / steps;
    changed = true;
  }
  areas_["even"] = item_area();
  return changed;
}

bool PaletteEditor::whole_rows(render::PaletteSpec& recipe) {
  bool changed = false;
  row_label("Palette");
  changed |= ImGui::Checkbox("Reversed", &recipe.reversed);
  areas_["reversed"] = item_area();
  ImGui::SameLine();
  changed |= ImGui::Checkbox("Cyclic", &recipe.cyclic);
  areas_["cyclic"] = item_area();
  tooltip(
      "After the last stop, the palette continues with the first. A scale with two ends, as in Life, uses "
      "half a turn. A palette that is not cyclic runs forth and back where it repeats");
  row_label("Offset");
  auto offset = static_cast<float>(recipe.offset);
  if (slider("##offset", &offset, 0, 1, "%.3f of a turn", ImGuiSliderFlags_AlwaysClamp)) {
    recipe.offset = static_cast<double>(offset);
    changed = true;
  }
  areas_["offset"] = item_area();
  tooltip("Start of the cycle. It has an effect only where the palette repeats");
  row_label("Holes");
  changed |= colour_edit("##hole", recipe.hole);
  tooltip("Colour of the holes of a fractal and of the interior of the Mandelbrot set");
  row_label("Outside");
  changed |= colour_edit("##outside", recipe.outside);
  return changed;
}

void PaletteEditor::import_file(ShellSettings& shell, std::string& name) {
  browser_.show([&](const std::filesystem::path& file) {
    render::PaletteSpec recipe = recipe_of(read_palette_file(file));
    recipe.name = free_name(shell.custom_palettes, recipe.name);
    shell.custom_palettes = with_palette(shell.custom_palettes, recipe);
    name = recipe.name;
    problem_.clear();
  });
}

void PaletteEditor::file_row(ShellSettings& shell, std::string& name) {
  const float third = equal_width(3);
  if (choice_button("Import...", false, third, {},
                    "Imports a palette of GIMP (.gpl), Fractint (.map) or GMT (.cpt)")) {
    browser_.open(scene::FileBrowser::Mode::kOpen, "", palette_extensions());
  }
  areas_["import"] = item_area();
  ImGui::SameLine();
  const bool custom = is_custom(shell.custom_palettes, name);
  if (choice_button("Delete", false, third, custom ? "" : "Built-in palettes cannot be deleted",
                    "Deletes this palette. Ctrl Z restores it")) {
    shell.custom_palettes = without_palette(shell.custom_palettes, name);
    name = render::palettes().front().name;
    selected_ = 0;
  }
  areas_["delete"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close", false, remaining_width(), {}, "Esc")) ImGui::CloseCurrentPopup();
  areas_["close"] = item_area();
}

void PaletteEditor::show(ShellEdit& edit, std::string& name, std::uint32_t* cycle) {
  areas_.clear();
  if (std::exchange(begin_, false)) {
    ImGui::OpenPopup(kPaletteTitle);
    selected_ = 0;
    problem_.clear();
    typed_.reset();
  }
  const float font = ImGui::GetFontSize();
  const glm::vec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({theme::grid(2), display.y * 0.5f}, ImGuiCond_Always, {0, 0.5f});
  ImGui::SetNextWindowSize({std::min(kPaletteWidth * font, display.x * 0.96f), 0});
  open_ = ImGui::BeginPopupModal(kPaletteTitle, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  // The picture is not dimmed, because its colours are being edited. ImGui dims it at the end of the frame.
  float& dim = ImGui::GetStyle().Colors[ImGuiCol_ModalWindowDimBg].w;
  if (!dim_) dim_ = dim;
  dim = open_ ? 0 : *std::exchange(dim_, std::nullopt);
  if (!open_) return;
  theme::push_on_raised();
  ShellSettings& shell = edit.settings;
  render::PaletteSpec recipe = recipe_or_first(shell.custom_palettes, name);
  row_label("Name");
  std::string typed = typed_.value_or(recipe.name);
  const bool custom = is_custom(shell.custom_palettes, name);
  ImGui::BeginDisabled(!custom);
  if (ImGui::InputText("##palette name", &typed)) typed_ = typed;
  areas_["name"] = item_area();
  if (ImGui::IsItemDeactivated() && typed_) {
    const std::string preferred_name = std::exchange(typed_, std::nullopt)->substr(0, 64);
    if (!preferred_name.empty() && preferred_name != name) {
      recipe.name = free_name(shell.custom_palettes, preferred_name);
      shell.custom_palettes = with_palette(without_palette(shell.custom_palettes, name), recipe);
      name = recipe.name;
    }
  }
  ImGui::EndDisabled();
  if (!custom) tooltip("Built-in palette. Editing it creates a custom palette");
  bool changed = stop_strip(recipe);
  changed |= stop_rows(recipe);
  changed |= whole_rows(recipe);
  if (changed) take(shell, name, recipe);
  if (cycle != nullptr) cycle_row(*cycle, {});
  file_row(shell, name);
  if (!problem_.empty()) warning(problem_);
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl && !io.WantTextInput && !browser_.is_open()) {
    if (imgui_compat::is_pressed(GLFW_KEY_Z)) edit.commands.undo = true;
    if (imgui_compat::is_pressed(GLFW_KEY_Y)) edit.commands.redo = true;
  }
  import_file(shell, name);
  end_dialog(areas_);
}

namespace {

void palette_item(const render::Palette& palette, std::string& name) {
  const float height = ImGui::GetTextLineHeight();
  ImGui::PushID(palette.name.c_str());
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  // A list is as wide as its longest name.
  const float width = height * 5.6f + text_width(palette.name);
  if (ImGui::Selectable("##pick", palette.name == name, 0, {std::max(width, remaining_width()), 0}))
    name = palette.name;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool cyclic = palette.group == render::PaletteGroup::kCyclic;
  draw_colours(list, cyclic ? palette.cycle : palette.ramp, at, {height * 5, height});
  list.AddText({at.x + height * 5.6f, at.y}, ImGui::GetColorU32(ImGuiCol_Text), palette.name.c_str());
  ImGui::PopID();
}

}  // namespace

void palette_choice(ShellSettings& shell, std::string& name, PaletteEditor& editor) {
  row_label("Palette");
  const float edit = button_width("Edit");
  ImGui::SetNextItemWidth(remaining_width() - edit - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::BeginCombo("##palette", name.c_str(), ImGuiComboFlags_HeightLargest)) {
    for (const render::PaletteGroup group : render::kPaletteGroups) {
      const bool custom = group == render::PaletteGroup::kCustom;
      if (custom && !shell.custom_palettes) continue;
      note(label_of(group));
      if (custom) {
        for (const CustomPalette& one : *shell.custom_palettes) palette_item(one.palette, name);
        continue;
      }
      for (const render::Palette& palette : render::palettes()) {
        if (palette.group == group) palette_item(palette, name);
      }
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  if (choice_button("Edit", false, edit, {}, "Edits this palette, or imports one from GIMP, Fractint or GMT"))
    editor.open();
  editor.button = item_area();
}

PaletteAutosave::PaletteAutosave() {
  if (auto folder = palettes_folder()) folder_.emplace(std::move(*folder));
}

CustomPalettes PaletteAutosave::load() {
  if (!folder_) return nullptr;
  PaletteFolder::Read read = folder_->read();
  problem_ = std::move(read.problem);
  return last_requested_ = std::move(read.palettes);
}

void PaletteAutosave::start(const CustomPalettes& now) {
  last_requested_ = now;
  // Never cancelled: it is the only copy of the palettes.
  task_.start([this, now](ProgressMonitor&) {
    folder_->save(now);
    return std::monostate();
  });
}

void PaletteAutosave::take_outcome(const Task<std::monostate>::Outcome& outcome) {
  failed_ = !outcome.result;
  problem_ = failed_ ? fmt::format("Custom palettes could not be saved: {}", outcome.problem) : "";
}

void PaletteAutosave::save(const CustomPalettes& now) {
  if (const auto outcome = task_.poll()) take_outcome(*outcome);
  if (folder_ && now != last_requested_ && !task_.running()) start(now);
}

void PaletteAutosave::exclude(const CustomPalettes& with_options) {
  if (folder_) folder_->exclude(with_options);
  last_requested_ = with_options;
}

std::string PaletteAutosave::finish(const CustomPalettes& now) {
  if (!folder_) return {};
  if (const auto outcome = task_.wait()) take_outcome(*outcome);
  if (now == last_requested_ && !failed_) return {};
  start(now);
  const auto outcome = task_.wait();
  failed_ = !outcome->result;
  return outcome->problem;
}

std::string PaletteAutosave::take_problem() {
  if (const auto outcome = task_.poll()) take_outcome(*outcome);
  return std::exchange(problem_, {});
}

}  // namespace loom::app
