#include "app/program/gallery.h"

#include <array>
#include <utility>

#include "app/program/lesson_scene.h"
#include "app/program/program_lesson_host.h"
#include "app/workspaces/life/document/life_renderer.h"

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

}  // namespace

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
                              {"map", "compact"},
                              {"palette", "magma"},
                              {"steps", "60"},
                              {"play", {}}})},
      {"Empty bottles", scene_of({{"fractal", "empty-bottles"},
                                  {"level", "5"},
                                  {"map", "bounding-box"},
                                  {"palette", "cividis"},
                                  {"steps", "60"},
                                  {"play", {}}})},
      {"Mandelbrot set", scene_of({{"workspace", "mandelbrot"}})},
      {"Seahorse valley", scene_of({{"workspace", "mandelbrot"},
                                    {"view", "-0.7453,0.1127,0.0065"},
                                    {"precision", "double"},
                                    {"dwell", "2000"},
                                    {"colouring", "smooth"}})},
      {"Double spiral", scene_of({{"workspace", "mandelbrot"},
                                  {"view", "-0.743643887,0.131825904,0.00013"},
                                  {"precision", "double"},
                                  {"dwell", "4000"},
                                  {"colouring", "smooth"}})},
      {"Elephant valley", scene_of({{"workspace", "mandelbrot"},
                                    {"view", "0.2825,0.01,0.03"},
                                    {"precision", "double"},
                                    {"dwell", "2000"},
                                    {"colouring", "smooth"}})},
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
