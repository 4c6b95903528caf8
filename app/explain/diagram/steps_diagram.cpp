#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagrams.h"
#include "app/explain/fragments.h"
#include "app/text/format.h"
#include "compute/core/error.h"

namespace loom::app::diagram {
namespace {

/// The purpose of the products, which decides which lane writes which element of B.
enum class FragmentTarget { kLambda, kNeighbours, kCells };

using explain::FragmentHolder;
using explain::FragmentMatrix;

constexpr float kDigits = 0.72f;  ///< font size of an element
constexpr float kRow = 1.05f;     ///< height of an element
constexpr float kGap = 1.5f;      ///< gap between matrices
constexpr int kSide = kFragmentSide;

Tint tint_of(std::uint32_t lane) {
  return {explain::data_colour({explain::ColourKey::Kind::kNumber, lane, 0})};
}

std::string number(float value) {
  return fmt::format("{:g}", value);
}

struct Matrix {
  std::string name;
  std::function<float(int row, int column)> at;
  FragmentHolder (*holder)(int row, int column);
  std::function<std::string(int row, int column)> more;  ///< additional text for the hotspot of an element
  int rows = kSide;
  int columns = kSide;
  std::function<bool(int row, int column)> is_wrong = [](int, int) { return false; };

  Matrix(std::string named, const FragmentMatrix& numbers, FragmentHolder (*held)(int, int),
         std::function<std::string(int, int)> added)
      : name(std::move(named)),
        at([&numbers](int row, int column) { return numbers.at(row, column); }),
        holder(held),
        more(std::move(added)),
        is_wrong([&numbers](int row, int column) { return numbers.wrong_at(row, column); }) {}
  Matrix(std::string named, const explain::BandMatrix& numbers, std::function<std::string(int, int)> added)
      : name(std::move(named)),
        at([&numbers](int row, int column) { return static_cast<float>(numbers.at(row, column)); }),
        holder(numbers.holder),
        more(std::move(added)),
        rows(numbers.rows),
        columns(numbers.columns) {}
};

std::vector<float> column_widths(const Matrix& matrix) {
  std::vector<float> widths;
  for (int column = 0; column < matrix.columns; ++column) {
    float widest = estimated_width("00");
    for (int row = 0; row < matrix.rows; ++row)
      widest = std::max(widest, estimated_width(number(matrix.at(row, column))));
    widths.push_back(widest * kDigits + 0.35f);
  }
  return widths;
}

float width_of(const Matrix& matrix) {
  float sum = 0;
  for (const float width : column_widths(matrix)) sum += width;
  return sum;
}

void draw_matrix(Diagram& diagram, glm::vec2 at, const Matrix& matrix) {
  diagram.text({.at = at, .text = matrix.name, .face = FontFace::kBold});
  at.y += Diagram::kLine;
  const auto widths = column_widths(matrix);
  for (int row = 0; row < matrix.rows; ++row) {
    float x = at.x;
    for (int column = 0; column < matrix.columns; ++column) {
      const float width = widths[static_cast<std::size_t>(column)];
      const Box box{{x, at.y + static_cast<float>(row) * kRow}, {width, kRow}};
      const FragmentHolder holder = matrix.holder(row, column);
      const float value = matrix.at(row, column);
      const bool wrong = matrix.is_wrong(row, column);
      diagram.fill({box.corner + 0.03f, box.size - 0.06f}, tint_of(holder.lane));
      diagram.text({.at = box.corner + glm::vec2{width / 2, 0.05f},
                    .text = number(value),
                    .paint = wrong        ? ColourRole::kWarning
                             : value == 0 ? ColourRole::kMuted
                                          : ColourRole::kText,
                    .align = Align::kCentre,
                    .size = kDigits,
                    .face = wrong ? FontFace::kBold : FontFace::kPlain});
      std::string tip = fmt::format("{}[{}][{}] = {}: in lane {}, element {}", matrix.name[0], row, column,
                                    number(value), holder.lane, holder.element);
      if (wrong) tip += "; wrong: FP16 cannot represent the exact number";
      if (std::string more = matrix.more(row, column); !more.empty()) tip += "; " + more;
      diagram.hotspot({box, std::move(tip), -1});
      x += width;
    }
  }
  diagram.frame({at, {width_of(matrix), kRow * static_cast<float>(matrix.rows)}}, ColourRole::kLine);
  Table table{.name = matrix.name};
  for (int column = 0; column < matrix.columns; ++column) table.titles.push_back(std::to_string(column));
  for (int row = 0; row < matrix.rows; ++row) {
    std::vector<std::string>& texts = table.rows.emplace_back();
    for (int column = 0; column < matrix.columns; ++column) texts.push_back(number(matrix.at(row, column)));
  }
  diagram.add_table(std::move(table));
}

std::uint32_t writer_of_b(FragmentTarget of, int row, int column) {
  switch (of) {
    case FragmentTarget::kLambda:
      return explain::writer_of_lambda_b(row, column);
    case FragmentTarget::kNeighbours:
      return explain::writer_of_nu_b(row, column);
    case FragmentTarget::kCells:
      break;
  }
  return explain::writer_of_cell_b(row, column);
}

/// Draws the products one below another: A, B, C and D as 16 x 16 numbers, each coloured by the lane that
/// holds it, wrong ones in the warning colour; then the results. Hotspots name the element, its lane and its
/// register. The four matrices are in a row if `width` allows it, otherwise two by two. Returns the y below.
float draw_fragments(Diagram& diagram, glm::vec2 at, float width, const explain::Fragments& fragments,
                     FragmentTarget of) {
  if (fragments.products.empty()) {
    return draw_wrapped(diagram, at, 40, "The tile is the whole fractal: no level to multiply.");
  }
  const auto named_row = [&](int row, int) { return fragments.rows[static_cast<std::size_t>(row)]; };
  const auto named_column = [&](int, int column) {
    return fragments.columns[static_cast<std::size_t>(column)];
  };
  const float height = Diagram::kLine + kRow * kSide;
  for (const explain::FragmentProduct& product : fragments.products) {
    std::string levels = fmt::format("A: weights of the levels from {}", product.first_level);
    if (fragments.planes > 1) levels += fmt::format(", digits {}", product.plane);
    diagram.text({.at = at, .text = levels + ". Coloured by lane.", .paint = ColourRole::kMuted});
    at.y += Diagram::kLine;
    const std::array<Matrix, 4> matrices = {
        {{"A", product.a, explain::holder_in_a, named_row},
         {"B: offsets of the digits", product.b, explain::holder_in_b,
          [&](int row, int column) {
            const std::string whose = named_column(row, column);
            if (whose.empty()) return std::string();
            return fmt::format("of {}; written by lane {}", whose, writer_of_b(of, row, column));
          }},
         {"C", product.c, explain::holder_in_d, named_column},
         {"D = A · B + C", product.d, explain::holder_in_d, named_column}}};
    float widest = 0;
    for (const Matrix& matrix : matrices) widest = std::max(widest, width_of(matrix));
    const bool in_a_row = 4 * (widest + kGap) <= width;
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const std::size_t column = in_a_row ? i : i % 2;
      draw_matrix(diagram, {at.x + static_cast<float>(column) * (widest + kGap), at.y}, matrices[i]);
      if (i == 3 || (!in_a_row && i == 1)) at.y += height + 0.6f;
    }
  }
  Table table{.titles = {"result", "column of D", "rows", "lane", "value"}, .rows = {}};
  std::vector<bool> wrong;
  for (const explain::FragmentResult& result : fragments.results) {
    const int last = result.first_row + result.rows - 1;
    std::string value = !result.used      ? "outside, dropped"
                        : !result.present ? "a hole"
                                          : std::to_string(result.value);
    if (result.wrong) value += " (wrong)";
    table.rows.push_back({result.name, std::to_string(result.column),
                          result.rows == 1 ? std::to_string(result.first_row)
                                           : fmt::format("{} to {}", result.first_row, last),
                          result.reader ? std::to_string(*result.reader) : "–", std::move(value)});
  }
  constexpr std::size_t kMaxResults = 32;  // tensor-3 has one result per element
  if (table.rows.size() > kMaxResults) table.rows.resize(kMaxResults);
  return draw_table(diagram, {at.x + 0.3f, at.y}, table);
}

using explain::ThreadSpace;

constexpr float kTitleSize = 1.15f;

template <typename Int>
std::string pair(Coord<Int> c) {
  return format_pair(c.x, c.y);
}

/// Writes titles, tables and code one below another into a diagram.
class Page {
 public:
  Page(StepsDiagram& into, float width) : into_(into), width_(width) {}

