#include "app/sketch/steps_sketch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/sketch/code_beside.h"
#include "app/sketch/fragments_sketch.h"
#include "app/teach/shuffle_steps.h"
#include "app/teach/table_steps.h"
#include "app/text/format.h"
#include "compute/core/error.h"

namespace loom::app::sketch {
namespace {

using teach::ThreadSpace;

constexpr float kTitleSize = 1.15f;

template <typename Int>
std::string pair(Coord<Int> c) {
  return format_pair(c.x, c.y);
}

/// What is written one below the other.
class Page {
 public:
  Page(StepsSketch& into, float width) : into_(into), width_(width) {}

  void title(const std::string& text) {
    name_ = text;
    if (y_ > 0) y_ += 0.6f;
    into_.sketch.text({.x = 0,
                       .y = y_,
                       .text = text,
                       .paint = Ink::kAccent,
                       .size = kTitleSize,
                       .face = Text::Face::kBold});
    y_ += Sketch::kLine * kTitleSize + 0.2f;
  }
  void say(const std::string& text, const Paint& paint = Ink::kText) {
    y_ = draw_wrapped(into_.sketch, 0, y_, width_, text, paint);
  }
  void result(const std::string& text) {
    into_.sketch.text({.x = 0, .y = y_, .text = text, .face = Text::Face::kBold});
    y_ += Sketch::kLine;
  }
  /// Rows with the squares that they are about.
  void table(Table table, std::vector<std::optional<teach::CellSquare>> squares, int marked) {
    table.name = name_;
    table.first_tag = static_cast<int>(into_.squares.size());
    const int row = marked - table.first_tag;
    if (row >= 0 && row < static_cast<int>(table.rows.size())) table.marked = row;
    into_.squares.insert(into_.squares.end(), squares.begin(), squares.end());
    y_ = draw_table(into_.sketch, 0.3f, y_, table);
  }
  void code(const CodeBeside& code, bool marked) {
    y_ += 0.4f;
    const bool has_values = std::any_of(code.lines.begin(), code.lines.end(),
                                        [](const CodeLine& line) { return !line.value.empty(); });
    std::string title = "Code in " + code.file;
    if (has_values) title += marked ? ", variables after the marked row:" : ", final variables:";
    say(title, Ink::kMuted);
    constexpr float kSize = 0.88f;
    constexpr std::size_t kValues = 58;  // letters of code beside which values stand
    const float letter = kMonoWidth * kSize;
    for (const CodeLine& line : code.lines) {
      into_.sketch.text({.x = 0.3f, .y = y_, .text = line.text, .size = kSize, .face = Text::Face::kMono});
      const bool beside = line.text.size() + 2 <= kValues;
      if (!line.value.empty()) {
        if (!beside) y_ += Sketch::kLine * kSize;  // below a long line
        into_.sketch.text({.x = 0.3f + static_cast<float>(kValues) * letter,
                           .y = y_,
                           .text = line.value,
                           .paint = Ink::kAccent,
                           .size = kSize,
                           .face = Text::Face::kBold});
      }
      y_ += Sketch::kLine * kSize;
    }
  }
  /// The number of rows so far: the next row's tag.
  int rows() const { return static_cast<int>(into_.squares.size()); }
  float y() const { return y_; }
  float width() const { return width_; }
  void move_to(float y) { y_ = y; }
  Sketch& sketch() { return into_.sketch; }

