#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "app/bench/sampler.h"
#include "app/plot/diagram_file.h"
#include "app/plot/figure.h"
#include "app/text/format.h"
#include "compute/core/error.h"
#include "compute/device/device.h"

namespace loom::app::plot {
namespace {

using bench::Row;

/// The medians of the repeats, sorted by r, g and B.
std::vector<CutValue> times_of(const Rows& rows) {
  std::map<std::array<std::uint32_t, 3>, std::vector<double>> samples;
  const auto number = [](const Row& row, const char* column) {
    return static_cast<std::uint32_t>(row.count(column));
  };
  for (const Row* row : rows)
    samples[{number(*row, "r"), number(*row, "g"), number(*row, "b")}].push_back(row->number("median_ms"));
  std::vector<CutValue> times;
  for (const auto& [key, values] : samples)
    times.push_back({{.g = key[1], .r = key[0], .b = key[2]}, bench::summarise(values).median});
  return times;
}

std::string text_of(const CostCut& cut) {
  return fmt::format("g {}, r {}, B {}", cut.g, cut.r, cut.b);
}

/// P over all rows: the fraction of regions that split, among those that could.
double pooled_split_fraction(const Rows& rows) {
  double regions = 0;
  double splits = 0;
  for (const Row* row : rows) {
    const bench::Json& of_levels = (*row)["level_regions"];
    for (std::size_t i = 0; i + 1 < of_levels.size(); ++i) {
      regions += of_levels[i].get<double>();
      splits += (*row)["level_splits"][i].get<double>();
    }
  }
  return regions > 0 ? splits / regions : 0;
}

/// Fits the cost model to the times. The notes state the result, or why there is no model.
void add_model(LandscapeFigure& landscape, const bench::Machine& machine, const Rows& rows,
               double exhaustive) {
  const Row& first = *rows.front();
  if (exhaustive <= 0) {
    landscape.notes.emplace_back("No model: the results contain no exhaustive time to fit λ.");
    return;
  }
  const auto processors =
      processors_of(machine, first["backend"] == "cuda", static_cast<int>(first.count("device")));
  if (!processors) {
    landscape.notes.emplace_back("No model: the results do not name the GPU.");
    return;
  }
  CostProblem problem;
  problem.n = first.number("width");
  problem.dimensions = first["space"].is_null() ? 2 : 3;
  problem.dwell = first.number("dwell_limit");
  problem.p = pooled_split_fraction(rows);
  problem.q = processors->q;
  problem.c = processors->c;
  std::vector<CutValue> cuts;
  for (const auto& [cut, ms] : landscape.cells) {
    if (ms > 0) cuts.push_back({cut, exhaustive / ms});
  }
  const bool sbr = first["scheme"] == name_of(RegionScheme::kSbr);
  const auto fit = fit_lambda(sbr ? CostRatio::kSbrSpeedup : CostRatio::kMbrSpeedup, problem, cuts);
  if (!fit) {
    landscape.notes.emplace_back("No model: no measured g, r and B gives it a level.");
    return;
  }
  landscape.marked = fit->optimum.cut;
  const double ms = *value_at(landscape, fit->optimum.cut);
  landscape.notes.push_back(
      fmt::format("Dashed frame: optimum of the cost model: {}, predicted {:.2f}× exhaustive, "
                  "measured {}, {:.2f}×. Model: P {:.3f} (measured), λ {:.3g} (fitted), A {:.0f}, q "
                  "{:.0f}, c {:.0f}.",
                  text_of(fit->optimum.cut), fit->optimum.value, format_time(ms), exhaustive / ms,
                  fit->problem.p, fit->problem.lambda, fit->problem.dwell, fit->problem.q, fit->problem.c));
}

void add_cells(LandscapeFigure& landscape, std::vector<CutValue> times) {
  std::set<std::uint32_t> gs;
  std::set<std::uint32_t> rs;
  std::set<std::uint32_t> bs;
  for (const auto& [cut, ms] : times) {
    gs.insert(cut.g);
    rs.insert(cut.r);
    bs.insert(cut.b);
    if (landscape.best == 0 || ms < landscape.best) {
      landscape.best = ms;
      landscape.optimum = cut;
    }
    landscape.worst = std::max(landscape.worst, ms);
  }
  landscape.gs.assign(gs.begin(), gs.end());
  landscape.rs.assign(rs.begin(), rs.end());
  landscape.bs.assign(bs.begin(), bs.end());
  landscape.cells = std::move(times);
}

}  // namespace

Figure make_landscape_figure(const bench::Results& results, const Selection& selection) {
  Rows rows = select(results, selection);
  check_devices(rows);
  check_one(rows, "precision", "precision", "--precision");
  check_one(rows, "width", "width", "--width");
  std::erase_if(rows, [](const Row* row) { return is_exhaustive(*row); });
  if (rows.empty()) throw InputError("exhaustive has no landscape; allowed: results with dp or ask");
  check_one(rows, "size", "n", "--size");
  check_one(
      rows, [](const Row& row) { return method_text(row); }, "method", "--method and --scheme");
  check_one(rows, "ideas", "set of optimizations", "--ideas");
  check_one(rows, "order", "order", "--order");

  const Row& first = *rows.front();
  Figure figure;
  LandscapeFigure& landscape = figure.landscape.emplace();
  figure.title = fmt::format("{}, n = {}: {} over g, r and B", bench::set_text(first), first.text("width"),
                             method_text(first));
  if (!first["ideas"].is_null()) figure.title += ", optimizations " + first.text("ideas");
  landscape.value_name = "milliseconds per image";
  add_cells(landscape, times_of(rows));
  std::string note = fmt::format("Solid frame: measured optimum: {}, {}", text_of(landscape.optimum),
                                 format_time(landscape.best));
  const double exhaustive = exhaustive_ms(exhaustive_rows(results, selection), first);
  if (exhaustive > 0 && landscape.best > 0) {
    note += fmt::format(", {:.2f}× exhaustive ({})", exhaustive / landscape.best, format_time(exhaustive));
  }
  landscape.notes.push_back(note + ".");
  add_model(landscape, results.machine, rows, exhaustive);
  figure.caption = caption_of(results, rows);
  return figure;
}

namespace {

double squared_error(CostRatio ratio, const CostProblem& problem, const std::vector<CutValue>& cuts) {
  double sum = 0;
  for (const CutValue& one : cuts) {
    const double difference = std::log(cost_ratio(ratio, problem, one.cut) / one.value);
    sum += difference * difference;
  }
  return sum;
}

/// FP32 cores per multiprocessor for a compute capability such as "8.6". Empty if the text is not valid.
std::optional<double> cores_of(std::string_view compute_capability) {
  const char* const end = compute_capability.data() + compute_capability.size();
  int major = 0;
  int minor = 0;
  const auto [dot, wrong] = std::from_chars(compute_capability.data(), end, major);
  if (wrong != std::errc{} || dot == end || *dot != '.') return std::nullopt;
  const auto [stop, wrong_too] = std::from_chars(dot + 1, end, minor);
  if (wrong_too != std::errc{} || stop != end) return std::nullopt;
  return cores_of_multiprocessor(major, minor);
}

}  // namespace

std::optional<LambdaFit> fit_lambda(CostRatio ratio, CostProblem problem, const std::vector<CutValue>& cuts) {
  std::vector<CutValue> possible;
  for (const CutValue& one : cuts) {
    if (cost_levels(problem, one.cut)) possible.push_back(one);
  }
  if (possible.empty()) return std::nullopt;
  double least = std::numeric_limits<double>::infinity();
  LambdaFit fit;
  constexpr int kStepsOfADecade = 20;
  for (int step = -2 * kStepsOfADecade; step <= 5 * kStepsOfADecade; ++step) {
    problem.lambda = std::pow(10.0, static_cast<double>(step) / kStepsOfADecade);
    const double error = squared_error(ratio, problem, possible);
    if (error >= least) continue;
    least = error;
    fit.problem = problem;
  }
  for (const CutValue& one : possible) {
    const double predicted = cost_ratio(ratio, fit.problem, one.cut);
    if (predicted > fit.optimum.value) fit.optimum = {one.cut, predicted};
  }
  return fit;
}

std::optional<Processors> processors_of(const bench::Machine& machine, bool on_gpu, int device) {
  if (!on_gpu) return Processors{static_cast<double>(machine.threads < 1 ? 1 : machine.threads), 1};
  for (const bench::Gpu& gpu : machine.gpus) {
    if (gpu.device != device || gpu.multiprocessors <= 0) continue;
    if (const auto cores = cores_of(gpu.compute_capability)) {
      return Processors{static_cast<double>(gpu.multiprocessors), *cores};
    }
  }
  return std::nullopt;
}

namespace {

using diagram::Align;
using diagram::Box;
using diagram::ColourRole;
using diagram::Diagram;
using Face = diagram::Text::Face;

// All lengths are in font sizes.
constexpr float kHeading = 1.35f;
constexpr float kSmall = 0.74f;  ///< size of the texts of axes and cells
constexpr float kSmallMiddle = 0.57f * kSmall;
constexpr float kNoteSize = 0.9f;
constexpr float kSourceSize = 0.81f;
constexpr float kMostCell = 2.4f;  ///< side of a cell
constexpr float kLeastCell = 0.4f;
constexpr float kCellWithText = 1.9f;
constexpr float kAbove = 1.5f;  ///< above a map, for its title
constexpr float kBelow = 2.5f;  ///< below a map, for the values of B
constexpr float kMapGap = 0.8f;
constexpr float kBarWidth = 19;
constexpr float kBarHeight = 0.95f;
constexpr std::size_t kPageColumns = 4;
constexpr float kLeastPageWidth = 45;
constexpr float kFrameDash[] = {0.29f, 0.19f};
constexpr glm::u8vec3 kFrameColour = {217, 26, 26};

/// The colour of a share from 0 (worst) to 1 (best). Lightness increases, so that it remains readable in
/// grey.
glm::u8vec3 heat(double share) {
  constexpr std::array<std::array<double, 3>, 3> kStops = {{{26, 31, 92}, {33, 135, 140}, {252, 230, 89}}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto index = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
  const auto part = [&](std::size_t channel) {
    const double value =
        std::lerp(kStops[index][channel], kStops[index + 1][channel], at - static_cast<double>(index));
    return static_cast<std::uint8_t>(std::lround(value));
  };
  return {part(0), part(1), part(2)};
}

double share_of(const LandscapeFigure& landscape, double value) {
  if (landscape.worst == landscape.best || landscape.best <= 0 || value <= 0) return 1;
  return std::log(landscape.worst / value) / std::log(landscape.worst / landscape.best);
}

/// At most four characters wide: "0.12", "12.3", "1234".
std::string cell_text(double value) {
  const int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", value, digits);
}

class LandscapeLayout {
 public:
  LandscapeLayout(const LandscapeFigure& landscape, const diagram::TextWidth& text_width,
                  std::optional<glm::vec2> window, const std::string& title, const std::string& caption)
      : landscape_(landscape), window_(window), title_(title), caption_(caption), diagram_(text_width) {}

  Diagram lay_out() && {
    for (const auto* values : {&landscape_.gs, &landscape_.bs}) {
      for (const std::uint32_t value : *values)
        label_width_ = std::max(label_width_, kSmall * diagram_.text_width(fmt::format("{}", value)));
    }
    measure();
    float y = 0;
    if (!window_) {
      diagram_.text({.at = {0, 0}, .text = title_, .size = kHeading, .face = Face::kBold});
      y = (kHeading + 0.3f) * Diagram::kLine;
    }
    const float step = kAbove + map_size().y + kBelow;
    for (std::size_t i = 0; i < landscape_.rs.size(); ++i) {
      const glm::vec2 corner{
          static_cast<float>(i % columns_) * (left_room() + map_size().x + kMapGap) + left_room(),
          y + static_cast<float>(i / columns_) * step + kAbove};
      map(i, {corner, map_size()});
    }
    y += static_cast<float>(rows_of(columns_)) * step;
    y = bar(y);
    for (const std::string& note : landscape_.notes)
      y = draw_wrapped(diagram_, {0, y}, width_, note, ColourRole::kText, kNoteSize);
    if (!window_) draw_wrapped(diagram_, {0, y}, width_, caption_, ColourRole::kMuted, kSourceSize);
    return std::move(diagram_);
  }

 private:
  float left_room() const { return label_width_ + 0.4f; }
  glm::vec2 map_size() const { return cell_ * glm::vec2(landscape_.bs.size(), landscape_.gs.size()); }
  std::size_t rows_of(std::size_t columns) const { return (landscape_.rs.size() + columns - 1) / columns; }

  /// The side of a cell in a window with this number of columns of maps.
  float cell_with(std::size_t columns) const {
    const float width = (window_->x + kMapGap) / static_cast<float>(columns) - left_room() - kMapGap;
    const float cell = width / static_cast<float>(landscape_.bs.size());
    const float height = window_->y / static_cast<float>(rows_of(columns)) - kAbove - kBelow;
    return std::min(cell, height / static_cast<float>(landscape_.gs.size()));
  }

  /// Columns, the side of a cell and the width: in a window, the columns with the largest cells.
  void measure() {
    const std::size_t panels = landscape_.rs.size();
    if (!window_) {
      columns_ = std::min(panels, kPageColumns);
      width_ = std::max({static_cast<float>(columns_) * (left_room() + map_size().x + kMapGap) - kMapGap,
                         kLeastPageWidth, kHeading * diagram_.text_width(title_, Face::kBold)});
      return;
    }
    width_ = window_->x;
    if (window_->y <= 0) {
      columns_ = panels;
      window_->y = width_;
    } else {
      window_->y -= 1 + Diagram::kLine * static_cast<float>(1 + 2 * landscape_.notes.size());
      for (std::size_t columns = 2; columns <= panels; ++columns) {
        if (cell_with(columns) > cell_with(columns_)) columns_ = columns;
      }
    }
    cell_ = std::clamp(cell_with(columns_), kLeastCell, kMostCell);
  }

  /// Every how many values have a label that is `size` long.
  std::size_t label_step(float size) const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(size / cell_)));
  }