  void title(const std::string& text) {
    name_ = text;
    if (y_ > 0) y_ += 0.6f;
    into_.diagram.text({.at = {0, y_},
                        .text = text,
                        .paint = ColourRole::kAccent,
                        .size = kTitleSize,
                        .face = FontFace::kBold});
    y_ += Diagram::kLine * kTitleSize + 0.2f;
  }
  void say(const std::string& text, const Paint& paint = ColourRole::kText) {
    y_ = draw_wrapped(into_.diagram, {0, y_}, width_, text, paint);
  }
  void result(const std::string& text) {
    into_.diagram.text({.at = {0, y_}, .text = text, .face = FontFace::kBold});
    y_ += Diagram::kLine;
  }
  /// Writes a table; `squares` has the square that each row describes.
  void table(Table table, std::vector<std::optional<explain::CellRect>> squares, int marked) {
    table.name = name_;
    table.first_tag = static_cast<int>(into_.squares.size());
    const int row = marked - table.first_tag;
    if (row >= 0 && row < static_cast<int>(table.rows.size())) table.marked = row;
    into_.squares.insert(into_.squares.end(), squares.begin(), squares.end());
    y_ = draw_table(into_.diagram, {0.3f, y_}, table);
  }
  void code(const SourceListing& code, bool marked) {
    y_ += 0.4f;
    const bool has_values = std::any_of(code.lines.begin(), code.lines.end(),
                                        [](const SourceLine& line) { return !line.value.empty(); });
    std::string title = "Code in " + code.file;
    if (has_values) title += marked ? ", variables after the marked row:" : ", final variables:";
    say(title, ColourRole::kMuted);
    constexpr float kSize = 0.88f;
    constexpr std::size_t kValues = 58;  // column of the values, in characters
    const float letter = kMonoWidth * kSize;
    for (const SourceLine& line : code.lines) {
      into_.diagram.text({.at = {0.3f, y_}, .text = line.text, .size = kSize, .face = FontFace::kMono});
      const bool beside = line.text.size() + 2 <= kValues;
      if (!line.value.empty()) {
        if (!beside) y_ += Diagram::kLine * kSize;  // a long line has its value below it
        into_.diagram.text({.at = {0.3f + static_cast<float>(kValues) * letter, y_},
                            .text = line.value,
                            .paint = ColourRole::kAccent,
                            .size = kSize,
                            .face = FontFace::kBold});
      }
      y_ += Diagram::kLine * kSize;
    }
  }
  /// The number of rows so far, which is the tag of the next row.
  int rows() const { return static_cast<int>(into_.squares.size()); }
  float y() const { return y_; }
  float width() const { return width_; }
  void move_to(float y) { y_ = y; }
  Diagram& diagram() { return into_.diagram; }

