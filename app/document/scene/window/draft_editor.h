#pragma once

#include <imgui.h>
#include <imgui_stdlib.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/scene/window/file_browser.h"
#include "app/files/output_file.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/layout.h"
#include "app/tasks/task.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/error.h"

namespace loom::app {

/// Undo and redo steps of a draft.
template <typename Draft>
class DraftHistory {
 public:
  static constexpr std::size_t kMaxDrafts = 200;
  /// Adds an undo step if `after` differs from `before`, and clears the redo steps.
  void note(const Draft& before, const Draft& after) {
    if (before == after) return;
    if (undo_.size() == kMaxDrafts) undo_.erase(undo_.begin());
    undo_.push_back(before);
    redo_.clear();
  }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo(Draft& draft) { move(undo_, redo_, draft); }
  void redo(Draft& draft) { move(redo_, undo_, draft); }

 private:
  static void move(std::vector<Draft>& from, std::vector<Draft>& to, Draft& draft) {
    if (from.empty()) return;
    to.push_back(std::exchange(draft, std::move(from.back())));
    from.pop_back();
  }

  std::vector<Draft> undo_;
  std::vector<Draft> redo_;
};

/// The keys of the current dialog that were pressed: Ctrl Z, Ctrl Y.
struct DraftKeys {
  bool undo = false;
  bool redo = false;
};
inline DraftKeys draft_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || !io.KeyCtrl || io.WantTextInput)
    return {};
  return {imgui_compat::is_pressed(GLFW_KEY_Z), imgui_compat::is_pressed(GLFW_KEY_Y)};
}

/// What the Fractal editors have in common: a dialog around the draft of a fractal, with undo, a name and
/// files. `File` is a fractal and its rule.
template <typename Draft, typename File>
class DraftEditor {
 public:
  using Fractal = decltype(File::fractal);
  using Rule = typename decltype(File::rule)::value_type;

  /// Opens the dialog with the current fractal, or with the existing draft if that was started from it.
  void open(const Fractal& runs) {
    begin_ = true;
    file_message_.clear();
    if (active_fractal_ == runs) return;
    active_fractal_ = runs;
    start_from({runs});
    history_ = {};
  }
  /// True if show() must be called.
  bool active() const { return open_ || begin_ || task_.running(); }
  bool is_open() const { return open_; }

  const Draft& draft() const { return draft_; }
  /// What both editors have in the state report; null while the dialog is closed.
  nlohmann::ordered_json state() const {
    if (!open_) return nullptr;
    nlohmann::ordered_json places = numbers_of(places_);
    places.update(nlohmann::ordered_json(numbers_of(browser_.areas(), "browser ")));
    return {{"name", draft_.name},           {"problem", problem_},     {"told", file_message_},
            {"browser", browser_.is_open()}, {"file", browser_.name()}, {"places", std::move(places)}};
  }

 protected:
  DraftEditor() = default;
  ~DraftEditor() = default;

  virtual Draft draft_of(const Fractal& fractal) const = 0;
  /// The fractal of the draft, or nothing. An unchanged draft keeps the numbering of its source.
  virtual std::optional<Fractal> fractal() const = 0;
  /// Reads a file. Throws InputError.
  virtual File read(const std::filesystem::path& file) const = 0;

  void start_from(const File& file) {
    draft_ = draft_of(file.fractal);
    source_ = file.fractal;
    rule_ = file.rule;
  }

  void note_step(const Draft& before) {
    history_.note(before, draft_);
    if (before != draft_) file_message_.clear();
  }

  void name_row() {
    row_label("Name");
    const Draft before = draft_;
    if (ImGui::InputText("##name", &draft_.name) && !before_typing_) before_typing_ = before;
    places_["name"] = item_area();
    if (ImGui::IsItemDeactivated() && before_typing_) note_step(*std::exchange(before_typing_, std::nullopt));
  }

  /// Begins a frame; false while the dialog is closed.
  bool begin(const char* title) {
    if (const auto outcome = task_.poll()) {
      file_message_ = outcome->result.value_or(outcome->problem);
      file_failed_ = !outcome->result;
    }
    places_.clear();
    constexpr float kWidth = 44;  // font sizes
    open_ = begin_dialog(title, begin_, kWidth, 0.03f);
    return open_;
  }