  void label(glm::vec2 at, std::string text, Align align) {
    diagram_.text(
        {.at = at, .text = std::move(text), .paint = ColourRole::kMuted, .align = align, .size = kSmall});
  }

  /// The cell of the values with these indices. g increases upwards, B to the right.
  Box cell_box(const Box& map, std::size_t g, std::size_t b) const {
    const glm::vec2 corner{map.corner.x + cell_ * static_cast<float>(b),
                           map.end().y - cell_ * static_cast<float>(g + 1)};
    return {corner, glm::vec2(cell_)};
  }

  void map(std::size_t index, const Box& map) {
    const std::uint32_t r = landscape_.rs[index];
    const auto& gs = landscape_.gs;
    const auto& bs = landscape_.bs;
    diagram_.text(
        {.at = map.corner - glm::vec2{0, 1.3f}, .text = fmt::format("r = {}", r), .face = Face::kBold});
    label(map.corner - glm::vec2{0.4f, 1.15f}, "g", Align::kRight);
    diagram_.fill(map, ColourRole::kRaised);
    for (std::size_t g = 0; g < gs.size(); ++g) {
      const float y = cell_box(map, g, 0).centre().y - kSmallMiddle;
      if (g % label_step(kSmall) == 0)
        label({map.corner.x - 0.4f, y}, fmt::format("{}", gs[g]), Align::kRight);
      for (std::size_t b = 0; b < bs.size(); ++b) {
        const int tag = static_cast<int>((index * gs.size() + g) * bs.size() + b);
        diagram_.hotspot({cell_box(map, g, b), "", tag});
      }
    }
    for (std::size_t b = 0; b < bs.size(); b += label_step(label_width_ + 0.2f))
      label({cell_box(map, 0, b).centre().x, map.end().y + 0.1f}, fmt::format("{}", bs[b]), Align::kCentre);
    label({map.centre().x, map.end().y + 0.1f + kSmall * Diagram::kLine}, "B", Align::kCentre);
    for (const auto& [cut, amount] : landscape_.cells) {
      if (cut.r == r) value(cell_at(map, cut), amount);
    }
    const CostCut& optimum = landscape_.optimum;
    if (optimum.r == r) frame(cell_at(map, optimum), 0.05f, {});
    if (landscape_.marked && landscape_.marked->r == r)
      frame(cell_at(map, *landscape_.marked), cell_ < 1 ? -0.12f : 0.17f, kFrameDash);
  }