 private:
  StepsDiagram& into_;
  std::string name_;
  float width_;
  float y_ = 0;
};

/// A column that only fractals have whose levels differ: "generator", and "orientation" if replicas are
/// turned.
void add_level_titles(const TiledFractal& tiled, std::vector<std::string>& titles) {
  if (tiled.is_uniform()) return;
  titles.insert(titles.begin() + 1, "generator");
  if (tiled.is_turned()) titles.insert(titles.begin() + 2, "orientation q");
}
void add_level_cells(const ThreadSpace& threads, int level, loom::Symmetry symmetry,
                     std::vector<std::string>& row) {
  const TiledFractal& tiled = threads.tiled();
  if (tiled.is_uniform()) return;
  const Generator& generator = threads.config().fractal.generator(tiled.coarse_level, level);
  row.insert(row.begin() + 1,
             generator.name.empty()
                 ? fmt::format("k = {}, {} × {}", generator.offsets.size(), generator.s_x, generator.s_y)
                 : generator.name);
  if (tiled.is_turned()) row.insert(row.begin() + 2, std::string(loom::name_of(symmetry)));
}

void loop_lambda(Page& page, const ThreadSpace& threads, Coord64 omega, int marked) {
  const explain::LambdaSteps steps = explain::lambda_steps(threads, omega);
  page.title(fmt::format("λ of tile ω {}, level by level", pair(omega)));
  Table table{.titles = {"level", "digit β", "offset τ", "weight", "τ · weight", "sum"}, .rows = {}};
  add_level_titles(threads.tiled(), table.titles);
  std::vector<std::optional<explain::CellRect>> squares;
  for (const explain::LambdaStep& step : steps.steps) {
    table.rows.push_back({std::to_string(step.level),
                          fmt::format("{} from {}", step.digit, step.from_x ? "ω_x" : "ω_y"),
                          pair(step.offset), pair(step.weight), pair(step.term), pair(step.sum)});
    add_level_cells(threads, step.level, step.symmetry, table.rows.back());
    table.tips.push_back(step.formula);
    squares.emplace_back(step.square);
  }
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.formula_x);
  page.result(steps.formula_y);
}