 private:
  StepsSketch& into_;
  std::string name_;
  float width_;
  float y_ = 0;
};

void loop_lambda(Page& page, const ThreadSpace& threads, Coord64 omega, int marked) {
  const teach::LambdaSteps steps = teach::lambda_steps(threads, omega);
  page.title(fmt::format("λ of tile ω {}, level by level", pair(omega)));
  Table table{.titles = {"level", "digit β", "offset τ", "weight", "τ · weight", "sum"}, .rows = {}};
  std::vector<std::optional<teach::CellSquare>> squares;
  for (const teach::LambdaStep& step : steps.steps) {
    table.rows.push_back({std::to_string(step.level),
                          fmt::format("{} from {}", step.digit, step.from_x ? "ω_x" : "ω_y"),
                          pair(step.offset), pair(step.weight), pair(step.term), pair(step.sum)});
    table.tips.push_back(step.formula);
    squares.emplace_back(step.square);
  }
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.formula_x);
  page.result(steps.formula_y);
}

void loop_nu(Page& page, const ThreadSpace& threads, Coord64 place, int marked) {
  const teach::NuSteps steps = teach::nu_steps(threads, place);
  Table table{.titles = {"level", "offset τ", "replica b", "goes to", "weight", "b · weight", "sum"},
              .rows = {}};
  std::vector<std::optional<teach::CellSquare>> squares;
  for (const teach::NuStep& step : steps.steps) {
    const bool hole = step.replica < 0;
    table.rows.push_back({std::to_string(step.level), pair(step.offset),
                          hole ? "none (hole)" : std::to_string(step.replica), step.to_x ? "ω_x" : "ω_y",
                          std::to_string(step.weight), hole ? "–" : pair(step.term),
                          hole ? "–" : pair(step.sum)});
    table.tips.push_back(step.formula);
    squares.emplace_back(step.square);
  }
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.formula_x);
  if (steps.present) page.result(steps.formula_y);
}

void look_ups(Page& page, const teach::TableSteps& steps, bool lambda, int marked) {
  Table table{.titles = {"digits of levels", "table", "index", "entry", "sum"}, .rows = {}};
  for (const teach::TableLookUp& read : steps.look_ups) {
    std::string digits = fmt::format("{}", fmt::join(read.levels, ", "));
    if (lambda) digits += read.from_x ? " of ω_x" : " of ω_y";
    const std::string size =
        lambda ? fmt::format("{} entries", read.size.x) : fmt::format("{} × {}", read.size.x, read.size.y);
    table.rows.push_back({std::move(digits), size, lambda ? std::to_string(read.number.x) : pair(read.number),
                          read.hole ? "a hole" : pair(read.entry), pair(read.sum)});
    table.tips.push_back(fmt::format("{} (entry {} in memory)", read.formula, read.index));
  }
  std::vector<std::optional<teach::CellSquare>> squares(table.rows.size());
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.formula_x);
  if (steps.present) page.result(steps.formula_y);
}

/// Lanes down, rounds to the right; lanes with nothing to add are left out but for the first of them.
void lanes_and_rounds(Page& page, const teach::ShuffleSteps& steps, int marked) {
  Table table{.titles = {"lane", "levels", "terms"}, .rows = {}};
  for (const teach::ShuffleRound& round : steps.rounds) {
    table.titles.push_back(fmt::format("xor {}", round.distance));
  }
  for (std::size_t lane = 0; lane < steps.lanes.size(); ++lane) {
    const teach::ShuffleLane& one = steps.lanes[lane];
    std::vector<std::string> row{std::to_string(lane), fmt::format("{}", fmt::join(one.levels, ", ")),
                                 one.present ? pair(one.value) : "a hole"};
    for (const teach::ShuffleRound& round : steps.rounds) row.push_back(pair(round.values[lane]));
    table.rows.push_back(std::move(row));
  }
  std::vector<std::optional<teach::CellSquare>> squares(table.rows.size());
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.present ? "All lanes hold " + pair(steps.result) : "Warp vote: a hole");
}

void matrices(Page& page, const teach::Fragments& fragments, FragmentsOf of) {
  page.move_to(draw_fragments(page.sketch(), 0, page.y(), page.width(), fragments, of));
}

void lambda_page(Page& page, const ThreadSpace& threads, Coord64 omega, int marked) {
  const std::string of = fmt::format("λ of tile ω {}", pair(omega));
  switch (threads.config().method.arithmetic) {
    case MapArithmetic::kLoop:
      return loop_lambda(page, threads, omega, marked);
    case MapArithmetic::kTable:
      page.title(of + ", by tables of several levels");
      return look_ups(page, teach::table_lambda_steps(threads, omega), true, marked);
    case MapArithmetic::kShuffle:
      page.title(of + ", one level per lane of a warp");
      return lanes_and_rounds(page, teach::shuffle_lambda_steps(threads, omega), marked);
    case MapArithmetic::kTensorFp16:
    case MapArithmetic::kTensor:
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
      page.title(of + " as a matrix product, D = A · B + C");
      return matrices(page, teach::lambda_fragments(threads, omega), FragmentsOf::kLambda);
    case MapArithmetic::kTensor3:
      for (const int axis : {0, 1}) {
        page.title(
            fmt::format("λ of tile ω {} plus the {} of each thread: D = A · B + C, C: positions in the tile",
                        pair(omega), axis == 0 ? 'x' : 'y'));
        matrices(page, teach::cell_fragments(threads, omega, axis, 0), FragmentsOf::kCells);
      }
      return;
  }
}