  /// The cell of these values, or an empty box.
  Box cell_at(const Box& map, const CostCut& cut) const {
    const auto at_g = std::ranges::find(landscape_.gs, cut.g);
    const auto at_b = std::ranges::find(landscape_.bs, cut.b);
    if (at_g == landscape_.gs.end() || at_b == landscape_.bs.end()) return {};
    return cell_box(map, static_cast<std::size_t>(at_g - landscape_.gs.begin()),
                    static_cast<std::size_t>(at_b - landscape_.bs.begin()));
  }

  void value(const Box& box, double value) {
    const double share = share_of(landscape_, value);
    diagram_.fill(box, heat(share));
    if (cell_ < kCellWithText) return;
    const glm::u8vec3 ink = share < 0.6 ? glm::u8vec3{255, 255, 255} : glm::u8vec3{33, 33, 33};
    diagram_.text({.at = box.centre() - glm::vec2{0, kSmallMiddle},
                   .text = cell_text(value),
                   .paint = ink,
                   .align = Align::kCentre,
                   .size = kSmall});
  }

  /// A frame in a cell, or around it if `inset`, a fraction of its side, is below 0.
  void frame(const Box& box, float inset, std::span<const float> dash) {
    if (box.size.x <= 0) return;
    const glm::vec2 low = box.corner + inset * cell_;
    const glm::vec2 high = box.corner + (1 - inset) * cell_;
    diagram_.line({{low, {high.x, low.y}, high, {low.x, high.y}, low, {high.x, low.y}},
                   kFrameColour,
                   std::clamp(0.17f * cell_, 0.1f, 0.19f),
                   dash});
  }

