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
  /// Whether show() has something to do.
  bool active() const { return open_ || begin_ || task_.running(); }
  bool is_open() const { return open_; }
  /// One frame of it, `square_points` as the picture draws them. The fractal that is to run, once, with the
  /// rule of the file that it came from; Save writes that rule, or the one that runs.
  std::optional<FractalFile> show(bool square_points, LifeRule runs);

  const GeneratorDraft& draft() const { return draft_; }
  const std::string& problem() const { return problem_; }
  /// What came of the last file, in words.
  const std::string& file_message() const { return file_message_; }
  const scene::FileBrowser& browser() const { return browser_; }
  /// Where things are, for tests; empty while it is closed.
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
  std::optional<NbbFractal> source_fractal_;  ///< as it was chosen, with its own numbering
  std::optional<LifeRule> rule_;              ///< of the file that was opened; nothing once it runs
  std::optional<NbbFractal> active_fractal_;
  DraftHistory history_;
  Symmetry symmetry_ = Symmetry::kNone;
  std::uint64_t random_seed_ = 0;
  std::optional<GeneratorDraft> draft_before_stroke_;  ///< before the stroke, or the letters, under way
  std::optional<GeneratorDraft> draft_before_typing_;
  bool stroke_on_ = false;
  std::string problem_;
  std::string advice_;
  std::array<Preview, kLevels> previews_;
  std::optional<GeneratorDraft> shown_;  ///< that the previews are of
  bool shown_square_ = false;
  std::string file_message_;
  bool file_failed_ = false;
  scene::FileBrowser browser_;
  std::map<std::string, Area, std::less<>> places_;

  Task<std::string> task_;  ///< returns what was saved, in words
};

}  // namespace loom::app
