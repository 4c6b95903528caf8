#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/document/scene/window/file_browser.h"
#include "app/files/fractal_file.h"
#include "app/gui/layout.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/draw/generator_draft.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The Fractal editor: a dialog that shows the grid of replicas and previews of levels 1 to 4.
class FractalEditor {
 public:
  FractalEditor();

  /// Opens the dialog with the current fractal, or with the existing draft if that was started from it.
  void open(const NbbFractal& runs);
  /// True if show() must be called.
  bool active() const { return open_ || begin_ || task_.running(); }
  bool is_open() const { return open_; }
  /// Draws one frame; `square_points` as in the picture. Returns once the fractal to apply, with the rule of
  /// the file that it came from. Save writes that rule, otherwise `runs`.
  std::optional<FractalFile> show(bool square_points, LifeRule runs);

  const GeneratorDraft& draft() const { return draft_; }
  const std::string& problem() const { return problem_; }
  /// Result of the last file operation.
  const std::string& file_message() const { return file_message_; }
  const scene::FileBrowser& browser() const { return browser_; }
  /// Areas of the controls, for tests; empty while the dialog is closed.
  const std::map<std::string, Area, std::less<>>& areas() const { return places_; }

 private:
  static constexpr int kLevels = 4;
  struct Preview {
    render::ColourTexture texture;
    int side = 0;
  };

  void note_step(const GeneratorDraft& before);
  std::optional<NbbFractal> fractal() const;
  void box(float side);
  void rows();
  void brush_row();
  void start_row();
  void click_row();
  void levels_row();
  void previews(float side, bool square_points);
  void refresh(int side, bool square_points);
  void keys();
  void files(LifeRule runs);
  void write(const std::filesystem::path& file, LifeRule rule);
  void read(const std::filesystem::path& file);
  void take();

  bool open_ = false;
  bool begin_ = false;
  bool close_ = false;
  GeneratorDraft draft_;
  std::optional<NbbFractal> source_fractal_;  ///< the draft's original, with its own numbering
  std::optional<LifeRule> rule_;              ///< of the opened file; nothing once the fractal was applied
  std::optional<NbbFractal> active_fractal_;
  DraftHistory history_;
  BrushSymmetry symmetry_ = BrushSymmetry::kNone;
  /// What a click on the grid does.
  enum class Click { kPaint, kRotate, kMirror };
  Click click_ = Click::kPaint;
  std::uint64_t random_seed_ = 0;
  std::optional<GeneratorDraft> draft_before_stroke_;  ///< before the current brush stroke
  std::optional<GeneratorDraft> draft_before_typing_;
  bool stroke_on_ = false;
  std::string problem_;
  std::string advice_;
  std::array<Preview, kLevels> previews_;
  std::optional<GeneratorDraft> shown_;  ///< the draft that the previews show
  bool shown_square_ = false;
  std::string file_message_;
  bool file_failed_ = false;
  scene::FileBrowser browser_;
  std::map<std::string, Area, std::less<>> places_;

  Task<std::string> task_;  ///< returns what was saved, in words
};

}  // namespace loom::app
