#include "app/program/gallery.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "app/documentation/picture.h"
#include "app/explain/thread_space.h"
#include "app/gui/theme.h"
#include "app/program/lesson_check.h"
#include "app/program/program_lesson_host.h"
#include "app/program/report_fields.h"
#include "app/text/format.h"
#include "app/workspaces/life/scene/pane_presets.h"
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

/// One launch: its threads warp by warp at their points, idle ones in orange; in compact memory beside them
/// the bytes that they write.
void draw_launch(const Launch& launch, const Area& area, std::size_t warps) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const TiledFractal& tiled = launch.threads.tiled();
  const float side = std::floor((area.size.y - line) / static_cast<float>(tiled.height));
  const glm::vec2 corner{area.corner.x, area.corner.y + line};
  const ImU32 colour = ImGui::GetColorU32(colour_of(launch.map));
  static constexpr std::array names = {"Bounding box", "λ", "Compact"};
  list.AddText(font_of(FontFace::kBold), ImGui::GetFontSize(), area.corner, colour,
               names[static_cast<std::size_t>(launch.map)]);
  const auto square = [&](glm::vec2 at, float inset, ImU32 fill) {
    list.AddRectFilled(corner + at * side + inset, corner + (at + 1.0f) * side - inset, fill);
  };
  const std::size_t shown = std::min(launch.locations.size(), warps * explain::kWarpLanes);
  std::size_t idle = 0;
  for (std::size_t i = 0; i < launch.locations.size(); ++i) {
    const explain::ThreadLocation& thread = launch.locations[i];
    const glm::vec2 at(thread.cell.x, thread.cell.y);
    const bool is_done = i < shown;
    if (thread.has_cell) {
      square(at, 1, is_done ? colour : ImGui::GetColorU32(theme::colours().hover));
    } else if (is_done) {
      ++idle;
      square(at, std::floor(side * 0.3f), ImGui::GetColorU32(theme::colours().warning));
    }
  }
  // Bytes of one generation, in rows as long as the square: what the map allocates for the same cells.
  const float text_x = corner.x + side * static_cast<float>(tiled.width) + ImGui::GetFontSize() * 0.6f;
  float y = corner.y;
  const auto count = [&](const Text& number, const char* name, const glm::vec4& paint) {
    const float size = ImGui::GetFontSize() * 1.5f;
    if (y + size + line > area.end().y) return;
    list.AddText(font_of(FontFace::kBold, size), size, {text_x, y}, ImGui::GetColorU32(paint),
                 number.c_str());
    y += size;
    list.AddText({text_x, y}, ImGui::GetColorU32(theme::colours().muted), name);
    y += line * 1.1f;
  };
  count(format_count(shown), "threads", theme::colours().text);
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
  const float gap = ImGui::GetFontSize();
  const float width = (area.size.x + gap) / static_cast<float>(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i)
    draw_launch(launches[i],
                {{area.corner.x + width * static_cast<float>(i), area.corner.y}, {width - gap, area.size.y}},
                warps);
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
                edit.settings.workspace = application.index_of(LifeState::kId);
                life.request([](LifeEdit& of_life) { of_life.commands.show_me = true; });
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
           show_scene(read_lesson_scene(scene), application, life, mandelbrot, solid, edit.settings);
         }});
  }
  return pictures;
}

}  // namespace loom::app
