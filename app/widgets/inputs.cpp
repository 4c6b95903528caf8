#include "app/widgets/inputs.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "app/widgets/control_marks.h"
#include "compute/geometry/transforms.h"

namespace loom::app {

void row_label(const char* label) {
  const float font = ImGui::GetFontSize();
  const float column = ImGui::GetCursorPosX() - ImGui::GetStyle().WindowPadding.x + 6.6f * font;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(with_subscripts(label).c_str());
  ImGui::SameLine(0, 0.4f * font);
  ImGui::SetCursorPosX(std::max(column, ImGui::GetCursorPosX()));
  ImGui::SetNextItemWidth(remaining_width());
}

float remaining_width() {
  return ImGui::GetContentRegionAvail().x;
}

float equal_width(int parts) {
  return (remaining_width() - static_cast<float>(parts - 1) * ImGui::GetStyle().ItemSpacing.x) /
         static_cast<float>(parts);
}

float button_width(std::string_view label) {
  return ImGui::CalcTextSize(label.data(), label.data() + label.size(), true).x +
         2 * ImGui::GetStyle().FramePadding.x;
}

// Of each label in the line of `first`, left and right together.
float ButtonRow::margins(std::size_t first) const {
  const auto line = labels_.subspan(first, std::min(per_line_, labels_.size() - first));
  float words = 0;
  for (const char* const label : line) words += ImGui::CalcTextSize(label).x;
  const auto count = static_cast<float>(line.size());
  return (width_ - (count - 1) * ImGui::GetStyle().ItemSpacing.x - words) / count;
}

ButtonRow::ButtonRow(std::span<const char* const> labels, std::size_t most)
    : labels_(labels),
      per_line_(std::min(most, labels.size())),
      left_(ImGui::GetCursorPosX()),
      width_(remaining_width()) {
  const auto is_narrow = [&] {
    for (std::size_t first = 0; first < labels_.size(); first += per_line_) {
      if (margins(first) < theme::grid(2)) return true;
    }
    return false;
  };
  for (std::size_t lines = 2; per_line_ > 1 && is_narrow(); ++lines)
    per_line_ = (labels_.size() + lines - 1) / lines;
}

float ButtonRow::next() {
  const std::size_t column = next_ % per_line_;
  column > 0 ? ImGui::SameLine() : ImGui::SetCursorPosX(left_);
  const float margin = margins(next_ - column);
  return ImGui::CalcTextSize(labels_[next_++]).x + margin;
}

namespace {

template <typename Value>
bool filled_slider(const char* id, ImGuiDataType type, Value* value, Value lowest, Value highest,
                   const char* format, ImGuiSliderFlags flags) {
  // On a logarithmic slider, ImGui puts 0 where a tenth of the last digit would be, which here is 1 or 0.1.
  const double least = std::is_integral_v<Value> ? 0.1 : 0.01;
  const auto place = [&](Value of) {
    const auto number = static_cast<double>(of);
    return (flags & ImGuiSliderFlags_Logarithmic) != 0 ? std::log(std::max(number, least)) : number;
  };
  const double span = place(highest) - place(lowest);
  const double share = span > 0 ? std::clamp((place(*value) - place(lowest)) / span, 0.0, 1.0) : 1;
  const glm::vec2 low = ImGui::GetCursorScreenPos();
  const glm::vec2 size{ImGui::CalcItemWidth(), ImGui::GetFrameHeight()};
  const bool over = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, low + size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  const auto box = [&](float width, ImGuiCol colour) {
    list.AddRectFilled(low, low + glm::vec2{width, size.y}, ImGui::GetColorU32(colour), rounding);
  };
  box(size.x, over ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg);
  // Narrower than its round corners, the fill is clipped instead.
  const float filled = static_cast<float>(share) * size.x;
  list.PushClipRect(low, low + glm::vec2{filled, size.y}, true);
  box(std::max(filled, 2 * rounding), ImGuiCol_SliderGrab);
  list.PopClipRect();
  for (const ImGuiCol colour : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                                ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive})
    ImGui::PushStyleColor(colour, IM_COL32(0, 0, 0, 0));
  const bool changed = ImGui::SliderScalar(id, type, value, &lowest, &highest, format, flags);
  ImGui::PopStyleColor(5);
  return changed;
}

}  // namespace

