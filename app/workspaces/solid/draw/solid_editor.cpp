#include "app/workspaces/solid/draw/solid_editor.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/files/new_file.h"
#include "app/files/output_file.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/dialog.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"
#include "app/widgets/texture_image.h"
#include "app/workspaces/solid/scene/solid_camera.h"
#include "app/workspaces/solid/scene/solid_colours.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/backend/solid_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kSolidEditorTitle = "Fractal editor (3-D)";
constexpr float kSolidEditorWidth = 44;  // font sizes
constexpr int kPreviewLevel = 2;

std::filesystem::path current_folder() {
  std::error_code failure;
  auto here = std::filesystem::current_path(failure);
  return failure ? std::filesystem::path("/") : here;
}

const std::vector<std::string>& solid_endings() {
  static const std::vector<std::string> extensions = {".toml"};
  return extensions;
}

}  // namespace

SolidEditor::SolidEditor()
    : browser_({.open = "Open fractal", .save = "Save fractal", .nothing = "No TOML files in this folder"}) {}

void SolidEditor::open(const SolidFractal& runs) {
  begin_ = true;
  file_message_.clear();
  if (active_fractal_ == runs) return;
  active_fractal_ = source_ = runs;
  rule_.reset();
  draft_ = draft_of(runs);
  undo_.clear();
  redo_.clear();
}

