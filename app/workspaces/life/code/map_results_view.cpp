#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/explain/colour_by.h"
#include "app/gui/imgui_compat.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/picture.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/code/map_code_panel.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {
namespace {

constexpr float kMarkSize = 0.9f;   ///< in font sizes
constexpr float kCountsWidth = 24;  ///< in font sizes
constexpr float kMinLowWidth = 68;  ///< of a room with the counts beside the pictures, in font sizes
constexpr float kOldAlpha = 0.35f;
constexpr float kSteppedHeight = 0.38f;  ///< of the pictures, as a share of the room
constexpr float kLeastHeight = 16;       ///< of a room with both pictures and variables, in font sizes
constexpr std::size_t kMaxPath = 4096;   ///< points that are drawn
constexpr float kHeightOfCounts = 12;    ///< of the counts and the text below the pictures, in font sizes

/// "sierpinski-gasket at level 4 and 6, vicsek at level 3, and 2 not shown here": what a map was graded on.
std::string graded_on(const Exercise& exercise) {
  std::map<std::string, std::string> levels;
  std::size_t hidden = 0;
  for (const ExerciseCase& one : exercise.cases) {
    if (one.hidden) {
      ++hidden;
    } else {
      std::string& of_fractal = levels[one.fractal.name()];
      of_fractal += fmt::format("{} {}", of_fractal.empty() ? " at level" : " and", one.level);
    }
  }
  std::string text;
  for (const auto& [fractal, at] : levels) text += (text.empty() ? "" : ", ") + fractal + at;
  return hidden == 0 ? text : fmt::format("{}, and {} not shown here", text, hidden);
}

std::uint32_t packed(const glm::vec4& colour) {
  return ImGui::ColorConvertFloat4ToU32(ImVec4(colour.x, colour.y, colour.z, 1));
}

CoverageColours theme_colours() {
  const theme::Colours& colours = theme::colours();
  return {packed(colours.raised), packed(colours.success),   packed(colours.warning),
          packed(colours.error),  packed(colours.selection), packed(colours.accent)};
}

}  // namespace

void coloured(const glm::vec4& colour, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(colour.x, colour.y, colour.z, colour.w));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void MapResultsView::take(MapAttempt attempt) {
  if (attempt.request.runs) measured_ = attempt;
  shown_ = std::move(attempt);
  found_.reset();
  images_are_old_ = true;
}

void MapResultsView::clear() {
  shown_.reset();
  square_ = launch_ = {};
}

bool MapResultsView::has_passed(std::string_view code) const {
  return measured_ && measured_->grade && measured_->grade->passed && measured_->request.code == code;
}

// The widest that has the pictures side by side, in a low room with the counts beside them. In a narrow room
// the code has half of it.
float MapResultsView::wanted_width(glm::vec2 room) {
  const float font = ImGui::GetFontSize();
  const float least = std::min(16 * font, room.x / 2);
  const float below = std::clamp(room.x * 0.42f, least, std::max(least, room.y * 1.25f));
  if (!is_low(room)) return std::floor(below);
  return std::floor(std::min(room.x * 0.6f, 2 * room.y + kCountsWidth * font));
}

bool MapResultsView::is_low(glm::vec2 room) {
  const float font = ImGui::GetFontSize();
  return room.x * 0.21f > room.y - kHeightOfCounts * font && room.x >= kMinLowWidth * font;
}