bool slider(const char* id, float* value, float lowest, float highest, const char* format,
            ImGuiSliderFlags flags) {
  return filled_slider(id, ImGuiDataType_Float, value, lowest, highest, format, flags);
}
bool slider(const char* id, int* value, int lowest, int highest, const char* format, ImGuiSliderFlags flags) {
  return filled_slider(id, ImGuiDataType_S32, value, lowest, highest, format, flags);
}
bool slider(const char* id, std::uint32_t* value, std::uint32_t lowest, std::uint32_t highest,
            const char* format, ImGuiSliderFlags flags) {
  return filled_slider(id, ImGuiDataType_U32, value, lowest, highest, format, flags);
}
bool slider(const char* id, std::uint64_t* value, std::uint64_t lowest, std::uint64_t highest,
            const char* format, ImGuiSliderFlags flags) {
  return filled_slider(id, ImGuiDataType_U64, value, lowest, highest, format, flags);
}

bool choice_button(const char* label, bool selected, float width, std::string_view disabled_reason,
                   std::string_view hint, const glm::vec4& accent) {
  ImGui::BeginDisabled(!disabled_reason.empty());
  if (selected) {
    ImGui::PushStyleColor(ImGuiCol_Button, accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, accent);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::text_on(accent));
  }
  // A label without room for the usual margins stays in the middle.
  const glm::vec2 padding = ImGui::GetStyle().FramePadding;
  const float margin = width > 0 ? (width - ImGui::CalcTextSize(label, nullptr, true).x) / 2 : padding.x;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::clamp(margin, 0.0f, padding.x), padding.y});
  const bool pressed = ImGui::Button(label, {width, 0});
  ImGui::PopStyleVar();
  if (selected) ImGui::PopStyleColor(3);
  ImGui::EndDisabled();
  tooltip(disabled_reason.empty() ? hint : disabled_reason);
  return pressed;
}

bool primary_button(const char* label, float width, std::string_view disabled_reason, std::string_view hint) {
  return choice_button(label, true, width, disabled_reason, hint);
}

bool choice_radio(const char* label, bool selected, std::string_view disabled_reason, std::string_view hint) {
  ImGui::BeginDisabled(!disabled_reason.empty());
  const bool pressed = ImGui::RadioButton(label, selected);
  ImGui::EndDisabled();
  tooltip(disabled_reason.empty() ? hint : disabled_reason);
  return pressed;
}

void note(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  wrapped_text(text);
  ImGui::PopStyleColor();
}

void warning(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().warning);
  const bool names_option = text.find("--") != std::string_view::npos;
  const std::string plain = names_option ? without_option_marks(std::string(text)) : std::string();
  const Text lines = break_into_lines(names_option ? std::string_view(plain) : text, remaining_width(),
                                      text_width);  // s_x may be a key of a file
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopStyleColor();
}

