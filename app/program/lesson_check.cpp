#include "app/program/lesson_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/options/options.h"
#include "app/program/workspace_formats.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// The window size for the check: a small window at the projector's text size has the least space.
constexpr glm::ivec2 kChecked{1280, 720};
/// Frames after which the layout is stable and the picture has been computed often enough for its metrics to
/// be available.
constexpr int kFramesAfterScene = 24;
constexpr int kMaxFrames = 400;

class LessonChecker {
 public:
  LessonChecker(const lessons::Lesson& lesson, bool with_images)
      : lesson_(lesson),
        with_images_(with_images),
        context_(open()),
        program_(settings(with_images), *context_, {.waits = true, .is_pipelined = false}) {
    program_.lessons().play(lesson);
  }

  std::vector<LessonStepResult> run() {
    std::vector<LessonStepResult> checked;
    for (const lessons::LessonStep& step : lesson_.steps) {
      if (!checked.empty()) program_.lessons().next();
      checked.push_back(check(step));
    }
    return checked;
  }

 private:
  static std::unique_ptr<render::GraphicsContext> open() {
    try {
      return render::make_offscreen(kChecked, -1);
    } catch (const std::runtime_error& error) {
      throw MachineError(
          fmt::format("lessons cannot be checked without an off-screen window: {}", error.what()));
    }
  }

  // Uses the CPU, so that results do not depend on the machine.
  static ProgramSettings settings(bool with_images) {
    ProgramOptions options;
    options.scene.backend = "cpu";
    ProgramSettings settings = read_program_settings(options);
    settings.life.playing = false;
    settings.shell.ui_pixels = with_images ? kDefaultUiPixels : kLectureUiPixels;
    return settings;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw lessons::at_line(lesson_, line, what);
  }

  void settle(std::size_t line) {
    Application& application = program_.application();
    for (int frame = 0; frame < kMaxFrames; ++frame) {
      application.frame();
      if (!application.message().empty()) fail(line, "the scene cannot run: " + application.message());
      const bool computing =
          &application.shown() == &program_.mandelbrot() && !program_.mandelbrot().is_computed();
      if (frame >= kFramesAfterScene && !computing) return;
    }
    fail(line,
         "the scene is still not computed after many frames; allowed: a scene that is computed quickly");
  }

  // Adds the line number to the error of an expression.
  template <typename Check>
  auto at(std::size_t line, Check&& check) {
    try {
      return check();
    } catch (const InputError& error) {
      fail(line, error.what());
    }
  }

  // The picture with its overlays and legend, without the columns of plain background at the right.
  render::RgbImage picture_image() {
    const auto area = program_.application().state().at("picture_area").get<std::array<float, 4>>();
    const render::RgbImage whole = render::read_framebuffer(context_->framebuffer(), kChecked);
    const glm::ivec2 corner(static_cast<int>(area[0]), static_cast<int>(area[1]));
    glm::ivec2 size =
        glm::min(glm::ivec2(static_cast<int>(area[2]), static_cast<int>(area[3])), kChecked - corner);
    const auto pixel = [&](int x, int y) {
      return whole.rgb.begin() + 3 * (std::ptrdiff_t{corner.y + y} * kChecked.x + corner.x + x);
    };
    const auto is_plain = [&](int x) {
      for (int y = 0; y < size.y; ++y) {
        if (!std::equal(pixel(x, y), pixel(x, y) + 3, pixel(size.x - 1, 0))) return false;
      }
      return true;
    };
    int width = size.x;
    while (width > size.x / 2 && is_plain(width - 1)) --width;
    size.x = width;
    render::RgbImage image{.size = size, .rgb = {}};
    for (int y = 0; y < size.y; ++y) image.rgb.insert(image.rgb.end(), pixel(0, y), pixel(0, y) + 3 * size.x);
    return image;
  }

  LessonStepResult check(const lessons::LessonStep& step) {
    settle(step.scene.line > 0 ? step.scene.line : step.line);
    const lessons::ReportValues values = program_.lessons().values();
    const auto text = [&](const lessons::LessonText& one) { at(one.line, [&] { one.text.check(values); }); };
    text(step.text);
    if (step.highlight && !program_.application().control_marks().visible_area(*step.highlight)) {
      fail(step.highlight_line, fmt::format("the control {} is not visible in this scene; allowed: a control "
                                            "that the panels of the scene show",
                                            name_of(*step.highlight)));
    }
    LessonStepResult checked{.title = step.title, .answer = {}};
    checked.text = step.text.text.with(values);
    if (with_images_) checked.image = picture_image();
    if (!step.question) return checked;
    const lessons::Question& question = *step.question;
    text(question.ask);
    text(question.hint);
    for (const lessons::LessonText& choice : question.choices) text(choice);
    checked.question = question.ask.text.with(values);
    checked.unit = question.unit;
    for (const lessons::LessonText& choice : question.choices)
      checked.choices.push_back(choice.text.with(values));
    if (question.kind == lessons::Question::Kind::kCell) {
      check_cell(question, values);
    } else if (question.kind == lessons::Question::Kind::kChoice) {
      at(question.answer_line, [&] { lessons::right_choice(question, values); });
    }
    const lessons::ReportValues now = program_.lessons().values();
    checked.answer = at(question.answer_line, [&] { return lessons::shown_answer(question, now); });
    at(question.after.line, [&] { question.after.text.check(now); });
    checked.after = question.after.text.with(now);
    return checked;
  }

