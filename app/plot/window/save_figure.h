#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/plot/pane_figure.h"
#include "app/tasks/task.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// A figure that can be exported.
struct FigureSource {
  std::string label;  ///< "scene: cells", "pane 2: steps"
  plot::PaneFigure what = plot::PaneFigure::kCells;
  std::string name;             ///< suggested file name without ending
  std::string disabled_reason;  ///< why there is no figure at present; empty if there is one
};

using plot::FigureJob;

/// The dialog that exports the content of a pane: SVG, PDF or PNG for print, numbers as CSV or LaTeX, drawn
/// by the functions of `fractal-loom figure`. Existing files are replaced only after confirmation.
class SaveFigure {
 public:
  struct Request {
    std::size_t source = 0;
    std::string file;
    double text_size = 11;  ///< points
    bool replace = false;
  };

  /// Opens the dialog with this source.
  void open(std::size_t source);
  /// Whether show() must be called.
  bool active() const { return open_ || begin_ || busy(); }
  bool is_open() const { return open_; }
  /// Draws a frame. Returns the request to write, once.
  std::optional<Request> show(std::span<const FigureSource> sources);
  /// Writes the figure in the background; the dialog shows the outcome.
  void write(const Request& request, FigureJob job);
  /// Reports why there is no figure.
  void show_problem(const std::string& problem);
  bool busy() const { return task_.running(); }

  const std::string& file() const { return file_; }
  const std::string& saved() const { return saved_; }
  const std::string& problem() const { return problem_; }
  /// Areas of the controls, for tests; empty while closed.
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }

 private:
  void suggest(const FigureSource& source);
  void clear_outcome();
  void extension_row(const FigureSource& source);
  std::optional<Request> buttons(const FigureSource& source);
  void take();

  bool open_ = false;
  bool begin_ = false;  ///< open it in this frame
  std::size_t source_ = 0;
  std::string file_;
  std::string suggested_;  ///< suggested name; an unedited name follows the source
  std::string extension_ = ".svg";
  float text_size_ = 11;
  bool file_exists_ = false;
  bool asked_ = false;  ///< a request waits until the scene is at rest
  std::string saved_;
  std::string problem_;
  std::map<std::string, Area, std::less<>> areas_;

  Task<std::string> task_;  ///< returns what was saved, in words
};

}  // namespace loom::app