namespace {

ImFont* bold() {
  return font_of(FontFace::kBold);
}

float bold_width(std::string_view text) {
  return bold()->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

bool header(const char* title, bool* shown, ImGuiTreeNodeFlags flags) {
  if (should_expand_sections()) ImGui::SetNextItemOpen(true);
  // A title that is wider than the panel, as a task's, has several lines.
  const float room = remaining_width() - ImGui::GetTreeNodeToLabelSpacing() -
                     ImGui::GetStyle().FramePadding.x - (shown != nullptr ? ImGui::GetFrameHeight() : 0);
  Text lines = break_into_lines(title, room, bold_width);
  ImGui::PushFont(bold());
  const bool open = ImGui::CollapsingHeader(lines.append("###").append(title).c_str(), shown, flags);
  ImGui::PopFont();
  return open;
}

}  // namespace

bool section(const char* title) {
  return header(title, nullptr, ImGuiTreeNodeFlags_DefaultOpen);
}

bool folded_section(const char* title, std::string_view summary) {
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const float width = remaining_width();
  const float label = ImGui::GetTreeNodeToLabelSpacing() + bold_width(title);
  if (header(title, nullptr, ImGuiTreeNodeFlags_None)) return true;
  const float padding = ImGui::GetStyle().FramePadding.x;
  const float room = width - label - 3 * padding;
  // Of a summary that is too long, the last entries of its list are left out.
  Text shown = summary;
  for (std::string_view rest = summary; text_width(shown) > room && !rest.empty();) {
    rest = rest.substr(0, rest.find_last_of(',') == std::string_view::npos ? 0 : rest.find_last_of(','));
    shown = rest.empty() ? Text() : format_text("{}, …", rest);
  }
  const glm::vec2 low{corner.x + width - padding - text_width(shown),
                      corner.y + ImGui::GetStyle().FramePadding.y};
  ImGui::GetWindowDrawList()->AddText(low, ImGui::GetColorU32(ImGuiCol_TextDisabled), shown.c_str());
  tooltip(summary);
  return false;
}

bool section(const char* title, bool& shown) {
  return header(title, &shown, ImGuiTreeNodeFlags_DefaultOpen) && shown;
}

float chip_padding() {
  return theme::grid(2);
}

float chip_gap() {
  return theme::grid(2);
}

void begin_chip() {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);  // the background's size is known at the end
  list.ChannelsSetCurrent(1);
  ImGui::BeginGroup();
  ImGui::Dummy({chip_padding(), ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, 0);
}

void end_chip() {
  ImGui::SameLine(0, 0);
  ImGui::Dummy({chip_padding(), ImGui::GetTextLineHeight()});
  ImGui::EndGroup();
  const glm::vec2 margin{0, std::floor(theme::grid(0.5f))};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSetCurrent(0);
  list.AddRectFilled(glm::vec2(ImGui::GetItemRectMin()) - margin, glm::vec2(ImGui::GetItemRectMax()) + margin,
                     ImGui::GetColorU32(theme::colours().raised), ImGui::GetFontSize());
  list.ChannelsMerge();
}

Area legend_mark(float width) {
  const glm::vec2 size{width * ImGui::GetFontSize(), theme::grid(3)};
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({size.x, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  return {{at.x, at.y + (ImGui::GetTextLineHeight() - size.y) / 2}, size};
}

void swatch(ImU32 colour, const char* text) {
  const Area square = legend_mark(theme::grid(3) / ImGui::GetFontSize());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(square.corner, square.end(), colour);
  list.AddRect(square.corner, square.end(), ImGui::GetColorU32(ImGuiCol_Border));
  ImGui::TextUnformatted(text);
}

bool begin_rows(const char* id, float value_width) {
  if (!ImGui::BeginTable(id, 2)) return false;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, value_width);
  return true;
}

void row(const char* name, std::string_view value, std::string_view hint) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  tooltip(hint);
  ImGui::TableNextColumn();
  right_aligned(value);
}

void muted_titles(std::initializer_list<const char*> titles) {
  ImGui::TableNextRow();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  bool first = true;
  for (const char* title : titles) {
    ImGui::TableNextColumn();
    std::exchange(first, false) ? ImGui::TextUnformatted(title) : right_aligned(title);
  }
  ImGui::PopStyleColor();
}

void muted_value(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().muted);
  right_aligned(text);
  ImGui::PopStyleColor();
}

void bar(double share, std::string_view text) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight();
  const float length = ImGui::GetContentRegionAvail().x * static_cast<float>(std::clamp(share, 0.0, 1.0));
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + height * 0.12f},
                                            {at.x + length, at.y + height * 0.88f},
                                            ImGui::GetColorU32(theme::colours().grab), 2);
  right_aligned(text);
}

}  // namespace loom::app