  // Pins the point that the lesson defines as correct and verifies that it is accepted. The scene must not
  // start with a correct point pinned.
  void check_cell(const lessons::Question& question, const lessons::ReportValues& values) {
    if (values.known.contains("pinned1") && lessons::is_right_cell(question, values))
      fail(question.answer_line,
           "the scene starts with the correct point pinned; allowed: another point, or none");
    const lessons::GridPoint cell =
        at(question.cell_line, [&] { return lessons::right_cell(question, values); });
    program_.life().request([cell](LifeEdit& edit) {
      if (edit.settings.show_thread) edit.settings.pinned = Coord64{cell.x, cell.y};
    });
    settle(question.line);
    const lessons::ReportValues now = program_.lessons().values();
    if (!now.known.contains("pinned1"))
      fail(question.line, "no point can be pinned in this scene; allowed: a scene with the key thread");
    if (!at(question.answer_line, [&] { return lessons::is_right_cell(question, now); })) {
      fail(question.cell_line,
           fmt::format("the point ({}, {}) does not satisfy '{}'; allowed: a point that does", cell.x, cell.y,
                       question.answer.text()));
    }
  }

  const lessons::Lesson& lesson_;
  bool with_images_;
  std::unique_ptr<render::GraphicsContext> context_;
  Program program_;
};

}  // namespace

std::vector<LessonStepResult> check_lesson(const lessons::Lesson& lesson, bool with_images) {
  return LessonChecker(lesson, with_images).run();
}

lessons::Lesson load_lesson(const std::string& name_or_file) {
  return lessons::find_lesson(name_or_file, report_fields(),
                              [](const lessons::SceneSettingList& scene) { read_lesson_scene(scene); });
}

namespace {

/// Limit that keeps the preparation of a scene short.
constexpr std::uint64_t kMaxCheckSteps = 100000;

std::string allowed_keys(const CLI::App& app) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : app.get_options()) keys.push_back(option->get_name().substr(2));
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// Reports a level that exceeds memory as an error in the lesson with its line, instead of ending the window.
ProgramSettings settings_of(const ProgramOptions& options) {
  try {
    return read_program_settings(options);
  } catch (const MachineError& error) {
    throw InputError(error.what());
  }
}

}  // namespace

LessonScene read_lesson_scene(const lessons::SceneSettingList& entries) {
  ProgramOptions options;
  std::string steps = "0";
  bool play = false;
  CLI::App app("scene");
  app.set_help_flag();
  add_scene_options(app, options.scene,
                    SceneOptionGroup::kFractal | SceneOptionGroup::kLevel | SceneOptionGroup::kMethod |
                        SceneOptionGroup::kWorkload | SceneOptionGroup::kLife | SceneOptionGroup::kPalette |
                        SceneOptionGroup::kThreads | SceneOptionGroup::kPanes);
  add_workspace_option(app, options);
  add_mandelbrot_scene_options(app, options.mandelbrot);
  add_mandelbrot_window_options(app, options.mandelbrot);
  app.add_option("--steps", steps);
  app.add_flag("--play", play);

  std::vector<std::string> typed;
  for (const lessons::SceneSetting& word : entries.entries) {
    const std::string option = "--" + word.key;
    const CLI::Option* known = app.get_option_no_throw(option);
    if (known == nullptr) {
      throw InputError(fmt::format("unknown scene key '{}'; allowed: {}", word.key, allowed_keys(app)));
    }
    if (known->get_expected_min() == 0 && word.value) {
      throw InputError(
          fmt::format("{} of a scene: '{}' is not allowed; allowed: true, false", word.key, *word.value));
    }
    typed.push_back(word.value ? option + "=" + *word.value : option);
  }
  std::reverse(typed.begin(), typed.end());
  try {
    app.parse(typed);
  } catch (const CLI::ParseError& error) {
    throw InputError(
        fmt::format("{}; allowed: the options of fractal-loom view with their values", error.what()));
  }
  LessonScene scene{.settings = settings_of(options)};
  // Lessons are about integer dwells and the work that filling regions saves.
  if (!typed_value(options.mandelbrot.fields, "colouring"))
    scene.settings.mandelbrot.colouring = Colouring::kBands;
  scene.steps = read_whole_number<std::uint32_t>("--steps", steps, 0, kMaxCheckSteps);
  scene.settings.life.playing = play;
  scene.settings.solid.playing = play;
  return scene;
}

std::optional<scene::Scene> open_scene(const SceneOptions& options) {
  if (!options.open) return std::nullopt;
  if (const FileKind kind = kind_of_file(*options.open); kind != FileKind::kScene && kind != FileKind::kImage)
    throw InputError(
        fmt::format("--open {}: it is no scene; allowed: a scene (.loom), an image that contains one "
                    "(.png), with view, shot, video and mandelbrot a position too; fractal-loom FILE opens "
                    "other files",
                    *options.open));
  const BackendChoice backend = options.backend ? parse_backend(*options.backend) : BackendChoice::kAuto;
  return scene::read_file(
      *options.open, workspace_formats(),
      scene::capacity_check_for(select_backend(backend, read_device(options.device, backend))));
}

}  // namespace loom::app