  /// Ends the frame with a row of buttons. Returns once the fractal to apply, with the rule of the file that
  /// it came from. Save writes that rule, otherwise `runs`.
  std::optional<File> end(Rule runs) {
    std::optional<File> used;
    static constexpr std::array kLabels = {"Apply", "Undo", "Redo", "Save ...", "Open ...", "Close"};
    ButtonRow line(kLabels);
    const auto button = [&](const char* label, const char* area, std::string_view problem,
                            std::string_view hint) {
      const bool pressed = choice_button(label, false, line.next(), problem, hint);
      places_[area] = item_area();
      return pressed;
    };
    bool closes = false;
    const bool applies =
        primary_button(kLabels[0], line.next(), problem_, "Runs the fractal. Ctrl Z in the window goes back");
    places_["use"] = item_area();
    if (applies) {
      active_fractal_ = fractal();
      if (active_fractal_) used = File{*active_fractal_, std::exchange(rule_, std::nullopt)};
      closes = true;
    }
    if (button(kLabels[1], "undo", history_.can_undo() ? "" : "Nothing to undo", "Ctrl Z"))
      history_.undo(draft_);
    if (button(kLabels[2], "redo", history_.can_redo() ? "" : "Nothing to redo", "Ctrl Y"))
      history_.redo(draft_);
    const std::string_view problem =
        task_.running() ? "The file is being written" : std::string_view(problem_);
    if (button(kLabels[3], "save", problem, "Saves a TOML file for --fractal-file, including the rule"))
      browser_.open(scene::FileBrowser::Mode::kSave, plain_file_name(draft_.name) + ".toml", {".toml"});
    if (button(kLabels[4], "open", {}, "Opens a fractal from a TOML file"))
      browser_.open(scene::FileBrowser::Mode::kOpen, "", {".toml"});
    if (button(kLabels[5], "close", {}, "Closes the editor. Your drawing is kept")) closes = true;
    if (!file_message_.empty()) file_failed_ ? warning(file_message_) : note(file_message_);
    keys();
    files(runs);
    if (closes) ImGui::CloseCurrentPopup();
    end_dialog(places_);
    return used;
  }

  Draft draft_;
  std::optional<Rule> rule_;            ///< of the opened file; nothing once the fractal was applied
  std::string problem_;                 ///< why the draft is no fractal
  std::optional<Fractal> source_;       ///< the draft's original, with its own numbering
  std::optional<Draft> before_stroke_;  ///< before the current brush stroke
  bool stroke_on_ = false;
  std::map<std::string, Area, std::less<>> places_;

 private:
  void keys() {
    if (browser_.is_open()) return;
    const DraftKeys pressed = draft_keys();
    if (pressed.undo) history_.undo(draft_);
    if (pressed.redo) history_.redo(draft_);
  }

  void files(Rule runs) {
    browser_.show([&](const std::filesystem::path& file) {
      if (browser_.what() == scene::FileBrowser::Mode::kOpen) {
        const File opened = read(file);
        const Draft before = draft_;
        start_from(opened);
        note_step(before);
      } else if (const auto drawn = fractal(); drawn && !task_.running()) {
        // In the background, because file access may take longer than a frame. Not cancellable: the file has
        // only a few kilobytes.
        task_.start([file, text = fractal_text(File{*drawn, rule_.value_or(runs)})](ProgressMonitor&) {
          write_file(file, text);
          return "Saved " + file.string();
        });
      }
    });
  }

  bool open_ = false;
  bool begin_ = false;
  std::optional<Fractal> active_fractal_;
  DraftHistory<Draft> history_;
  std::optional<Draft> before_typing_;
  std::string file_message_;
  bool file_failed_ = false;
  scene::FileBrowser browser_{
      {.open = "Open fractal", .save = "Save fractal", .nothing = "No TOML files in this folder"}};
  Task<std::string> task_;  ///< returns what was saved, in words
};

}  // namespace loom::app
