#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "app/code/window/code_editor.h"
#include "app/code/window/map_step_view.h"
#include "app/document/scene/window/file_browser.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/shell/toasts.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// The custom formula: an editor for its code beside the picture, which follows what the user types. Code of
/// a file waits for Run. A step of the orbits of 32 pixels is stepped as a warp of a map is.
class FormulaPanel {
 public:
  static constexpr const char* kExtension = ".cu";
  FormulaPanel();
  /// Keeps the text in the settings, and takes what a scene or an undo step has set. Call every frame.
  void update(MandelbrotSettings& settings);
  /// Draws the panel. `pixels`: the points of 32 neighbouring pixels, whose orbits are stepped.
  void show(const Area& area, MandelbrotSettings& settings, const std::array<glm::dvec2, 32>& pixels);
  /// As MapCodePanel::press().
  bool press(const KeyPress& press, MandelbrotSettings& settings);
  void focus() { editor_.focus(); }
  Message take_message() { return std::exchange(message_, {}); }
  bool is_animating() const { return steps_.is_recording() || waits_; }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  void load(const CustomFormula& formula);
  void keep(MandelbrotSettings& settings);
  void run(MandelbrotSettings& settings);
  void command(code::EditorCommand command, MandelbrotSettings& settings);
  void step(code::EditorCommand command, const MandelbrotSettings& settings);
  void bar(MandelbrotSettings& settings);
  void status_row(const MandelbrotSettings& settings);
  bool button(const char* label, const char* hint, bool is_primary = false, std::string_view reason = {});

  code::CodeEditor editor_{CodeLanguage::kDoubleFormula};
  CustomFormula kept_;  ///< as in the settings
  std::uint64_t kept_version_ = 0;
  std::uint64_t seen_version_ = 0;
  double changed_at_ = 0;                    ///< seconds
  bool waits_ = false;                       ///< for a pause in typing
  std::set<std::string, std::less<>> runs_;  ///< texts on which the user has pressed Run
  MapStepView steps_;
  std::uint64_t stepped_version_ = 0;
  std::array<glm::dvec2, 32> pixels_ = {};
  scene::FileBrowser browser_;
  Message message_;
  std::string status_;
  std::map<std::string, Area, std::less<>> areas_;
};

}  // namespace loom::app
