#include "app/workspaces/life/draw/fractal_editor.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr const char* kEditorTitle = "Fractal editor";

std::uint32_t packed(float share) {
  const glm::vec4 mixed =
      theme::colours().background + (theme::colours().accent - theme::colours().background) * share;
  return theme::packed(glm::u8vec3(glm::round(255.0f * glm::vec3(mixed))));
}

Text scale_text(const GeneratorDraft& draft) {
  return draft.s_x == draft.s_y ? format_text("{}", draft.s_x) : format_text("{} × {}", draft.s_x, draft.s_y);
}

double dimension_of(const GeneratorDraft& draft) {
  const DraftSize all = size_of(draft, static_cast<int>(draft.levels()));
  return 2 * std::log(all.cells) / (std::log(all.width) + std::log(all.height));
}

/// The letter F, which no symmetry of the square maps to itself, in a turned cell.
void draw_orientation(ImDrawList& list, glm::vec2 low, float side, loom::Symmetry symmetry, ImU32 colour) {
  const auto bits = static_cast<unsigned>(symmetry);
  const auto at = [&](float x, float y) {
    if (bits & 1u) std::swap(x, y);
    return low + side * glm::vec2{bits & 2u ? 1 - x : x, bits & 4u ? 1 - y : y};
  };
  const float thickness = std::max(1.5f, side * 0.08f);
  list.AddLine(at(0.36f, 0.22f), at(0.36f, 0.78f), colour, thickness);
  list.AddLine(at(0.36f, 0.22f), at(0.68f, 0.22f), colour, thickness);
  list.AddLine(at(0.36f, 0.48f), at(0.6f, 0.48f), colour, thickness);
}

}  // namespace

std::optional<NbbFractal> FractalEditor::fractal() const {
  if (source_ && source_->name() == draft_.name && has_same_levels(draft_of(*source_), draft_))
    return source_;
  return fractal_of(draft_);
}

void FractalEditor::box(float side) {
  const auto across = static_cast<float>(std::max(draft_.s_x, draft_.s_y));
  const float cell = std::floor(side / across);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("##box", {side, side});
  places_["box"] = {at, cell * glm::vec2(draft_.s_x, draft_.s_y)};
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  const glm::ivec2 pointed(glm::floor((mouse - at) / cell));
  const bool within = render::Rect<int>{{}, {draft_.s_x, draft_.s_y}}.contains(pointed);
  const Coord32 place{static_cast<std::uint32_t>(pointed.x), static_cast<std::uint32_t>(pointed.y)};
  if (ImGui::IsItemActivated() && within && click_ != Click::kPaint) {
    const GeneratorDraft before = draft_;
    if (draft_.at(place.x, place.y) && draft_.s_x == draft_.s_y) {
      turn(draft_, place, click_ == Click::kRotate ? loom::Symmetry::kRotate90 : loom::Symmetry::kMirrorX);
    }
    note_step(before);
  } else if (ImGui::IsItemActivated() && within) {
    before_stroke_ = draft_;
    stroke_on_ = !draft_.at(place.x, place.y);
  }
  if (before_stroke_ && ImGui::IsItemActive() && within) paint(draft_, place, stroke_on_, symmetry_);
  if (before_stroke_ && !ImGui::IsItemActive()) note_step(*std::exchange(before_stroke_, std::nullopt));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 on = ImGui::ColorConvertFloat4ToU32(theme::colours().accent);
  const ImU32 off = ImGui::ColorConvertFloat4ToU32(theme::colours().background);
  const auto corner = [&](std::uint32_t x, std::uint32_t y) { return at + cell * glm::vec2(x, y); };
  const bool turns_shown = click_ != Click::kPaint || draft_.is_turned();
  for (std::uint32_t y = 0; y < draft_.s_y; ++y) {
    for (std::uint32_t x = 0; x < draft_.s_x; ++x) {
      const glm::vec2 low = corner(x, y);
      list.AddRectFilled(low + 1.0f, low + cell - 1.0f, draft_.at(x, y) ? on : off);
      if (turns_shown && draft_.at(x, y)) draw_orientation(list, low, cell, draft_.turn(x, y), off);
    }
  }
  if (!within || !ImGui::IsItemHovered()) return;
  if (click_ != Click::kPaint) {
    const glm::vec2 low = corner(place.x, place.y);
    list.AddRect(low, low + cell, theme::overlay(theme::in_force() == Theme::kLight).hovered);
    return;
  }
  for (const Coord32& with : stroke(draft_, place, symmetry_)) {
    const glm::vec2 low = corner(with.x, with.y);
    list.AddRect(low, low + cell, theme::overlay(theme::in_force() == Theme::kLight).hovered);
  }
}