/// nu of the block at `at`, a neighbour of the one at `place`.
void nu_rows(Page& page, const ThreadSpace& threads, Coord64 place, Coord64 at, const std::string& of,
             int marked) {
  switch (threads.config().method.arithmetic) {
    case MapArithmetic::kLoop:
      page.title(of);
      return loop_nu(page, threads, at, marked);
    case MapArithmetic::kTable:
      page.title(of);
      return look_ups(page, teach::table_nu_steps(threads, at), false, marked);
    case MapArithmetic::kShuffle:
      page.title(of);
      return lanes_and_rounds(page, teach::shuffle_nu_steps(threads, at), marked);
    case MapArithmetic::kTensorFp16:
    case MapArithmetic::kTensor:
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
    case MapArithmetic::kTensor3:
      page.title(fmt::format("ν of all eight neighbours of tile {}", pair(place)));
      return matrices(page, teach::neighbour_fragments(threads, place), FragmentsOf::kNeighbours);
  }
}

void nu_page(Page& page, const ThreadSpace& threads, Coord64 place, int neighbour, int marked) {
  const NeighbourOffset by = offset_of_neighbour(neighbour);
  const BlockedFractal& blocked = threads.blocked();
  const auto moved = [](std::uint64_t at, int step) { return at + static_cast<std::uint64_t>(step); };
  const Coord64 at{moved(place.x, by.dx), moved(place.y, by.dy)};
  const std::string which = fmt::format("ν of the {} neighbour", name_of_neighbour(neighbour));
  if (at.x >= blocked.grid_x || at.y >= blocked.grid_y) {
    page.title(which);
    page.say("The neighbour is outside the square.");
    return;
  }
  const std::string of = fmt::format("{}, tile {}", which, pair(at));
  const int first_row = page.rows();
  nu_rows(page, threads, place, at, of, marked);
  const int row = marked >= first_row ? marked - first_row : -1;
  page.code(code_of_nu(threads, at, row, place), row >= 0);
}

}  // namespace

NeighbourOffset offset_of_neighbour(int neighbour) {
  const int which = neighbour < 4 ? neighbour : neighbour + 1;
  return {which % 3 - 1, which / 3 - 1};
}

std::string name_of_neighbour(int neighbour) {
  static constexpr std::array kNames = {"upper left", "top",        "upper right", "left",
                                        "right",      "lower left", "bottom",      "lower right"};
  return kNames.at(static_cast<std::size_t>(neighbour));
}

StepsSketch steps_sketch(const ThreadSpace& threads, const StepsWish& wish) {
  StepsSketch result;
  Page page(result, wish.width);
  const FractalConfig& config = threads.config();
  const Coord64 block = wish.block;
  if (config.method.map == MapKind::kBoundingBox) {
    if (block.x >= threads.shape().blocks_x || block.y >= threads.shape().blocks_y) {
      throw InputError(fmt::format("there is no tile {}", pair(block)));
    }
    page.title(fmt::format("Bounding box: tile {} keeps its position", pair(block)));
    page.say("The map is the identity: nothing is computed, and holes have threads too.");
    const BlockedFractal& blocked = threads.blocked();
    page.code(code_of_lambda(threads, block, -1), false);
    page.result(fmt::format("first cell = ({} · {}, {} · {}) = {}", block.x, blocked.rho_x, block.y,
                            blocked.rho_y, pair(Coord64{block.x * blocked.rho_x, block.y * blocked.rho_y})));
    return result;
  }
  lambda_page(page, threads, block, wish.marked);
  const int lambda_rows = page.rows();
  const int row = wish.marked < lambda_rows ? wish.marked : -1;
  page.code(code_of_lambda(threads, block, row), row >= 0);
  if (config.method.map == MapKind::kCompact) {
    nu_page(page, threads, teach::lambda_steps(threads, block).place, wish.neighbour, wish.marked);
  }
  return result;
}

}  // namespace loom::app::sketch