namespace loom::app::toolbar {

float in_fonts(float font_sizes) {
  return font_sizes * ImGui::GetFontSize();
}

void beside() {
  ImGui::SameLine(0, in_fonts(kGap));
}

bool play_and_step(bool& playing) {
  if (choice_button(playing ? icons::kPause : icons::kPlay, playing, in_fonts(kIconWidth), {},
                    playing ? "Pause (Space)" : "Play (Space)"))
    playing = !playing;
  beside();
  const bool steps = choice_button(icons::kStep, false, in_fonts(kIconWidth), {},
                                   "Computes one generation and pauses ( . )");
  if (steps) playing = false;
  return steps;
}

}  // namespace loom::app::toolbar

namespace loom::app {

std::optional<std::uint64_t> parse_whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

void type_number(NumberFieldState& state, const std::string& text, std::uint64_t& value) {
  if (&text != &state.text) state.text = text;
  if (const auto number = parse_whole_number(text)) {
    value = *number;
    state.problem.clear();
  } else {
    state.problem = fmt::format("'{}' is not allowed; allowed: a whole number from 0 to {} (still {})", text,
                                std::numeric_limits<std::uint64_t>::max(), value);
  }
  state.value = value;
}

bool bounded_text_field(const char* id, std::string& text) {
  text.resize(kMaxFieldText);
  const bool entered =
      ImGui::InputText(id, text.data(), kMaxFieldText + 1, ImGuiInputTextFlags_EnterReturnsTrue);
  text.resize(std::strlen(text.c_str()));
  return entered;
}

void number_field(const char* id, NumberFieldState& state, std::uint64_t& value) {
  if (ImGui::InputText(id, &state.text)) {
    type_number(state, state.text, value);
    return;
  }
  const bool rests = !ImGui::IsItemActive() && state.problem.empty();
  if (value != state.value || (rests && parse_whole_number(state.text) != value) ||
      ImGui::IsItemDeactivated()) {
    if (state.problem.empty() || value != state.value) type_number(state, std::to_string(value), value);
  }
}

void draw_colours(ImDrawList& list, const std::array<glm::u8vec3, 256>& colours, glm::vec2 corner,
                  glm::vec2 size) {
  constexpr int kSteps = 64;
  const float step = size.x / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const ImU32 left = theme::packed(colours[static_cast<std::size_t>(i * 255 / kSteps)]);
    const ImU32 right = theme::packed(colours[static_cast<std::size_t>((i + 1) * 255 / kSteps)]);
    const float x = corner.x + step * static_cast<float>(i);
    list.AddRectFilledMultiColor({x, corner.y}, {x + step, corner.y + size.y}, left, right, right, left);
  }
}

void draw_fractal_icon(ImDrawList& list, const NbbFractal& fractal, glm::vec2 corner, float side) {
  int level = 1;  // at most two levels of a uniform fractal; four of the others, as far as cells are visible
  const int most = std::min(fractal.max_level(), fractal.is_uniform() ? 2 : 4);
  while (level < most && std::max(fractal.width(level + 1), fractal.height(level + 1)) <= 20) ++level;
  const NbbTransform<std::uint32_t> transform(fractal, level);
  const auto columns = static_cast<std::uint32_t>(fractal.width(level));
  const auto rows = static_cast<std::uint32_t>(fractal.height(level));
  // Cells are square, except for a single row, which is stretched to be visible.
  const float cell = side / static_cast<float>(std::max(columns, rows));
  const float cell_height = rows == 1 ? side / 3 : cell;
  const glm::vec2 start{corner.x + (side - cell * static_cast<float>(columns)) / 2,
                        corner.y + (side - cell_height * static_cast<float>(rows)) / 2};
  const ImU32 colour = ImGui::ColorConvertFloat4ToU32(theme::colours().accent);
  for (std::uint32_t y = 0; y < rows; ++y) {
    for (std::uint32_t x = 0; x < columns; ++x) {
      if (!is_member(transform, level, Coord32{x, y})) continue;
      const glm::vec2 low{start.x + cell * static_cast<float>(x),
                          start.y + cell_height * static_cast<float>(y)};
      list.AddRectFilled(
          low, {low.x + std::max(1.0f, cell - 0.5f), low.y + std::max(1.0f, cell_height - 0.5f)}, colour);
    }
  }
}

}  // namespace loom::app