void FractalEditor::start_row() {
  row_label("Start from");
  if (!ImGui::BeginCombo("##catalogue", "preset ...", ImGuiComboFlags_HeightLargest)) {
    places_["catalogue"] = item_area();
    return;
  }
  for (const NbbFractal& fractal : built_in_fractals()) {
    const float side = ImGui::GetFontSize() * 2;
    ImGui::PushID(fractal.name().c_str());
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##pick", false, 0, {0, side})) {
      const GeneratorDraft before = draft_;
      if (draft_.levels() > 1 && fractal.generators().size() == 1) {
        set_generator(draft_, fractal);  // of the selected level
      } else {
        start_from({fractal});
      }
      note_step(before);
    }
    places_[fractal.name()] = item_area();
    draw_fractal_icon(*ImGui::GetWindowDrawList(), fractal, at, side);
    ImGui::GetWindowDrawList()->AddText({at.x + side * 1.3f, at.y + (side - ImGui::GetFontSize()) / 2},
                                        ImGui::GetColorU32(ImGuiCol_Text), fractal.name().c_str());
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

void FractalEditor::brush_row() {
  row_label("Symmetry");
  if (ImGui::BeginCombo("##brush", name_of(symmetry_))) {
    for (const BrushSymmetry symmetry : kBrushSymmetries) {
      const bool possible = symmetry != BrushSymmetry::kQuarterTurns || draft_.s_x == draft_.s_y;
      ImGui::BeginDisabled(!possible);
      if (ImGui::Selectable(name_of(symmetry), symmetry == symmetry_)) symmetry_ = symmetry;
      ImGui::EndDisabled();
      if (!possible) tooltip("Rotation by 90° needs a square grid");
    }
    ImGui::EndCombo();
  }
  places_["brush"] = item_area();
  tooltip("Each stroke is repeated mirrored or rotated");
}

void FractalEditor::click_row() {
  row_label("Click");
  const std::string_view problem =
      draft_.s_x == draft_.s_y ? "" : "Turning a replica needs as many columns as rows";
  if (!problem.empty()) click_ = Click::kPaint;
  static constexpr std::array kLabels = {"Paint", "Rotate", "Mirror"};
  ButtonRow line(kLabels);
  if (choice_button(kLabels[0], click_ == Click::kPaint, line.next(), {}, "A click adds or removes replicas"))
    click_ = Click::kPaint;
  places_["paint"] = item_area();
  if (choice_button(kLabels[1], click_ == Click::kRotate, line.next(), problem,
                    "A click rotates the content of a replica by 90° clockwise"))
    click_ = Click::kRotate;
  places_["rotate"] = item_area();
  if (choice_button(kLabels[2], click_ == Click::kMirror, line.next(), problem,
                    "A click mirrors the content of a replica left to right"))
    click_ = Click::kMirror;
  places_["mirror"] = item_area();
}

// Thumbnails of the generators, the coarsest level's first. A click selects one, dragging moves it.
void FractalEditor::levels_row() {
  row_label("Levels");
  tooltip("A generator for each level, from the coarsest down");
  const GeneratorDraft before = draft_;
  const float side = ImGui::GetFontSize() * 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 on = ImGui::ColorConvertFloat4ToU32(theme::colours().accent);
  const ImU32 off = ImGui::ColorConvertFloat4ToU32(theme::colours().background);
  const ImU32 mark = theme::overlay(theme::in_force() == Theme::kLight).selection;
  std::optional<std::size_t> selected;
  std::optional<std::pair<int, std::size_t>> moved;
  for (std::size_t i = 0; i < draft_.levels(); ++i) {
    if (i > 0) ImGui::SameLine();
    ImGui::PushID(static_cast<int>(i));
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("##level", {side, side})) selected = i;
    places_[i == 0 ? "level 1" : "level last"] = item_area();
    if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
      const auto from = static_cast<int>(i);
      ImGui::SetDragDropPayload("generator", &from, sizeof(from));
      ImGui::EndDragDropSource();
    }
    if (ImGui::BeginDragDropTarget()) {
      if (const ImGuiPayload* const payload = ImGui::AcceptDragDropPayload("generator"))
        moved = {*static_cast<const int*>(payload->Data), i};
      ImGui::EndDragDropTarget();
    }
    tooltip("Click to edit this level's generator; drag to move it");
    const GeneratorDraft& grid = draft_.level(i);
    const float cell = side / static_cast<float>(std::max(grid.s_x, grid.s_y));
    list.AddRectFilled(at, at + side, off);
    for (std::uint32_t y = 0; y < grid.s_y; ++y) {
      for (std::uint32_t x = 0; x < grid.s_x; ++x) {
        const glm::vec2 low = at + cell * glm::vec2(x, y);
        if (grid.at(x, y)) list.AddRectFilled(low, low + cell - 0.5f, on);
      }
    }
    if (i == draft_.coarser.size() && draft_.levels() > 1)
      list.AddRect(at - 2.0f, at + side + 2.0f, mark, 0, 0, 2);
    ImGui::PopID();
  }
  if (selected) select_level(draft_, *selected);
  if (moved) {
    select_level(draft_, static_cast<std::size_t>(moved->first));
    move_level(draft_, moved->second);
  }
  ImGui::SameLine();
  const bool full = draft_.levels() >= kMaxDraftLevels;
  if (choice_button("+", false, side, full ? "A list has up to 12 generators here" : "",
                    "Adds a generator below the selected one"))
    add_level(draft_);
  places_["add level"] = item_area();
  ImGui::SameLine();
  if (choice_button("−", false, side, draft_.levels() == 1 ? "There is one generator" : "",
                    "Removes the selected generator"))
    remove_level(draft_);
  places_["remove level"] = item_area();
  if (draft_.levels() > 1) {
    ImGui::SameLine();
    if (choice_button("<", false, side, draft_.coarser.empty() ? "It is the coarsest level's" : "",
                      "Moves the selected generator up a level"))
      move_level(draft_, draft_.coarser.size() - 1);
    places_["level up"] = item_area();
    ImGui::SameLine();
    if (choice_button(">", false, side, draft_.finer.empty() ? "It is the last" : "",
                      "Moves the selected generator down a level"))
      move_level(draft_, draft_.coarser.size() + 1);
    ImGui::SameLine();
    ImGui::Checkbox("Repeat", &draft_.repeats);
    tooltip("The list begins again after its last generator. Off: its length is the highest level");
  }
  note_step(before);
}