void MapResultsView::show(glm::vec2 room, std::string_view code, bool is_old, const FractalConfig& scene,
                          const std::optional<Coord64>& linked, const SteppedWarp* stepped,
                          const std::function<void()>& show_steps) {
  areas_.clear();
  const bool is_of_scene = shown_ && shown_->request.config.fractal == scene.fractal &&
                           shown_->request.config.level == scene.level;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = style.ItemSpacing.x;
  const float alpha = style.Alpha * (is_old ? kOldAlpha : 1);
  const glm::vec2 size = ImGui::GetContentRegionAvail();
  const bool low = is_low(room);
  if (stepped != nullptr && !low && size.y < kLeastHeight * ImGui::GetFontSize()) {
    // Panes below the code leave room for the variables alone; they show the cells.
    leave_pictures();
    return show_steps();
  }
  float side = (size.x - gap) / 2;
  if (low) {
    const float height = size.y - ImGui::GetTextLineHeightWithSpacing() - style.ItemSpacing.y;
    side = std::min(height, (size.x - kCountsWidth * ImGui::GetFontSize() - 2 * gap) / 2);
  } else if (stepped != nullptr) {
    side = std::min(side, kSteppedHeight * size.y);
  } else {
    grade(code);
  }
  side = std::floor(std::max(side, 1.0f));
  draw_images(static_cast<int>(side));
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
  const int level = shown_ ? shown_->request.config.level : scene.level;
  const std::string heading = level == scene.level ? "Cells" : fmt::format("Cells, level {}", level);
  pictures(side, heading, is_of_scene ? linked : std::nullopt, stepped);
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  is_pointed_at_ = is_pointed_at_ && is_of_scene;
  if (low) {
    ImGui::SameLine();
    ImGui::BeginChild("##beside", {0, 0}, false);
    if (stepped == nullptr) grade(code);
  }
  if (shows_divergence_ &&
      has_divergence()) {  // in place of the legend of marks, which are those of the coverage
    colour_strip(6, 24,
                 [](int i) { return theme::packed(explain::ordered_colour(static_cast<float>(i) / 23)); });
    const MapCounts& all = shown_->map.counts;
    note(
        fmt::format("divergence per warp: idle lanes of its instructions, 0 to 100 %; all warps: {}, {} of "
                    "{} branches diverge",
                    format_percent(1 - all.active_share()).c_str(), all.divergent, all.branches));
  }
  if (stepped != nullptr) {
    show_steps();
    if (low) ImGui::EndChild();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
  if (shown_ && !square_.empty()) {
    const std::string text = hovered_text();
    note(text.empty() ? "Point at a cell or a thread: all pictures show what belongs to it" : text);
  }
  counts();
  ImGui::PopStyleVar();
  times(code);
  if (low) ImGui::EndChild();
}

void MapResultsView::draw_images(int side) {
  const CoverageColours colours = theme_colours();
  if (colours != colours_) {
    colours_ = colours;
    images_are_old_ = true;
    const int mark_side = std::max(9, static_cast<int>(kMarkSize * ImGui::GetFontSize()));
    for (std::size_t i = 0; i < kCoverageMarks; ++i) {
      const CoverageImage image = mark_image(static_cast<CoverageMark>(i), mark_side, colours_);
      mark_textures_[i].upload(image.size, image.pixels);
    }
  }
  if (std::exchange(image_side_, side) != side) images_are_old_ = true;
  if (!std::exchange(images_are_old_, false) || !shown_) return;
  layout_ = LaunchLayout(shown_->map.launch);
  if (shows_divergence_ && has_divergence()) {
    square_ = square_divergence_image(*shown_, colours_, side);
    launch_ = launch_divergence_image(*shown_, layout_, colours_, side);
  } else {
    square_ = square_image(*shown_, colours_, side);
    launch_ = launch_image(*shown_, layout_, colours_, side);
  }
  if (!square_.empty()) square_texture_.upload(square_.size, square_.pixels);
  if (!launch_.empty()) launch_texture_.upload(launch_.size, launch_.pixels);
}

void MapResultsView::divergence_button() {
  const std::string reason =
      has_divergence() ? "" : "Divergence is counted by a run on the CPU, as while you type";
  if (choice_button("Divergence", shows_divergence_, button_width("Divergence"), reason,
                    "Colours threads and cells by the idle lanes of their warp's instructions, and lines by "
                    "those of their executions")) {
    shows_divergence_ = !shows_divergence_;
    images_are_old_ = true;
  }
  areas_["divergence"] = item_area();
}

void MapResultsView::leave_pictures() {
  hovered_.reset();
  hovered_thread_.reset();
  is_pointed_at_ = false;
}

void MapResultsView::pictures(float side, const std::string& heading, const std::optional<Coord64>& linked,
                              const SteppedWarp* stepped) {
  leave_pictures();
  if (!shown_) return;
  const MapResult& map = shown_->map;
  if (square_.empty()) return note("This level has too many points for a picture. The counts are exact");
  struct Shown {
    Area area;
    glm::vec2 scale;  ///< of a point on the screen
  };
  std::array<std::optional<Shown>, 2> drawn;
  // While the code is edited, what is below does not move with the shape of the launch.
  float height = side;
  if (stepped != nullptr) {
    height = 0;
    for (const CoverageImage* const image : {&square_, &launch_}) {
      const glm::vec2 size(image->size);
      if (!image->empty()) height = std::max(height, side * size.y / std::max(size.x, size.y));
    }
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto draw = [&](std::size_t index, const char* id, const CoverageImage& image,
                        const render::ColourTexture& texture) {
    const glm::vec2 size(image.size);
    const float scale = side / std::max(size.x, size.y);
    const glm::vec2 corner = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(id, {side, height});
    areas_[id] = item_area();
    const Area area{corner, size * scale};
    draw_texture(list, texture, area, static_cast<std::uint8_t>(255 * ImGui::GetStyle().Alpha));
    list.AddRect({corner.x, corner.y}, {corner.x + area.size.x, corner.y + area.size.y},
                 ImGui::GetColorU32(ImGuiCol_Border));
    drawn[index] = Shown{area, glm::vec2(image.point_size * scale)};
    if (!ImGui::IsItemHovered()) return std::optional<glm::ivec2>();
    const glm::vec2 mouse = ImGui::GetIO().MousePos;
    const glm::ivec2 at(glm::floor((mouse - corner) / drawn[index]->scale));
    const bool is_inside = at.x >= 0 && at.y >= 0 && at.x < image.points.x && at.y < image.points.y;
    return is_inside ? std::optional(at) : std::nullopt;
  };
  ImGui::BeginGroup();
  ImGui::TextUnformatted(heading.c_str());
  auto point = draw(0, "cells", square_, square_texture_);
  ImGui::EndGroup();
  ImGui::SameLine();
  ImGui::BeginGroup();
  ImGui::TextUnformatted("Threads");
  const float label = ImGui::GetItemRectSize().x + ImGui::GetStyle().ItemSpacing.x;
  const bool has_room = label + button_width("Divergence") <= side;
  if (has_room) {
    ImGui::SameLine(side - button_width("Divergence"));
    // Not higher than the heading: the pictures are in one row.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
    divergence_button();
    ImGui::PopStyleVar();
  }
  std::optional<glm::ivec2> place;
  if (!launch_.empty()) {
    place = draw(1, "threads", launch_, launch_texture_);
  } else {
    note("Too many threads for a picture");
  }
  ImGui::EndGroup();
  if (!has_room) divergence_button();
  is_pointed_at_ = point || place;
  if (!is_pointed_at_ && linked && linked->x < static_cast<std::uint64_t>(square_.points.x) &&
      linked->y < static_cast<std::uint64_t>(square_.points.y))
    point = glm::ivec2(linked->x, linked->y);
  if (point) {
    hovered_ = Coord64{static_cast<std::uint64_t>(point->x), static_cast<std::uint64_t>(point->y)};
    hovered_thread_ = first_thread_of({point->x, point->y});
  }
  if (place) hovered_thread_ = layout_.thread_at(*place);
  if (place && hovered_thread_) {
    const MapPoint& of = map.points[*hovered_thread_];
    if (!of.is_none() && of.x >= 0 && of.y >= 0 && of.x < square_.points.x && of.y < square_.points.y)
      hovered_ = Coord64{static_cast<std::uint64_t>(of.x), static_cast<std::uint64_t>(of.y)};
  }
  if (is_pointed_at_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) clicked_thread_ = hovered_thread_;
  const auto centre = [](const Shown& in, glm::ivec2 at) {
    return in.area.corner + (glm::vec2(at) + 0.5f) * in.scale;
  };
  const auto marked_warp = [&](const Shown& in) {
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint64_t thread = stepped->first_thread + static_cast<std::uint64_t>(lane);
      if ((stepped->lanes >> lane & 1) == 0 || thread >= map.launch.threads()) continue;
      const glm::ivec2 at = layout_.place_of(thread);
      const glm::vec2 from = in.area.corner + glm::vec2(at) * in.scale;
      const glm::vec2 to = from + glm::max(in.scale, glm::vec2(2));
      const bool is_active = (stepped->active >> lane & 1) != 0;
      if (is_active) list.AddRectFilled({from.x, from.y}, {to.x, to.y}, packed(theme::colours().warning));
      list.AddRect({from.x, from.y}, {to.x, to.y}, packed(theme::colours().selection));
    }
  };
  const auto marked_path = [&](const Shown& in) {
    list.PushClipRect({in.area.corner.x, in.area.corner.y}, {in.area.end().x, in.area.end().y}, true);
    const float radius = std::clamp(in.scale.x * 0.4f, 2.0f, ImGui::GetFontSize() * 0.35f);
    for (const glm::ivec2& one : stepped->others) {
      const glm::vec2 at = centre(in, one);
      list.AddCircleFilled({at.x, at.y}, radius, packed(theme::colours().warning));
    }
    const std::vector<glm::ivec2>& path = stepped->path;
    const std::size_t first = path.size() > kMaxPath ? path.size() - kMaxPath : 0;
    for (const auto& [colour, more] : {std::pair(theme::colours().ring_edge, 2.0f),
                                       std::pair(ImU32{packed(theme::colours().selection)}, 0.0f)}) {
      for (std::size_t i = first; i < path.size(); ++i) {
        const glm::vec2 to = centre(in, path[i]);
        if (i > first) {
          const glm::vec2 from = centre(in, path[i - 1]);
          list.AddLine({from.x, from.y}, {to.x, to.y}, colour, 2 + more);
        }
        list.AddCircleFilled({to.x, to.y}, (i + 1 == path.size() ? 1.6f : 1) * radius + more / 2, colour);
      }
    }
    list.PopClipRect();
  };
  if (stepped != nullptr && drawn[1]) marked_warp(*drawn[1]);
  if (stepped != nullptr && drawn[0]) marked_path(*drawn[0]);
  // Marks what belongs together in both pictures.
  const auto mark = [&](const std::optional<Shown>& in, glm::ivec2 at) {
    if (!in) return;
    const glm::vec2 corner = in->area.corner + glm::vec2(at) * in->scale;
    const glm::vec2 size = glm::max(in->scale, glm::vec2(5));
    list.AddRect({corner.x - 2, corner.y - 2}, {corner.x + size.x + 2, corner.y + size.y + 2},
                 theme::colours().ring_edge, 0, 0, 3);
    list.AddRect({corner.x - 1, corner.y - 1}, {corner.x + size.x + 1, corner.y + size.y + 1},
                 theme::colours().ring, 0, 0, 2);
  };
  if (hovered_) mark(drawn[0], {static_cast<int>(hovered_->x), static_cast<int>(hovered_->y)});
  if (hovered_thread_) mark(drawn[1], layout_.place_of(*hovered_thread_));
}

std::optional<std::uint64_t> MapResultsView::first_thread_of(const MapPoint& point) {
  if (!shown_) return std::nullopt;
  if (!found_ || found_->point != point) {
    const std::vector<MapPoint>& points = shown_->map.points;
    const auto at = std::find(points.begin(), points.end(), point);
    found_ = {point, at == points.end() ? std::nullopt
                                        : std::optional(static_cast<std::uint64_t>(at - points.begin()))};
  }
  return found_->thread;
}

std::string MapResultsView::hovered_text() const {
  if (!shown_) return {};
  const auto thread_text = [&](std::uint64_t number) {
    const MapThread thread = thread_of(shown_->map.launch, number);
    return fmt::format("thread ({}, {}) of block ({}, {})", thread.thread_x, thread.thread_y, thread.block_x,
                       thread.block_y);
  };
  if (hovered_thread_) {
    const MapPoint& point = shown_->map.points[*hovered_thread_];
    const std::string where =
        point.is_none() ? std::string("none()") : fmt::format("({}, {})", point.x, point.y);
    const std::uint8_t hits =
        hovered_
            ? shown_->map
                  .hits[static_cast<std::size_t>(hovered_->y) * static_cast<std::size_t>(square_.points.x) +
                        static_cast<std::size_t>(hovered_->x)]
            : std::uint8_t{0};
    std::string others = hits > 1 ? fmt::format(", as {} other threads do", hits - 1) : "";
    if (shows_divergence_ && has_divergence()) {
      const MapCounts& warp = shown_->map.warps[warp_of_thread(shown_->map.launch, *hovered_thread_)];
      others +=
          fmt::format("; its warp: {} instructions, divergence {}, {} divergent branches", warp.instructions,
                      format_percent(1 - warp.active_share()).c_str(), warp.divergent);
    }
    return fmt::format("{} \u2192 {}{}", thread_text(*hovered_thread_), where, others);
  }
  if (hovered_) {
    const auto place = static_cast<std::size_t>(hovered_->y) * static_cast<std::size_t>(square_.points.x) +
                       static_cast<std::size_t>(hovered_->x);
    const bool is_cell = shown_->map.cells[place] != 0;
    return is_cell ? fmt::format("No thread reaches the cell ({}, {})", hovered_->x, hovered_->y)
                   : fmt::format("({}, {}) is {}, and no thread returns it", hovered_->x, hovered_->y,
                                 shown_->is_part ? "not asked for" : "a hole");
  }
  return {};
}

void MapResultsView::counts() {
  if (!shown_) return;
  const MapCoverage& coverage = shown_->map.coverage;
  const MapLaunch& launch = shown_->map.launch;
  note(fmt::format("cell_of_thread<<<dim3({}, {}), dim3({}, {})>>>", launch.grid_x, launch.grid_y,
                   launch.block_x, launch.block_y));
  const int columns = remaining_width() < 20 * ImGui::GetFontSize() ? 2 : 4;
  if (!ImGui::BeginTable("##counts", columns, ImGuiTableFlags_SizingStretchProp)) return;
  struct Count {
    const char* name;
    Text value;
    std::optional<CoverageMark> mark = {};
    const char* meaning = "";
  };
  const bool knows_missed = !shown_->is_part || shown_->is_part_known;
  const std::array<std::array<Count, 6>, 2> counts = {{
      {{{"Reached once", format_count(coverage.once), CoverageMark::kOnce},
        {"More than once", format_count(coverage.repeated), CoverageMark::kRepeated},
        {"Missed", knows_missed ? format_count(coverage.missed) : Text("not known"), CoverageMark::kMissed},
        {shown_->is_part ? "On other points" : "Threads on holes", format_count(coverage.on_holes),
         CoverageMark::kOnHole},
        {"Threads outside", format_count(coverage.outside), CoverageMark::kOutside},
        {"Sectors/request", format_text("{:.2f}", coverage.sectors_per_request()), std::nullopt,
         "Sectors of 32 bytes that a warp's store touches; less is better coalesced"}}},
      {{{"Launched threads", format_count(coverage.threads)},
        {"Active threads", format_count(coverage.active)},
        {"Idle threads", format_count(coverage.threads - coverage.active)},
        {"Thread utilization", format_percent(coverage.utilization()), std::nullopt, kUtilizationMeaning},
        {"Idle lanes", format_percent(coverage.idle_lanes()), std::nullopt, kIdleLanesMeaning},
        {"Empty blocks",
         format_text("{} of {}", format_count(coverage.empty_blocks), format_count(coverage.blocks))}}},
  }};
  for (std::size_t i = 0; i < 12; ++i) {
    const auto& [name, value, mark, meaning] = columns == 4 ? counts[i % 2][i / 2] : counts[i / 6][i % 6];
    ImGui::TableNextColumn();
    if (mark) {
      const float side = kMarkSize * ImGui::GetFontSize();
      ImGui::Image(imgui_compat::texture_id(mark_textures_[static_cast<std::size_t>(*mark)].gl_name()),
                   {side, side});
      ImGui::SameLine();
    }
    ImGui::TextUnformatted(name);
    if (*meaning != '\0') tooltip(meaning);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
  }
  ImGui::EndTable();
}

void MapResultsView::times(std::string_view code) {
  if (!measured_ || !measured_->comparison || !measured_->map.single_write_milliseconds) return;
  const bool is_current = measured_->request.code == code;
  ImGui::Separator();
  ImGui::TextUnformatted(is_current ? "Single write" : "Single write, before the last change");
  struct Row {
    const char* name;
    std::optional<double> ms;
    glm::vec4 colour;
  };
  const auto& ms = measured_->comparison->ms;
  const std::array rows = {Row{"Custom", measured_->map.single_write_milliseconds, theme::colours().success},
                           Row{"Bounding box", ms[0], colour_of(MapKind::kBoundingBox)},
                           Row{"\u03bb", ms[1], colour_of(MapKind::kLambda)},
                           Row{"Compact", ms[2], colour_of(MapKind::kCompact)}};
  double longest = 0;
  for (const Row& row : rows) longest = std::max(longest, row.ms.value_or(0));
  const float label = 7 * ImGui::GetFontSize();
  for (const Row& row : rows) {
    ImGui::TextUnformatted(row.name);
    ImGui::SameLine(label);
    const bool compared = row.ms && are_comparable(*row.ms, *measured_->map.single_write_milliseconds);
    Text value = row.ms ? format_time(*row.ms) : Text("not in time");
    if (row.ms && !compared) value.append(", too small to compare");
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    const float width = remaining_width() - 5.5f * ImGui::GetFontSize();
    const float height = ImGui::GetTextLineHeight();
    const auto share = static_cast<float>(compared ? *row.ms / longest : 0);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + height * 0.15f},
                                              {at.x + std::max(2.0f, width * share), at.y + height * 0.9f},
                                              packed(row.colour));
    ImGui::SetCursorScreenPos({at.x + std::max(2.0f, width * share) + ImGui::GetFontSize() * 0.4f, at.y});
    ImGui::TextUnformatted(value.c_str());
  }
  note(measured_->comparison->conditions);
}

