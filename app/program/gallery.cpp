#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "app/documentation/page.h"
#include "app/explain/thread_space.h"
#include "app/gui/theme.h"
#include "app/program/lesson_check.h"
#include "app/program/program.h"
#include "app/program/program_lesson_host.h"
#include "app/program/workspace_formats.h"
#include "app/text/format.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/geometry/nbb_catalog.h"
#include "gallery_text.h"

namespace loom::app {
namespace {

/// A launch of the moving picture: a thread per point or cell of a small fractal.
struct Launch {
  MapKind map;
  explain::ThreadSpace threads;
  std::vector<explain::ThreadLocation> locations;  ///< of all threads, in order
  std::uint64_t active = 0;
};

std::vector<Launch> small_launches() {
  std::vector<Launch> launches;
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kLambda, MapKind::kCompact}) {
    FractalConfig config{.fractal = find_fractal("sierpinski-gasket"), .level = 4, .tile_size = 1};
    config.method.map = map;
    Launch launch{.map = map, .threads = explain::ThreadSpace(config), .locations = {}};
    for (std::uint64_t number = 0; number < *launch.threads.threads(); ++number) {
      launch.locations.push_back(launch.threads.location_of(launch.threads.thread_by_number(number)));
      launch.active += launch.locations.back().has_cell ? 1 : 0;
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

/// One launch: its threads warp by warp at their points, idle ones in orange. The numbers beside them are
/// those of the whole launch from the beginning.
void draw_launch(const Launch& launch, const Area& area, std::size_t warps, bool is_narrow) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const TiledFractal& tiled = launch.threads.tiled();
  const float font = ImGui::GetFontSize();
  const auto width_of = [](float size, const char* text) {
    return font_of(FontFace::kBold, size)->CalcTextSizeA(size, FLT_MAX, 0, text).x;
  };
  // The numbers are large, above their names, if there is room for all three; in a narrow place they are
  // below.
  const float height = area.size.y - line * (is_narrow ? 4 : 1);
  const bool is_large = !is_narrow && 3 * (1.5f * font + 1.1f * line) <= height + 0.5f * line;
  const float numbers_width = is_narrow  ? 0
                              : is_large ? width_of(font, "threads")
                                         : width_of(font, "256 threads");
  const float gap = font * (is_large ? 0.6f : 0.2f);
  const float side =
      std::floor(std::min(height / static_cast<float>(tiled.height),
                          (area.size.x - numbers_width - gap) / static_cast<float>(tiled.width)));
  const glm::vec2 corner{area.corner.x, area.corner.y + line};
  const ImU32 colour = ImGui::GetColorU32(colour_of(launch.map));
  static constexpr std::array names = {"Bounding box", "λ", "Compact"};
  const char* const name = names[static_cast<std::size_t>(launch.map)];
  list.AddText(font_of(FontFace::kBold), font, area.corner, colour, name);
  const std::size_t threads = launch.locations.size();
  const std::size_t all_warps = (threads + explain::kWarpLanes - 1) / explain::kWarpLanes;
  const Text progress = format_text("{} of {} warps", std::min(warps, all_warps), all_warps);
  const float progress_x = width_of(font, name) + font * 0.6f;
  if (progress_x + width_of(font, progress.c_str()) <= area.size.x) {
    list.AddText({area.corner.x + progress_x, area.corner.y}, ImGui::GetColorU32(theme::colours().muted),
                 progress.c_str());
  }
  const auto square = [&](glm::vec2 at, float inset, ImU32 fill) {
    list.AddRectFilled(corner + at * side + inset, corner + (at + 1.0f) * side - inset, fill);
  };
  const std::size_t shown = std::min(threads, warps * explain::kWarpLanes);
  for (std::size_t i = 0; i < threads; ++i) {
    const explain::ThreadLocation& thread = launch.locations[i];
    const glm::vec2 at(thread.cell.x, thread.cell.y);
    const bool is_done = i < shown;
    if (thread.has_cell) {
      square(at, 1, is_done ? colour : ImGui::GetColorU32(theme::colours().hover));
    } else if (is_done) {
      square(at, std::floor(side * 0.3f), ImGui::GetColorU32(theme::colours().warning));
    }
  }
  const float text_x = is_narrow ? corner.x : corner.x + side * static_cast<float>(tiled.width) + gap;
  float y = corner.y + (is_narrow ? side * static_cast<float>(tiled.height) : 0);
  const float size = font * (is_large ? 1.5f : 1.0f);
  const auto count = [&](const Text& number, const char* meaning, const glm::vec4& paint) {
    list.AddText(font_of(FontFace::kBold, size), size, {text_x, y}, ImGui::GetColorU32(paint),
                 number.c_str());
    float x = text_x;
    is_large ? y += size : x += width_of(size, number.c_str()) + font * 0.25f;
    list.AddText({x, y}, ImGui::GetColorU32(theme::colours().muted), meaning);
    y += line * (is_large ? 1.1f : 1.0f);
  };
  const std::size_t idle = threads - launch.active;
  count(format_count(threads), "threads", theme::colours().text);
  count(format_count(idle), "idle", idle > 0 ? theme::colours().warning : theme::colours().text);
  count(format_count(*launch.threads.bytes()), "bytes", theme::colours().text);
}

void draw_launches(const std::vector<Launch>& launches, const Area& area, double seconds) {
  constexpr double kWarpSeconds = 0.5;
  constexpr double kEndSeconds = 4;
  std::size_t most = 0;
  for (const Launch& launch : launches)
    most = std::max(most, (launch.locations.size() + explain::kWarpLanes - 1) / explain::kWarpLanes);
  const double whole = static_cast<double>(most) * kWarpSeconds + kEndSeconds;
  const double now = seconds > 1e6 ? whole : std::fmod(seconds, whole);
  const auto warps = static_cast<std::size_t>(now / kWarpSeconds);
  const float font = ImGui::GetFontSize();
  const bool is_narrow = area.size.x < kLaunchesInARow * font;
  const float gap = font * 0.5f;
  const float width = (area.size.x + gap) / static_cast<float>(launches.size());
  Area place{area.corner, {width - gap, area.size.y}};
  for (const Launch& launch : launches) {
    draw_launch(launch, place, warps, is_narrow);
    place.corner.x += width;
  }
}

}  // namespace

StartIntroduction introduction(Application& application, LifeWorkspace& life) {
  return {.sentence = "Watch what every GPU thread does on a fractal, and what it wastes.",
          .proportion = 4.6f,
          .draw = [launches = std::make_shared<const std::vector<Launch>>(small_launches())](
                      const Area& area, double seconds) { draw_launches(*launches, area, seconds); },
          .button = "Show me, in one minute",
          .hint = "An animation: from a thread per point to a thread per cell (F5)",
          .choose =
              [&application, &life](ShellEdit& edit) {
                life.request([behind = edit.settings.workspace](LifeEdit& of_life) {
                  of_life.commands.show_me = true;
                  of_life.commands.from_start = behind;
                });
                edit.settings.workspace = application.index_of(LifeState::kId);
              }};
}

std::vector<StartPicture> gallery(Application& application, LifeWorkspace& life,
                                  MandelbrotWorkspace& mandelbrot, SolidWorkspace& solid) {
  // Its scenes are read when they are chosen.
  static const lessons::Lesson lesson = lessons::parse_lesson(
      embedded::gallery_toml, "gallery.toml", report_fields(), [](const lessons::SceneSettingList&) {});
  std::vector<StartPicture> pictures;
  for (const lessons::LessonStep& step : lesson.steps) {
    pictures.push_back(
        {.title = step.title,
         .hint = step.text.text.source(),
         .png = documentation::picture_file(fmt::format("docs/images/gallery/{}.png", pictures.size())),
         .choose = [&scene = step.scene, &application, &life, &mandelbrot, &solid](ShellEdit& edit) {
           application.leave_lesson(edit);
           show_scene(read_lesson_scene(scene), application, life, mandelbrot, solid, edit.settings);
         }});
  }
  return pictures;
}

}  // namespace loom::app