void FractalEditor::rows() {
  start_row();
  name_row();
  const auto scale = [&](const char* label, const char* id, std::uint32_t GeneratorDraft::*member) {
    row_label(label);
    int value = static_cast<int>(draft_.*member);
    const GeneratorDraft before = draft_;
    if (slider(id, &value, 1, kMaxScale, "%d", ImGuiSliderFlags_AlwaysClamp)) {
      GeneratorDraft other = draft_;
      other.*member = static_cast<std::uint32_t>(value);
      resize(draft_, other.s_x, other.s_y);
      note_step(before);
    }
    places_[id] = item_area();
  };
  scale("Columns s_x", "##s_x", &GeneratorDraft::s_x);
  scale("Rows s_y", "##s_y", &GeneratorDraft::s_y);
  brush_row();
  row_label("Whole grid");
  static constexpr std::array kLabels = {"Random", "Invert", "Clear"};
  ButtonRow line(kLabels);
  const GeneratorDraft before = draft_;
  if (choice_button(kLabels[0], false, line.next(), {},
                    "Fills the grid at random with the selected symmetry"))
    fill_randomly(draft_, symmetry_, ++random_seed_);
  places_["random"] = item_area();
  if (choice_button(kLabels[1], false, line.next(), {}, "Swaps replicas and holes")) {
    for (std::uint32_t y = 0; y < draft_.s_y; ++y) {
      for (std::uint32_t x = 0; x < draft_.s_x; ++x)
        paint(draft_, {x, y}, !draft_.at(x, y), BrushSymmetry::kNone);
    }
  }
  if (choice_button(kLabels[2], false, line.next(), {}, "Removes all replicas")) {
    for (std::uint32_t y = 0; y < draft_.s_y; ++y) {
      for (std::uint32_t x = 0; x < draft_.s_x; ++x) paint(draft_, {x, y}, false, BrushSymmetry::kNone);
    }
  }
  places_["clear"] = item_area();
  note_step(before);
  click_row();
  levels_row();
}

