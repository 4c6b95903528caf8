#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <nlohmann/json.hpp>

#include "app/files/output_file.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "compute/core/input_text.h"
#include "compute/map_code/code.h"

namespace loom::app {
namespace {

constexpr double kPause = 0.3;  ///< seconds without a change until the picture follows
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 20;

struct FormulaTemplate {
  const char* name;
  const char* code;
};
constexpr std::array kTemplates = {
    FormulaTemplate{"Mandelbrot", R"(// One step of the orbit of z, which begins
// at the pixel's point c.
Complex next(Complex z, Complex c) {
  return sqr(z) + c;
}
)"},
    FormulaTemplate{"Burning Ship", R"(Complex next(Complex z, Complex c) {
  return sqr(complex(abs(z.re), abs(z.im))) + c;
}
)"},
    FormulaTemplate{"Sine", R"(// Orbits with |z| below this number go on.
const double escape_radius = 12;

Complex next(Complex z, Complex c) {
  return c * sin(z);
}
)"},
    FormulaTemplate{"Newton's method for z^3 = 1",
                    R"(// The distance to the root that was reached, so that dwells count the steps.
const double escape_radius = 1000;

Complex next(Complex z, Complex c) {
  Complex step = (pow(z, 3) - 1) / (3 * sqr(z));
  if (abs(step) < 1e-3) return complex(1e4, 0);
  return z - step;
}
)"},
    FormulaTemplate{"Mandelbulb (3-D)", R"(// One step of the orbit of v, which begins at
// the sample's point c.
Vector next(Vector v, Vector c) {
  double r = abs(v);
  if (r == 0) return c;
  double theta = 8 * acos(v.z / r);
  double phi = 8 * atan2(v.y, v.x);
  double s = sin(theta);
  return sqr(sqr(sqr(r))) * vector(s * cos(phi), s * sin(phi), cos(theta)) + c;
}
)"},
    FormulaTemplate{"Mandelbox (3-D)", R"(// The box has side 2 fold, the sphere half of it.
const double fold = 0.2;
const double scale = 2;
const double escape_radius = 3;

double folded(double x) {
  return x > fold ? 2 * fold - x : x < -fold ? -2 * fold - x : x;
}

Vector next(Vector v, Vector c) {
  v = vector(folded(v.x), folded(v.y), folded(v.z));
  double square = dot(v, v);
  if (square < fold * fold / 4)
    v *= 4;
  else if (square < fold * fold)
    v *= fold * fold / square;
  return scale * v + c;
}
)"}};
constexpr const char* kInSpace = kTemplates[4].code;

}  // namespace

FormulaPanel::FormulaPanel()
    : browser_({"Open a formula", "Save the formula", "No .cu files in this folder"}) {
  editor_.text().set(kTemplates[0].code);
  kept_version_ = seen_version_ = editor_.text().version();
}

void FormulaPanel::load(const CustomFormula& formula) {
  editor_.text().set(formula.text(), formula.origin(), true);
  if (runs_.contains(editor_.text().text())) editor_.text().accept();
  kept_version_ = seen_version_ = editor_.text().version();
}

void FormulaPanel::keep(MandelbrotSettings& settings) {
  const code::CodeText& text = editor_.text();
  const CustomFormula formula(text.text(), text.origin());
  // Code with problems belongs to the set that is shown.
  const bool in_space = dimensions_of(formula) == 0 ? settings.volume.shown : dimensions_of(formula) == 3;
  (in_space ? settings.volume.config.custom : settings.config.set.custom) = formula;
  kept_ = settings.shown_formula();
  kept_version_ = text.version();
}

int FormulaPanel::dimensions() {
  const MapProgram& program = editor_.program();
  return program.problems.empty() ? program.code->dimensions() : 0;
}

void FormulaPanel::update(MandelbrotSettings& settings) {
  const CustomFormula formula = settings.shown_formula();
  if (formula != kept_ && !formula.empty()) {
    if (formula.text() != editor_.text().text() || !formula.origin().empty()) load(formula);
    if (formula.origin().empty()) {
      editor_.text().accept();
      runs_.insert(formula.text());
    }
    // Code that waits for Run is shown.
    settings.show_formula = settings.show_formula || !editor_.text().origin().empty();
    keep(settings);
  } else if (settings.shows_formula() && formula.empty()) {
    const bool in_space = settings.volume.shown;
    if (dimensions() != (in_space ? 3 : 2))
      editor_.text().set(in_space ? kInSpace : kTemplates[0].code, {}, false);
    keep(settings);
  }
  steps_.record();
  const std::uint64_t version = editor_.text().version();
  if (steps_.is_active() && stepped_version_ != version) steps_.end();
  const double now = ImGui::GetTime();
  if (version != seen_version_) changed_at_ = now;
  seen_version_ = version;
  waits_ = version != kept_version_;
  if (waits_ && now - changed_at_ > kPause) keep(settings);
}

// The user pressed Run.
void FormulaPanel::run(MandelbrotSettings& settings) {
  steps_.end();
  editor_.text().accept();
  runs_.insert(editor_.text().text());
  if (dimensions() != 0) settings.volume.shown = dimensions() == 3;
  if (settings.volume.shown) {
    show_volume(settings.volume, VolumeSet::kCustom);
  } else {
    settings.config.set.formula = Formula::kCustom;
  }
  keep(settings);
}

bool FormulaPanel::button(const char* label, const char* hint, bool is_primary, std::string_view reason) {
  const bool pressed = choice_button(label, is_primary, button_width(label), reason, hint);
  areas_[label] = item_area();
  ImGui::SameLine();
  return pressed;
}

void FormulaPanel::bar(MandelbrotSettings& settings) {
  const bool is_trusted = editor_.text().origin().empty();
  if (button("Run", "Shows the set of this formula (Ctrl Enter)", true)) run(settings);
  const std::string no_steps = !is_trusted ? "Run the code before you step through it"
                               : editor_.program().problems.empty() ? ""
                                                                    : "The code has problems";
  if (button("Step", "Steps through next() for 32 pixels at the cursor, or 32 samples, as a warp (F11)",
             false, no_steps))
    step(code::EditorCommand::kStepInto, settings);
  if (button("Templates", "Replaces the code. Ctrl Z in the editor brings the old code back"))
    ImGui::OpenPopup("##templates");
  if (ImGui::BeginPopup("##templates")) {
    for (const FormulaTemplate& one : kTemplates) {
      if (ImGui::Selectable(one.name)) {
        editor_.text().set(one.code, {}, false);
        editor_.focus();
      }
      areas_[fmt::format("template {}", one.name)] = item_area();
    }
    ImGui::EndPopup();
  }
  if (button("Open...", "Opens the code of a formula (Ctrl O). It runs after you have pressed Run"))
    command(code::EditorCommand::kOpen, settings);
  if (button("Save...", "Saves the code, for --formula-file (Ctrl S)"))
    command(code::EditorCommand::kSave, settings);
  if (button("Close", "Back to the picture alone (Esc). The code is kept")) settings.show_formula = false;
  ImGui::NewLine();
}

void FormulaPanel::step(code::EditorCommand command, const MandelbrotSettings& settings) {
  if (command == code::EditorCommand::kNone) return;
  const bool begins = !steps_.is_active();
  if (begins && (command == code::EditorCommand::kStop || !editor_.text().origin().empty() ||
                 !editor_.program().problems.empty()))
    return;
  if (begins) {
    FormulaLanes lanes;
    const std::optional<JuliaPoint>& julia = settings.config.set.julia;
    const VolumeBox& box = settings.volume.config.box;
    for (std::size_t axis = 0; axis < 3 && dimensions() == 3; ++axis) {
      // A row through the middle of the cube.
      for (std::size_t i = 0; i < pixels_.size(); ++i) {
        const double share = axis == 0 ? static_cast<double>(i) / 32 : 0.5;
        lanes.numbers[axis][i] = lanes.numbers[3 + axis][i] =
            box.low[axis] + share * (box.high[axis] - box.low[axis]);
      }
    }
    for (std::size_t i = 0; i < pixels_.size() && dimensions() == 2; ++i) {
      const glm::dvec2 c = julia ? glm::dvec2(julia->re, julia->im) : pixels_[i];
      lanes.numbers[0][i] = pixels_[i].x;
      lanes.numbers[1][i] = pixels_[i].y;
      lanes.numbers[2][i] = c.x;
      lanes.numbers[3][i] = c.y;
    }
    steps_.begin(editor_.program(), lanes);
    stepped_version_ = editor_.text().version();
  } else if (const auto next = steps_.next_lanes();
             next && command != code::EditorCommand::kStepBack && command != code::EditorCommand::kStop) {
    steps_.begin(editor_.program(), *next);  // of the same orbits
  } else {
    steps_.act(command, editor_.breakpoints(), editor_.cursor_line());
  }
  if (steps_.is_active()) editor_.go_to_line(steps_.line());
}

void FormulaPanel::command(code::EditorCommand command, MandelbrotSettings& settings) {
  if (command == code::EditorCommand::kRun) return run(settings);
  if (command == code::EditorCommand::kOpen)
    return browser_.open(scene::FileBrowser::Mode::kOpen, "", {kExtension});
  if (command == code::EditorCommand::kSave)
    return browser_.open(scene::FileBrowser::Mode::kSave, "my-formula.cu", {kExtension});
  step(command, settings);
}

bool FormulaPanel::press(const KeyPress& press, MandelbrotSettings& settings) {
  if (!settings.show_formula) return false;
  if (press.key == GLFW_KEY_ENTER && press.ctrl) return run(settings), true;
  if (const auto by = code::step_command(press.key, press.ctrl, press.shift);
      by != code::EditorCommand::kNone && steps_.is_active())
    return step(by, settings), true;
  if (press.key != GLFW_KEY_ESCAPE) return false;
  steps_.is_active() ? steps_.end() : void(settings.show_formula = false);
  return true;
}

void FormulaPanel::status_row(const MandelbrotSettings& settings) {
  const theme::Colours& colours = theme::colours();
  const auto say = [this](const glm::vec4& colour, std::string text) {
    ImGui::PushStyleColor(ImGuiCol_Text, {colour.r, colour.g, colour.b, colour.a});
    wrapped_text(text);
    ImGui::PopStyleColor();
    status_ = std::move(text);
  };
  const std::vector<CodeProblem>& problems = editor_.program().problems;
  if (const std::string& origin = editor_.text().origin(); !origin.empty())
    return say(colours.warning,
               fmt::format("This code came with {}. Read it, then press Run to run it", origin));
  if (!problems.empty()) return say(colours.error, fmt::format("\u2717 {}", to_string(problems.front())));
  if (!settings.shows_formula() || dimensions() != (settings.volume.shown ? 3 : 2))
    return say(colours.muted, "Run shows the set of this formula");
  say(colours.success, waits_ ? "..." : "\u2713 The picture shows this formula");
}

void FormulaPanel::show(const Area& area, MandelbrotSettings& settings,
                        const std::array<glm::dvec2, 32>& pixels) {
  areas_.clear();
  if (!steps_.is_active()) pixels_ = pixels;
  begin_fixed_window("##formula", area,
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollbar |
                         ImGuiWindowFlags_NoScrollWithMouse);
  command(editor_.take_command(), settings);
  if (steps_.is_active()) {
    step(steps_.bar(!editor_.breakpoints().empty()), settings);
  } else {
    bar(settings);
  }
  code::ExecutionMarks marks;
  if (steps_.is_active()) {
    steps_.position_row(steps_.hovered_lane().value_or(steps_.lane()));
    marks = steps_.marks();
  } else {
    status_row(settings);
  }
  glm::vec2 room = ImGui::GetContentRegionAvail();
  if (steps_.is_active()) room.y /= 2;
  editor_.show("##code", room, editor_.program().problems, marks);
  areas_["editor"] = editor_.area();
  if (steps_.is_active()) steps_.table();
  ImGui::End();
  const bool used = browser_.show([&](const std::filesystem::path& file) {
    if (browser_.what() == scene::FileBrowser::Mode::kSave) {
      write_file(file, editor_.text().text());
      message_ = Message::success("Saved " + file.string());
    } else {
      load(CustomFormula(read_input(file.string(), kMaxFile, "the code of a formula"),
                         file.filename().string()));
      keep(settings);
    }
  });
  if (used) editor_.focus();
}

void FormulaPanel::add_state(nlohmann::ordered_json& json) const {
  json = {{"text", editor_.text().text()},
          {"focused", editor_.is_focused()},
          {"origin", editor_.text().origin()},
          {"status", status_},
          {"waits", waits_}};
  steps_.add_state(json);
  json["places"] = numbers_of(areas_);
  json["places"].update(nlohmann::ordered_json(numbers_of(steps_.areas(), "step ")));
}

}  // namespace loom::app
