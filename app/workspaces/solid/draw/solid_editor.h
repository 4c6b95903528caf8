#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/document/scene/window/file_browser.h"
#include "app/files/solid_file.h"
#include "app/gui/layout.h"
#include "app/tasks/task.h"
#include "app/workspaces/solid/draw/solid_draft.h"
#include "render/colour_texture.h"
#include "render/palette.h"

namespace loom::app {

/// The Fractal editor of the 3-D workspace: a dialog with the generator slice by slice along z, and a preview
/// of level 2.
class SolidEditor {
 public:
  SolidEditor();

  /// Opens the dialog with the current fractal, or with the existing draft if that was started from it.
  void open(const SolidFractal& runs);
  /// True if show() must be called.
  bool active() const { return open_ || begin_ || task_.running(); }
  bool is_open() const { return open_; }
  /// Draws one frame. Returns once the fractal to apply, with the rule of the file that it came from. Save
  /// writes that rule, otherwise `runs`.
  std::optional<SolidFile> show(const render::Palette& palette, SolidRule runs);

  const SolidDraft& draft() const { return draft_; }
  const std::string& problem() const { return problem_; }
  const std::string& file_message() const { return file_message_; }
  const scene::FileBrowser& browser() const { return browser_; }
  /// Areas of the controls, for tests; empty while the dialog is closed.
  const std::map<std::string, Area, std::less<>>& areas() const { return places_; }

 private:
  std::optional<SolidFractal> fractal() const;
  void note_step(const SolidDraft& before);
  void slices(float side);
  void rows();
  void preview(float side, const render::Palette& palette);
  void files(SolidRule runs);
  void take();

  bool open_ = false;
  bool begin_ = false;
  bool close_ = false;
  SolidDraft draft_;
  std::optional<SolidFractal> source_;  ///< the draft's original, with its own numbering
  std::optional<SolidFractal> active_fractal_;
  std::optional<SolidRule> rule_;  ///< of the opened file
  std::vector<SolidDraft> undo_;
  std::vector<SolidDraft> redo_;
  std::optional<SolidDraft> before_stroke_;
  bool stroke_on_ = false;
  std::string problem_;
  std::optional<SolidDraft> previewed_;
  render::ColourTexture texture_;
  std::string file_message_;
  bool file_failed_ = false;
  scene::FileBrowser browser_;
  std::map<std::string, Area, std::less<>> places_;
  Task<std::string> task_;  ///< returns what was saved, in words
};

}  // namespace loom::app