void FractalEditor::refresh(int side, bool square_points) {
  if (shown_ == draft_ && shown_square_ == square_points && previews_[0].side == side) return;
  shown_ = draft_;
  shown_square_ = square_points;
  problem_ = problem_of(draft_);
  advice_ = advice_on(draft_);
  std::vector<std::uint32_t> colours;
  for (int level = 1; level <= kLevels; ++level) {
    colours.clear();
    for (const float share : level_coverage(draft_, level, side, side, square_points))
      colours.push_back(packed(share));
    Preview& preview = previews_[static_cast<std::size_t>(level - 1)];
    preview.texture.upload({side, side}, colours);
    preview.side = side;
  }
}

void FractalEditor::previews(float side, bool square_points) {
  refresh(std::max(1, static_cast<int>(side)), square_points);
  const float left = ImGui::GetCursorPosX();
  const float step = ImGui::GetContentRegionAvail().x / kLevels;
  for (int level = 1; level <= kLevels; ++level) {
    const auto index = static_cast<std::size_t>(level - 1);
    if (level > 1) ImGui::SameLine(left + step * static_cast<float>(level - 1));
    ImGui::BeginGroup();
    ImGui::Image(imgui_compat::texture_id(previews_[index].texture.gl_name()), {side, side});
    const DraftSize size = size_of(draft_, level);
    const auto whole = [](double number) { return format_count(static_cast<std::uint64_t>(number)); };
    ImGui::TextUnformatted(
        format_text("level {}: {}", level, format_percent(size.cells / size.width / size.height)).c_str());
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
    ImGui::TextUnformatted(format_text("{} of", whole(size.cells)).c_str());
    ImGui::TextUnformatted(format_text("{} × {}", whole(size.width), whole(size.height)).c_str());
    ImGui::PopStyleColor();
    ImGui::EndGroup();
    tooltip("Fraction of points that are cells: the thread utilization of a tile of this level");
  }
}

std::optional<FractalFile> FractalEditor::show(bool square_points, LifeRule runs) {
  if (!begin(kEditorTitle)) return std::nullopt;
  // Everything is smaller in a small window.
  const glm::vec2 display = ImGui::GetIO().DisplaySize;
  const float font = ImGui::GetFontSize();
  const float side = std::floor(std::min(13 * font, display.y * 0.36f));
  const float preview = std::floor(std::min(8.6f * font, display.y * 0.18f));
  if (ImGui::BeginTable("##parts", 2)) {
    ImGui::TableSetupColumn("##box", ImGuiTableColumnFlags_WidthFixed, side);
    ImGui::TableSetupColumn("##rows", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableNextColumn();
    box(side);
    ImGui::TableNextColumn();
    rows();
    ImGui::EndTable();
  }
  if (draft_.replicas() >= 1 && draft_.s_x * draft_.s_y > 1) {
    note(format_text("{}k = {}, s = {}{}dimension {:.3f}{}{}",
                     draft_.levels() > 1 ? "Selected generator: " : "", draft_.replicas(), scale_text(draft_),
                     draft_.levels() > 1 ? "; fractal: " : ", ", dimension_of(draft_), rule_ ? ", rule " : "",
                     rule_ ? to_string(*rule_) : ""));
  } else {
    note("k replicas in a grid of s_x × s_y");
  }
  previews(preview, square_points);
  // Always one line, so that nothing moves while the user draws.
  problem_.empty() ? note(advice_.empty() ? std::string_view(" ") : std::string_view(advice_))
                   : warning(problem_);
  return end(runs);
}

}  // namespace loom::app