void loop_nu(Page& page, const ThreadSpace& threads, Coord64 place, int marked) {
  const explain::NuSteps steps = explain::nu_steps(threads, place);
  Table table{.titles = {"level", "offset τ", "replica b", "goes to", "weight", "b · weight", "sum"},
              .rows = {}};
  add_level_titles(threads.tiled(), table.titles);
  std::vector<std::optional<explain::CellRect>> squares;
  for (const explain::NuStep& step : steps.steps) {
    const bool hole = step.replica < 0;
    table.rows.push_back({std::to_string(step.level), pair(step.offset),
                          hole ? "none (hole)" : std::to_string(step.replica), step.to_x ? "ω_x" : "ω_y",
                          std::to_string(step.weight), hole ? "–" : pair(step.term),
                          hole ? "–" : pair(step.sum)});
    add_level_cells(threads, step.level, step.symmetry, table.rows.back());
    table.tips.push_back(step.formula);
    squares.emplace_back(step.square);
  }
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.formula_x);
  if (steps.present) page.result(steps.formula_y);
}

void lookups(Page& page, const explain::TableSteps& steps, bool lambda, int marked) {
  Table table{.titles = {"digits of levels", "table", "index", "entry", "sum"}, .rows = {}};
  for (const explain::TableLookup& read : steps.lookups) {
    std::string digits = fmt::format("{}", fmt::join(read.levels, ", "));
    if (lambda) digits += read.from_x ? " of ω_x" : " of ω_y";
    const std::string size =
        lambda ? fmt::format("{} entries", read.size.x) : fmt::format("{} × {}", read.size.x, read.size.y);
    table.rows.push_back({std::move(digits), size, lambda ? std::to_string(read.number.x) : pair(read.number),
                          read.hole ? "a hole" : pair(read.entry), pair(read.sum)});
    table.tips.push_back(fmt::format("{} (entry {} in memory)", read.formula, read.index));
  }
  std::vector<std::optional<explain::CellRect>> squares(table.rows.size());
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.formula_x);
  if (steps.present) page.result(steps.formula_y);
}

/// A table with one row per lane and one column per round.
void lanes_and_rounds(Page& page, const explain::ShuffleSteps& steps, int marked) {
  Table table{.titles = {"lane", "levels", "terms"}, .rows = {}};
  for (const explain::ShuffleRound& round : steps.rounds) {
    table.titles.push_back(fmt::format("xor {}", round.distance));
  }
  for (std::size_t lane = 0; lane < steps.lanes.size(); ++lane) {
    const explain::ShuffleLane& one = steps.lanes[lane];
    std::vector<std::string> row{std::to_string(lane), fmt::format("{}", fmt::join(one.levels, ", ")),
                                 one.present ? pair(one.value) : "a hole"};
    for (const explain::ShuffleRound& round : steps.rounds) row.push_back(pair(round.values[lane]));
    table.rows.push_back(std::move(row));
  }
  std::vector<std::optional<explain::CellRect>> squares(table.rows.size());
  page.table(std::move(table), std::move(squares), marked);
  page.result(steps.present ? "All lanes hold " + pair(steps.result) : "Warp vote: a hole");
}