  /// Draws the scale. Returns the y below it.
  float bar(float y) {
    constexpr int kSteps = 64;
    const float width = std::min(kBarWidth, 0.4f * width_);
    const float step = width / kSteps;
    for (int i = 0; i < kSteps; ++i)
      diagram_.fill({{step * static_cast<float>(i), y}, {step, kBarHeight}}, heat(1 - i / (kSteps - 1.0)));
    const std::string text = fmt::format("{}, {:.4g} to {:.4g}, logarithmic", landscape_.value_name,
                                         landscape_.best, landscape_.worst);
    return 0.3f + draw_wrapped(diagram_, {width + 0.8f, y}, width_ - width - 0.8f, text, ColourRole::kText,
                               kNoteSize);
  }

  const LandscapeFigure& landscape_;
  std::optional<glm::vec2> window_;
  const std::string& title_;
  const std::string& caption_;
  Diagram diagram_;
  float label_width_ = 0;
  float cell_ = kMostCell;
  float width_ = 0;
  std::size_t columns_ = 1;
};

}  // namespace

Diagram landscape_diagram(const LandscapeFigure& landscape, const diagram::TextWidth& text_width,
                          std::optional<glm::vec2> window, const std::string& title,
                          const std::string& caption) {
  return LandscapeLayout(landscape, text_width, window, title, caption).lay_out();
}

CostCut cut_of(const LandscapeFigure& landscape, int tag) {
  const auto index = static_cast<std::size_t>(tag);
  const std::size_t b = index % landscape.bs.size();
  const std::size_t g = index / landscape.bs.size() % landscape.gs.size();
  return {landscape.gs[g], landscape.rs[index / landscape.bs.size() / landscape.gs.size()], landscape.bs[b]};
}

std::optional<double> value_at(const LandscapeFigure& landscape, const CostCut& cut) {
  const auto found = std::ranges::find(landscape.cells, cut, &CutValue::cut);
  return found == landscape.cells.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace loom::app::plot
