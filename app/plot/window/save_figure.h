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
#include "app/shell/worker.h"
#include "compute/engine/fractal_config.h"

namespace loom::app {

/// Something whose figure can be saved.
struct FigureSource {
  std::string label;  ///< "scene: cells", "pane 2: steps"
  plot::PaneFigure what = plot::PaneFigure::kCells;
  std::string name;     ///< for a file, without its ending
  std::string why_not;  ///< why there is no figure of it now; empty where there is one
};

/// What a figure is made of, all its own: it is drawn beside the frames.
struct FigureJob {
  plot::PaneFigure what = plot::PaneFigure::kCells;
  FractalConfig config;
  teach::Colouring colouring = {};
  std::optional<teach::ThreadRef> thread = {};
  int neighbour = 4;
  std::optional<std::vector<std::uint8_t>> alive = {};
  std::shared_ptr<const Timeline> timeline = {};
  std::optional<teach::UnitBox> part = {};
};

/// The dialog that saves what a pane shows as a file: for a page as SVG, PDF or PNG, its numbers as CSV or
/// LaTeX. The same functions draw it as `fractal-loom figure` does. Nothing that is there is overwritten
/// unasked.
class SaveFigure {
 public:
  struct Wish {
    std::size_t source = 0;
    std::string file;
    double text_size = 11;  ///< points
    bool replace = false;
  };

  /// Opens it with a figure of this source.
  void open(std::size_t source);
  /// Whether show() has something to do.
  bool active() const { return open_ || begin_ || busy(); }
  bool is_open() const { return open_; }
  /// One frame of it. Returns what is to be written, once.
  std::optional<Wish> show(std::span<const FigureSource> sources);
  /// Writes it, beside the frames; what came of it stands in the dialog.
  void write(const Wish& wish, FigureJob job);
  /// There is no figure: why.
  void refuse(const std::string& problem);
  bool busy() const { return worker_.busy(); }

  const std::string& file() const { return file_; }
  const std::string& saved() const { return saved_; }
  const std::string& problem() const { return problem_; }
  /// Where things are, for tests; empty while it is closed.
  const std::map<std::string, Area, std::less<>>& places() const { return places_; }

 private:
  void suggest(const FigureSource& source);
  void forget_outcome();
  void ending_row(const FigureSource& source);
  std::optional<Wish> buttons(const FigureSource& source);
  void take();

  bool open_ = false;
  bool begin_ = false;  ///< it is to be opened in this frame
  std::size_t source_ = 0;
  std::string file_;
  std::string suggested_;  ///< a name that the user has not touched follows the source
  std::string ending_ = ".svg";
  float text_size_ = 11;
  bool there_already_ = false;
  bool asked_ = false;  ///< a wish waits for the scene to rest
  std::string saved_;
  std::string problem_;
  std::map<std::string, Area, std::less<>> places_;

  struct Outcome {
    std::string saved;
    std::string problem;
  };
  Outcome outcome_;  ///< the worker's while it is busy
  Worker worker_;    ///< last: ends before what it works on goes
};

}  // namespace loom::app