void matrices(Page& page, const explain::Fragments& fragments, FragmentTarget of) {
  page.move_to(draw_fragments(page.diagram(), {0, page.y()}, page.width(), fragments, of));
}

/// The neighbours of a tile's cells, counted by products with bands of ones.
void band_page(Page& page, const ThreadSpace& threads, Coord64 tile, std::uint32_t radius) {
  page.title(fmt::format("Neighbours within radius {} of the cells of tile {}, by tensor cores", radius,
                         pair(tile)));
  page.say(fmt::format(
      "The tile's box, with {} more points on each side, is multiplied by bands of {} ones: D = A · B + C, C "
      "the "
      "previous D. Here all cells are alive, holes are 0; the first 16 × 8 cells, coloured by lane.",
      radius, 2 * radius + 1));
  const auto nothing = [](int, int) { return std::string(); };
  for (const explain::BandProduct& product : explain::band_products(threads, tile, radius)) {
    const Matrix a(product.down ? "A: sums along the rows" : "A: band of ones", product.a, nothing);
    const Matrix b(product.down ? "B: band" : "B: points", product.b, nothing);
    const Matrix d(product.down ? "D: counts" : "D: sums", product.d, nothing);
    page.say(product.down
                 ? fmt::format("Down the columns, rows of the box from {}: rows are cells x, columns cells y",
                               product.first)
                 : fmt::format("Along rows 0 to 7 of the box, points from {}: rows are cells x, columns rows",
                               product.first),
             ColourRole::kMuted);
    const float y = page.y();
    const auto height = [](const Matrix& matrix) {
      return Diagram::kLine + kRow * static_cast<float>(matrix.rows) + 0.6f;
    };
    draw_matrix(page.diagram(), {0, y}, a);
    const float right = width_of(a) + kGap;
    draw_matrix(page.diagram(), {right, y}, b);
    draw_matrix(page.diagram(), {0, y + height(a)}, d);
    page.move_to(y + std::max(height(b), height(a) + height(d)));
  }
}

void lambda_page(Page& page, const ThreadSpace& threads, Coord64 omega, int marked) {
  const std::string of = fmt::format("λ of tile ω {}", pair(omega));
  switch (threads.config().method.arithmetic) {
    case MapArithmetic::kLoop:
      return loop_lambda(page, threads, omega, marked);
    case MapArithmetic::kTable:
      if (threads.tiled().is_turned()) return loop_lambda(page, threads, omega, marked);
      page.title(of + ", by tables of several levels");
      return lookups(page, explain::table_lambda_steps(threads, omega), true, marked);
    case MapArithmetic::kShuffle:
      page.title(of + ", one level per lane of a warp");
      return lanes_and_rounds(page, explain::shuffle_lambda_steps(threads, omega), marked);
    case MapArithmetic::kTensorFp16:
    case MapArithmetic::kTensor:
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
      page.title(of + " as a matrix product, D = A · B + C");
      return matrices(page, explain::lambda_fragments(threads, omega), FragmentTarget::kLambda);
    case MapArithmetic::kTensor3:
      for (const int axis : {0, 1}) {
        page.title(
            fmt::format("λ of tile ω {} plus the {} of each thread: D = A · B + C, C: positions in the tile",
                        pair(omega), axis == 0 ? 'x' : 'y'));
        matrices(page, explain::cell_fragments(threads, omega, axis, 0), FragmentTarget::kCells);
      }
      return;
  }
}

