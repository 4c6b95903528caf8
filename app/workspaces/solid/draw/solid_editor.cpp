#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/picture.h"
#include "app/widgets/text.h"
#include "app/workspaces/solid/panels/solid_panels.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kSolidEditorTitle = "Fractal editor (3-D)";
constexpr int kPreviewLevel = 2;

}  // namespace

std::optional<SolidFractal> SolidEditor::fractal() const {
  if (source_ && draft_of(*source_) == draft_) return source_;
  try {
    return fractal_of(draft_);
  } catch (const InputError&) {
    return std::nullopt;
  }
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
  name_row();
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
    const SolidDraft before = draft_;
    start_from({fractal});
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
      const SolidConfig config{.fractal = *drawn, .level = kPreviewLevel};
      const auto engine = make_fractal_engine(config, {});
      const render::SolidColours table =
          solid_colours(palette, SolidColouring::kState, theme::surroundings(palette.outside));
      SolidImage image;
      engine->trace(view_of(config, {}, {}, {pixels, pixels}), MemorySpace::kHost, image);
      for (std::size_t i = 0; i < colours.size(); ++i)
        colours[i] =
            theme::packed(colour_of_pixel(table, image.pixels[i], static_cast<int>(i) / pixels, pixels));
    }
    texture_.upload({pixels, pixels}, colours);
  }
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({side, side});
  draw_texture(*ImGui::GetWindowDrawList(), texture_, {at, {side, side}});
  tooltip("Level 2");
}

SolidFile SolidEditor::read(const std::filesystem::path& file) const {
  if (auto opened = read_solid_file(file)) return *std::move(opened);
  throw InputError("this is no file of a three-dimensional fractal; allowed: a TOML file with s_z");
}

std::optional<SolidFile> SolidEditor::show(const render::Palette& palette, SolidRule runs) {
  if (!begin(kSolidEditorTitle)) return std::nullopt;
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
  return end(runs);
}

void SolidDraft::set(Coord3 offset, bool on) {
  const std::uint64_t bit = std::uint64_t{1} << bit_of(offset);
  replicas = on ? replicas | bit : replicas & ~bit;
}

void SolidDraft::set_scale(Coord3 changed) {
  const auto side = [](std::uint32_t length) { return std::clamp(length, 1u, kMaxSolidScale); };
  scale = {side(changed.x), side(changed.y), side(changed.z)};
  const std::vector<Coord3> kept = offsets();
  replicas = 0;
  for (const Coord3& offset : kept) set(offset, true);
}

std::vector<Coord3> SolidDraft::offsets() const {
  std::vector<Coord3> offsets;
  for (std::uint32_t z = 0; z < scale.z; ++z) {
    for (std::uint32_t y = 0; y < scale.y; ++y) {
      for (std::uint32_t x = 0; x < scale.x; ++x) {
        if (at({x, y, z})) offsets.push_back({x, y, z});
      }
    }
  }
  return offsets;
}

SolidDraft draft_of(const SolidFractal& fractal) {
  SolidDraft draft{.name = fractal.name(), .scale = fractal.shape().scale};
  for (const Coord3& offset : fractal.offsets()) draft.set(offset, true);
  return draft;
}

SolidFractal fractal_of(const SolidDraft& draft) {
  if (!is_fractal_name(draft.name)) {
    throw InputError(
        fmt::format("this is not a name; allowed: 1 to {} characters on one line", kMaxFractalName));
  }
  return {draft.name, draft.scale, draft.offsets()};
}

}  // namespace loom::app
