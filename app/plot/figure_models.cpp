#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/plot/figure.h"
#include "app/plot/lines.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app::plot {
namespace {

struct ModelText {
  Model model;
  const char* name;
  const char* title;
  const char* y_label;
  const char* caption;
};
constexpr std::array kModelTexts = {
    ModelText{Model::kWorkReduction, "work-reduction", "Model of subdivision: work reduction",
              "work of exhaustive / work of subdivision", "Equation 21"},
    ModelText{Model::kSbrSpeedup, "sbr-speedup", "Model of subdivision: speedup with SBR",
              "time of exhaustive / time of subdivision, SBR", "Equations 22, 23 and 25"},
    ModelText{Model::kMbrSpeedup, "mbr-speedup", "Model of subdivision: speedup with MBR",
              "time of exhaustive / time of subdivision, MBR", "Equations 22, 24 and 25"},
    ModelText{Model::kParallelSpace, "parallel-space", "Parallel space of λ, counted",
              "threads of the bounding box / threads of λ", "n_x n_y / (k^r_b ρ_x ρ_y), exact"},
    ModelText{Model::kMapTime, "map-time", "Map time of λ, asymptotic",
              "speedup of λ over the bounding box, without constants",
              "n^(2 - H) / log₂ log_s n with H = log_s k (Navarro et al. 2020, theorem 2): a growth rate "
              "from level 2 on, not a measured time"},
    ModelText{Model::kCompression, "compression", "Compact storage, counted",
              "points of the bounding box / points stored", "n_x n_y / (k^r_b ρ_x ρ_y), exact"}};

const ModelText& text_of(Model model) {
  return *std::ranges::find(kModelTexts, model, &ModelText::model);
}

CostRatio ratio_of(Model model) {
  if (model == Model::kWorkReduction) return CostRatio::kWorkReduction;
  return model == Model::kSbrSpeedup ? CostRatio::kSbrSpeedup : CostRatio::kMbrSpeedup;
}

constexpr int kMaxLog2Size = 30;

/// The best ratio at x; nothing if no allowed cut leaves a level.
std::optional<CutValue> best_at(const ModelRequest& request, CostProblem problem, int x) {
  const std::uint32_t value = std::uint32_t{1} << x;
  if (request.over == XAxis::kSize) problem.n = value;
  const auto values_of = [&](XAxis axis) -> std::span<const std::uint32_t> {
    if (request.over == axis) return {&value, 1};
    const auto only = request.cuts.find(axis);
    return only != request.cuts.end() ? std::span<const std::uint32_t>(only->second) : kCutValues;
  };
  return best_cut(ratio_of(request.model), problem, values_of(XAxis::kG), values_of(XAxis::kR),
                  values_of(XAxis::kB));
}

Line subdivision_line(const ModelRequest& request, const CostProblem& problem) {
  validate(problem);
  Line line;
  const bool over_size = request.over == XAxis::kSize;
  const int last = over_size ? kMaxLog2Size : static_cast<int>(kCutValues.size());
  for (int x = over_size ? 3 : 1; x <= last; ++x) {
    if (const auto best = best_at(request, problem, x)) line.values[x].value = best->value;
  }
  return line;
}

void draw_subdivision(Figure& figure, const ModelRequest& request, Drawing& drawing) {
  figure.x_axis = request.over;
  figure.x_label = x_label_of(request.over);
  for (const double dwell : request.dwell) {
    for (const double p : request.p) {
      for (const double lambda : request.lambda) {
        CostProblem problem = request.problem;
        problem.dwell = dwell;
        problem.p = p;
        problem.lambda = lambda;
        const Line line = subdivision_line(request, problem);
        if (line.values.empty()) continue;
        drawing.add(line, {request.dwell.size() > 1 ? fmt::format("A = {}", dwell) : "",
                           fmt::format("P = {}", p), fmt::format("λ = {}", lambda)});
      }
    }
  }
  figure.columns = std::clamp<std::size_t>(figure.panels.size(), 1, 2);
  figure.legend = {drawing.colour_legend("probability of a split"),
                   drawing.dash_legend("cost of a split, in units of A")};
  std::vector<std::string> parts;
  if (request.over != XAxis::kSize) parts.push_back(fmt::format("n = {}", request.problem.n));
  if (request.dwell.size() == 1) parts.push_back(fmt::format("A = {}", request.dwell.front()));
  if (request.model != Model::kWorkReduction)
    parts.push_back(
        fmt::format("q = {} multiprocessors of c = {} cores", request.problem.q, request.problem.c));
  figure.caption += fmt::format(
      " of Quezada et al., evaluated and not measured{}{}. Each point has the best {} of 2 to 256{}.",
      parts.empty() ? "" : "; ", fmt::join(parts, ", "),
      request.over == XAxis::kSize ? "g, r and B" : "values of the other two of g, r and B",
      request.cuts.empty() ? "" : " or those selected");
}

/// The ratio at one level; nothing where the formula or the tile size is not defined.
std::optional<double> ratio_at(const ModelRequest& request, const NbbFractal& fractal, int level) {
  if (request.model == Model::kMapTime) {
    if (level < 2 || !fractal.is_uniform()) return std::nullopt;
    const auto points =
        static_cast<double>(fractal.width(level)) * static_cast<double>(fractal.height(level));
    return points / static_cast<double>(fractal.cells(level)) / std::log2(level);
  }
  if (std::ranges::count(allowed_tile_sizes(fractal, level), request.tile_size) == 0) return std::nullopt;
  const TiledFractal tiled = make_tiled_fractal(fractal, level, request.tile_size);
  return static_cast<double>(tiled.grid_x) * static_cast<double>(tiled.grid_y) /
         static_cast<double>(tiled.orthotope_tiles());
}

void draw_spaces(Figure& figure, const ModelRequest& request, Drawing& drawing) {
  drawing.dash_by_colour = true;
  for (const NbbFractal& fractal : request.fractals) {
    Line line;
    for (const int level : request.levels) {
      if (level > fractal.max_level()) continue;
      if (const auto ratio = ratio_at(request, fractal, level)) line.values[level].value = *ratio;
    }
    if (!line.values.empty()) drawing.add(line, {.colour = fractal.name()});
  }
  figure.scale = request.fractals.size() == 1 ? request.fractals[0].width(1) : 1;
  figure.x_label = x_label_of(figure.scale);
  figure.legend = {drawing.colour_legend("fractal")};
  if (request.model == Model::kMapTime) return;
  figure.caption += fmt::format(", not measured. Tile size ρ_x = {}.", request.tile_size);
}

}  // namespace

std::string_view name_of(Model model) {
  return text_of(model).name;
}

std::optional<Model> find_model(std::string_view name) {
  for (const ModelText& text : kModelTexts) {
    if (text.name == name) return text.model;
  }
  return std::nullopt;
}

bool is_of_subdivision(Model model) {
  return model <= Model::kMbrSpeedup;
}

Figure make_model_figure(const ModelRequest& request) {
  const ModelText& text = text_of(request.model);
  Figure figure;
  figure.kind = Quantity::kSpeedup;
  figure.title = text.title;
  figure.y_label = text.y_label;
  figure.caption = text.caption;
  const bench::Results none;
  Drawing drawing(figure, none);
  (is_of_subdivision(request.model) ? draw_subdivision : draw_spaces)(figure, request, drawing);
  if (figure.panels.empty()) figure.panels.emplace_back();
  return figure;
}

}  // namespace loom::app::plot