/// nu of the tile at `at`, a neighbour of the tile at `place`.
void nu_rows(Page& page, const ThreadSpace& threads, Coord64 place, Coord64 at, const std::string& of,
             int marked) {
  switch (threads.config().method.arithmetic) {
    case MapArithmetic::kLoop:
      page.title(of);
      return loop_nu(page, threads, at, marked);
    case MapArithmetic::kTable:
      page.title(of);
      if (threads.tiled().is_turned()) return loop_nu(page, threads, at, marked);
      return lookups(page, explain::table_nu_steps(threads, at), false, marked);
    case MapArithmetic::kShuffle:
      page.title(of);
      return lanes_and_rounds(page, explain::shuffle_nu_steps(threads, at), marked);
    case MapArithmetic::kTensorFp16:
    case MapArithmetic::kTensor:
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
    case MapArithmetic::kTensor3:
      page.title(fmt::format("ν of all eight neighbours of tile {}", pair(place)));
      return matrices(page, explain::neighbour_fragments(threads, place), FragmentTarget::kNeighbours);
  }
}

void nu_page(Page& page, const ThreadSpace& threads, Coord64 place, int neighbour, int marked) {
  const glm::ivec2 by = neighbour_offset(neighbour);
  const TiledFractal& tiled = threads.tiled();
  const auto moved = [](std::uint64_t at, int step) { return at + static_cast<std::uint64_t>(step); };
  const Coord64 at{moved(place.x, by.x), moved(place.y, by.y)};
  const std::string which = fmt::format("ν of the {} neighbour", neighbour_name(neighbour));
  if (at.x >= tiled.grid_x || at.y >= tiled.grid_y) {
    page.title(which);
    page.say("The neighbour is outside the square.");
    return;
  }
  const std::string of = fmt::format("{}, tile {}", which, pair(at));
  const int first_row = page.rows();
  nu_rows(page, threads, place, at, of, marked);
  const int row = marked >= first_row ? marked - first_row : -1;
  page.code(nu_source(threads, at, row, place), row >= 0);
}

}  // namespace

glm::ivec2 neighbour_offset(int neighbour) {
  const int which = neighbour < 4 ? neighbour : neighbour + 1;
  return {which % 3 - 1, which / 3 - 1};
}

std::string neighbour_name(int neighbour) {
  static constexpr std::array kNames = {"upper left", "top",        "upper right", "left",
                                        "right",      "lower left", "bottom",      "lower right"};
  return kNames.at(static_cast<std::size_t>(neighbour));
}

StepsDiagram steps_diagram(const ThreadSpace& threads, const StepsOptions& options) {
  StepsDiagram result;
  Page page(result, options.width);
  const FractalConfig& config = threads.config();
  const Coord64 omega = options.tile;
  if (config.method.map == MapKind::kBoundingBox) {
    if (omega.x >= threads.shape().tiles_x || omega.y >= threads.shape().tiles_y) {
      throw InputError(fmt::format("there is no tile {}", pair(omega)));
    }
    page.title(fmt::format("Bounding box: tile {} keeps its position", pair(omega)));
    page.say("The map is the identity: nothing is computed, and holes have threads too.");
    const TiledFractal& tiled = threads.tiled();
    page.code(lambda_source(threads, omega, -1), false);
    page.result(fmt::format("first cell = ({} · {}, {} · {}) = {}", omega.x, tiled.rho_x, omega.y,
                            tiled.rho_y, pair(Coord64{omega.x * tiled.rho_x, omega.y * tiled.rho_y})));
    if (options.counted_radius > 0) band_page(page, threads, omega, options.counted_radius);
    return result;
  }
  lambda_page(page, threads, omega, options.marked);
  const int lambda_rows = page.rows();
  const int row = options.marked < lambda_rows ? options.marked : -1;
  page.code(lambda_source(threads, omega, row), row >= 0);
  if (config.method.map == MapKind::kCompact) {
    nu_page(page, threads, explain::lambda_steps(threads, omega).place, options.neighbour, options.marked);
  }
  if (options.counted_radius > 0) band_page(page, threads, omega, options.counted_radius);
  return result;
}

}  // namespace loom::app::diagram