// An unchanged draft keeps the numbering of its source.
std::optional<SolidFractal> SolidEditor::fractal() const {
  if (source_ && draft_of(*source_) == draft_) return source_;
  try {
    return fractal_of(draft_);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void SolidEditor::note_step(const SolidDraft& before) {
  if (before == draft_) return;
  undo_.push_back(before);
  redo_.clear();
  file_message_.clear();
}

void SolidEditor::slices(float side) {
  const Coord3 scale = draft_.scale;
  const float cell = std::floor(side / static_cast<float>(std::max(scale.x, scale.y)));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 on = ImGui::ColorConvertFloat4ToU32(theme::colours().accent);
  const ImU32 off = ImGui::ColorConvertFloat4ToU32(theme::colours().background);
  bool painting = false;
  for (std::uint32_t z = 0; z < scale.z; ++z) {
    if (z > 0) ImGui::SameLine();
    ImGui::BeginGroup();
    note(format_text("slice z = {}{}", z, z == 0 ? " (front)" : ""));
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(z));
    ImGui::InvisibleButton("##slice", {side, side});
    places_[fmt::format("slice{}", z)] = {at, cell * glm::vec2(scale.x, scale.y)};
    const glm::ivec2 pointed(glm::floor((glm::vec2(ImGui::GetIO().MousePos) - at) / cell));
    const bool within = render::Rect<int>{{}, {scale.x, scale.y}}.contains(pointed);
    const Coord3 offset{static_cast<std::uint32_t>(pointed.x), static_cast<std::uint32_t>(pointed.y), z};
    if (ImGui::IsItemActivated() && within) {
      before_stroke_ = draft_;
      stroke_on_ = !draft_.at(offset);
    }
    painting = painting || ImGui::IsItemActive();
    if (before_stroke_ && ImGui::IsItemActive() && within) draft_.set(offset, stroke_on_);
    for (std::uint32_t y = 0; y < scale.y; ++y) {
      for (std::uint32_t x = 0; x < scale.x; ++x) {
        const glm::vec2 low = at + cell * glm::vec2(x, y);
        list.AddRectFilled(low + 1.0f, low + cell - 1.0f, draft_.at({x, y, z}) ? on : off);
      }
    }
    if (within && ImGui::IsItemHovered()) {
      const glm::vec2 low = at + cell * glm::vec2(pointed);
      list.AddRect(low, low + cell, theme::overlay(theme::in_force() == Theme::kLight).hovered);
    }
    ImGui::PopID();
    ImGui::EndGroup();
  }
  if (before_stroke_ && !painting) note_step(*std::exchange(before_stroke_, std::nullopt));
}

void SolidEditor::rows() {
  row_label("Name");
  ImGui::SetNextItemWidth(remaining_width());
  ImGui::InputText("##name", &draft_.name);
  places_["name"] = item_area();
  struct Side {
    const char* label;
    std::uint32_t Coord3::*length;
    const char* place;
  };
  static constexpr Side kSides[] = {
      {"Columns s_x", &Coord3::x, "x"}, {"Rows s_y", &Coord3::y, "y"}, {"Slices s_z", &Coord3::z, "z"}};
  for (const Side& side : kSides) {
    row_label(side.label);
    const float width = equal_width(static_cast<int>(kMaxSolidScale));
    for (std::uint32_t length = 1; length <= kMaxSolidScale; ++length) {
      if (length > 1) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
      ImGui::PushID(side.place);
      if (choice_button(format_text("{}", length).c_str(), draft_.scale.*side.length == length, width)) {
        const SolidDraft before = draft_;
        Coord3 scale = draft_.scale;
        scale.*side.length = length;
        draft_.set_scale(scale);
        note_step(before);
      }
      places_[fmt::format("{}{}", side.place, length)] = item_area();
      ImGui::PopID();
    }
  }
  row_label("Start from");
  ImGui::SetNextItemWidth(remaining_width());
  if (!ImGui::BeginCombo("##catalogue", "preset ...", ImGuiComboFlags_HeightLargest)) return;
  for (const SolidFractal& fractal : solid_catalog()) {
    if (!ImGui::Selectable(fractal.name().c_str())) continue;
    const SolidDraft before = std::exchange(draft_, draft_of(fractal));
    source_ = fractal;
    note_step(before);
  }
  ImGui::EndCombo();
}

// A level that fits in some thousand cells: it is traced within a frame.
void SolidEditor::preview(float side, const render::Palette& palette) {
  const auto pixels = std::max(static_cast<int>(side), 1);
  if (previewed_ != draft_) {
    previewed_ = draft_;
    std::vector<std::uint32_t> colours(static_cast<std::size_t>(pixels) * static_cast<std::size_t>(pixels),
                                       0);
    if (const auto drawn = fractal()) {
      const SolidSettings settings{
          .config = {.fractal = *drawn, .level = kPreviewLevel, .tile_size = 1, .method = {}}};
      const auto engine = make_solid_engine(settings.config, {});
      const render::SolidColours table = solid_colours(palette, SolidColouring::kState);
      SolidImage image;
      engine->trace(view_of(settings, {}, {pixels, pixels}), image);
      for (std::size_t i = 0; i < colours.size(); ++i)
        colours[i] = theme::packed(colour_of_pixel(table, image.pixels[i]));
    }
    texture_.upload({pixels, pixels}, colours);
  }
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({side, side});
  draw_texture(*ImGui::GetWindowDrawList(), texture_, {at, {side, side}});
  tooltip("Level 2");
}

void SolidEditor::files(SolidRule runs) {
  const auto file = browser_.show();
  if (!file) return;
  try {
    if (browser_.what() == scene::FileBrowser::Mode::kOpen) {
      auto opened = read_solid_file(*file);
      if (!opened) {
        throw InputError("this is no file of a three-dimensional fractal; allowed: a TOML file with s_z");
      }
      const SolidDraft before = std::exchange(draft_, draft_of(opened->fractal));
      source_ = opened->fractal;
      rule_ = opened->rule;
      note_step(before);
    } else if (const auto drawn = fractal(); drawn && !task_.running()) {
      // Not cancellable: the file has only a few kilobytes.
      task_.start([file = *file, text = fractal_text({*drawn, rule_.value_or(runs)})](ProgressMonitor&) {
        write_file(file, text);
        return "Saved " + file.string();
      });
    }
    browser_.close();
  } catch (const InputError& error) {
    browser_.show_problem(error.what());
  }
}

void SolidEditor::take() {
  const auto outcome = task_.poll();
  if (!outcome) return;
  file_message_ = outcome->result.value_or(outcome->problem);
  file_failed_ = !outcome->result;
}

std::optional<SolidFile> SolidEditor::show(const render::Palette& palette, SolidRule runs) {
  take();
  places_.clear();
  open_ = begin_dialog(kSolidEditorTitle, begin_, kSolidEditorWidth, 0.03f);
  if (!open_) return std::nullopt;
  const glm::vec2 display = ImGui::GetIO().DisplaySize;
  const float font = ImGui::GetFontSize();
  const float slice = std::floor(std::min({9.4f * font, display.y * 0.24f, remaining_width() / 4.6f}));
  const float picture = std::floor(std::min(11 * font, display.y * 0.28f));
  slices(slice);
  if (ImGui::BeginTable("##parts", 2)) {
    ImGui::TableSetupColumn("##preview", ImGuiTableColumnFlags_WidthFixed, picture);
    ImGui::TableSetupColumn("##rows", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableNextColumn();
    preview(picture, palette);
    ImGui::TableNextColumn();
    rows();
    ImGui::EndTable();
  }
  problem_.clear();
  try {
    const SolidFractal drawn = fractal_of(draft_);
    note(format_text("k = {}, s = {} × {} × {}, dimension {:.3f}, {} of the cube at level {}",
                     drawn.shape().k, draft_.scale.x, draft_.scale.y, draft_.scale.z, drawn.dimension(),
                     format_percent(drawn.filled_share(kPreviewLevel)), kPreviewLevel));
  } catch (const InputError& error) {
    problem_ = error.what();
    warning(problem_);
  }
  std::optional<SolidFile> used;
  const float part = equal_width(6);
  if (choice_button("Apply", false, part, problem_, "Runs the fractal. Ctrl Z in the window goes back")) {
    active_fractal_ = fractal();
    if (active_fractal_) used = SolidFile{*active_fractal_, std::exchange(rule_, std::nullopt)};
    ImGui::CloseCurrentPopup();
  }
  places_["use"] = item_area();
  const auto step = [&](const char* label, std::vector<SolidDraft>& from, std::vector<SolidDraft>& to,
                        const char* nothing) {
    ImGui::SameLine();
    if (choice_button(label, false, part, from.empty() ? nothing : "")) {
      to.push_back(std::exchange(draft_, from.back()));
      from.pop_back();
    }
    places_[label] = item_area();
  };
  step("Undo", undo_, redo_, "Nothing to undo");
  step("Redo", redo_, undo_, "Nothing to redo");
  ImGui::SameLine();
  const std::string_view problem = task_.running() ? std::string_view("The file is being written") : problem_;
  if (choice_button("Save ...", false, part, problem,
                    "Saves a TOML file for --fractal-file, including the rule")) {
    browser_.open(scene::FileBrowser::Mode::kSave, current_folder(), plain_file_name(draft_.name) + ".toml",
                  solid_endings());
  }
  places_["save"] = item_area();
  ImGui::SameLine();
  if (choice_button("Open ...", false, part, {}, "Opens a fractal from a TOML file"))
    browser_.open(scene::FileBrowser::Mode::kOpen, current_folder(), "", solid_endings());
  places_["open"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close", false, remaining_width(), {}, "Closes the editor. Your drawing is kept"))
    close_ = true;
  places_["close"] = item_area();
  if (!file_message_.empty()) file_failed_ ? warning(file_message_) : note(file_message_);
  files(runs);
  if (std::exchange(close_, false)) ImGui::CloseCurrentPopup();
  end_dialog(places_);
  return used;
}

}  // namespace loom::app