void MapResultsView::grade(std::string_view code) {
  if (!measured_ || !measured_->grade) return;
  const theme::Colours& colours = theme::colours();
  const Grade& grade = *measured_->grade;
  const bool is_current = measured_->request.code == code;
  ImGui::Separator();
  if (!is_current) {
    note("The code has changed since it was graded. Run it again");
  } else if (grade.passed) {
    coloured(colours.success, "\u2713 Exercise passed: " + graded_on(*measured_->request.exercise));
  } else {
    coloured(colours.error, "\u2717 Not passed: " + grade.problem);
  }
  // The problem is the first requirement that does not hold, as a sentence.
  bool has_sentence = is_current && !grade.passed;
  for (const RequirementResult& one : grade.requirements) {
    if (!one.holds && std::exchange(has_sentence, false)) continue;
    std::string name = one.name;
    std::ranges::replace(name, '_', ' ');
    coloured(one.holds ? colours.text : colours.warning,
             fmt::format("{} {}: {}, required: {}", one.holds ? "\u2713" : "\u2717", name, one.found,
                         one.required));
  }
}

void MapResultsView::add_state(nlohmann::ordered_json& json) const {
  json["coverage"] = nullptr;
  if (shown_) {
    const MapCoverage& coverage = shown_->map.coverage;
    json["coverage"] = {{"cells", coverage.cells},
                        {"once", coverage.once},
                        {"repeated", coverage.repeated},
                        {"missed", coverage.missed},
                        {"on_holes", coverage.on_holes},
                        {"outside", coverage.outside},
                        {"threads", coverage.threads},
                        {"exact", coverage.is_exact()},
                        {"level", shown_->request.config.level}};
  }
  json["measured"] = measured_ && measured_->comparison;
  json["hovered"] = nullptr;
  if (hovered_) json["hovered"] = {hovered_->x, hovered_->y};
  json["hovered_thread"] = nullptr;
  if (hovered_thread_) json["hovered_thread"] = *hovered_thread_;
  json["hovered_text"] = hovered_text();
  json["divergence"] = shows_divergence_ && has_divergence();
}

}  // namespace loom::app
