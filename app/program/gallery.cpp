#include "app/program/gallery.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "app/explain/thread_space.h"
#include "app/gui/theme.h"
#include "app/program/lesson_check.h"
#include "app/program/program_lesson_host.h"
#include "app/text/format.h"
#include "app/workspaces/life/document/life_renderer.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

lessons::SceneSettingList scene_of(std::vector<lessons::SceneSetting> entries) {
  return {.entries = std::move(entries)};
}

std::vector<std::uint32_t> picture_of(const lessons::SceneSettingList& entries, glm::ivec2 size,
                                      ProgressMonitor& watch) {
  const LessonScene described = read_lesson_scene(entries);
  scene::Scene scene = first_scene(described.settings);
  const auto renderer = scene.shown().renderer({.size = size,
                                                .backend = select_backend(BackendChoice::kCpu, 0),
                                                .palette = scene.palette,
                                                .custom_palettes = scene.custom_palettes,
                                                .coloured = true},
                                               &watch);
  if (auto* const cells = dynamic_cast<LifeRenderer*>(renderer.get())) cells->step(described.steps);
  std::vector<std::uint8_t> rgb;
  renderer->rows().rows(0, size.y, rgb, &watch);
  std::vector<std::uint32_t> colours(rgb.size() / 3);
  for (std::size_t i = 0; i < colours.size(); ++i)
    colours[i] = rgb[3 * i] | rgb[3 * i + 1] << 8U | rgb[3 * i + 2] << 16U | 0xFF000000U;
  return colours;
}

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

std::span<const GalleryScene> gallery_scenes() {
  static const std::array<GalleryScene, 8> kScenes = {{
      {"Sierpinski carpet", scene_of({{"fractal", "sierpinski-carpet"},
                                      {"level", "5"},
                                      {"map", "compact"},
                                      {"palette", "inferno"},
                                      {"steps", "60"},
                                      {"play", {}}})},
      {"Candy", scene_of({{"fractal", "candy"},
                          {"level", "4"},
                          {"map", "lambda"},
                          {"palette", "viridis"},
                          {"steps", "60"},
                          {"play", {}}})},
      {"H fractal", scene_of({{"fractal", "h-fractal"},
                              {"level", "5"},
                              {"map", "bounding-box"},
                              {"palette", "magma"},
                              {"steps", "60"},
                              {"play", {}}})},
      {"Menger sponge", scene_of({{"workspace", "solid"}, {"play", {}}})},
      {"Mandelbrot set", scene_of({{"workspace", "mandelbrot"}, {"colouring", "adaptive"}})},
      {"Seahorse valley", scene_of({{"workspace", "mandelbrot"},
                                    {"view", "-0.7453,0.1127,0.0065"},
                                    {"precision", "double"},
                                    {"dwell", "2000"},
                                    {"colouring", "adaptive"}})},
      {"Double spiral", scene_of({{"workspace", "mandelbrot"},
                                  {"view", "-0.743643887,0.131825904,0.00013"},
                                  {"precision", "double"},
                                  {"dwell", "4000"},
                                  {"colouring", "adaptive"}})},
      {"Deep zoom: 5e-42", scene_of({{"workspace", "mandelbrot"},
                                     {"center",
                                      "-1."
                                      "4465672699702273706229580697781780382944283260930757913130646548991322"
                                      "438001787225129354840435505,"
                                      "0."
                                      "0000000000000000076416324526384045004431837506954871121350853570682258"
                                      "082230404350219816806820435362"},
                                     {"width", "4.6e-42"},
                                     {"dwell", "196608"},
                                     {"colouring", "adaptive"}})},
  }};
  return kScenes;
}

std::vector<StartPicture> gallery(Application& application, LifeWorkspace& life,
                                  MandelbrotWorkspace& mandelbrot, SolidWorkspace& solid) {
  std::vector<StartPicture> pictures;
  for (const GalleryScene& one : gallery_scenes()) {
    const lessons::SceneSettingList* const scene = &one.scene;
    pictures.push_back({.title = one.title,
                        .choose =
                            [scene, &application, &life, &mandelbrot, &solid](ShellEdit& edit) {
                              show_scene(read_lesson_scene(*scene), application, life, mandelbrot, solid,
                                         edit.settings);
                            },
                        .draw = [scene](glm::ivec2 size,
                                        ProgressMonitor& watch) { return picture_of(*scene, size, watch); }});
  }
  return pictures;
}

}  // namespace loom::app
