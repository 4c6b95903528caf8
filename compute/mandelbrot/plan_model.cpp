#include "compute/mandelbrot/plan_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace loom {

RegionCensus::RegionCensus(const MandelbrotLevels& levels, std::uint32_t n) {
  const int all = std::bit_width(n) - 1;
  if (levels.empty()) return;
  share = static_cast<double>(levels.front().regions) / (kCut.g * kCut.g);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const int side = all - 1 - static_cast<int>(level);
    if (side < 0 || side >= static_cast<int>(kSides)) continue;
    split[static_cast<std::size_t>(side)] = static_cast<double>(levels[level].regions - levels[level].filled);
  }
}

PlanModel::Terms PlanModel::terms_of(const PlanTimes& view, const CostCut& cut) {
  constexpr double kThreads = 256;  // of a thread block
  // Leaves are divided into tiles between lines 8 pixels apart; those that are not uniform are computed.
  constexpr double kTileWidth = 8;
  constexpr std::size_t kTileSide = 3;
  constexpr double kOfLines = 15.0 / 64;
  constexpr double kInTile = 49;
  const auto sides = RegionCensus::kSides;
  Terms terms{};
  terms[0] = 1;
  const double pixel = view.exhaustive_ms / (static_cast<double>(view.n) * view.n);
  double regions = static_cast<double>(cut.g) * cut.g * view.census.share;
  auto side = static_cast<std::size_t>(std::bit_width(view.n) - std::bit_width(cut.g));
  const auto step = static_cast<std::size_t>(std::bit_width(cut.r) - 1);
  for (;;) {
    const double width = std::ldexp(1.0, static_cast<int>(side));
    const double split = std::min(view.census.split[side], regions);
    const double border = pixel * regions * std::max(1.0, 4 * width - 4);
    const double border_rounds = view.dwell_limit * 1e-6 * 4 * width / kThreads;
    terms[1] += 1;
    terms[kShared + side] += regions * 1e-4;
    if (width / cut.r <= cut.b) {
      const double inside = width > kTileWidth
                                ? split * width * width * kOfLines + view.census.split[kTileSide] * kInTile
                                : split * width * width;
      const double work = border + pixel * inside;
      terms[3] += work;
      terms[4] += border_rounds * (1 + width / 4);
      terms[kShared + sides + side] += work;
      terms[kShared + 2 * sides + side] += view.dwell_limit * 1e-3;
      return terms;
    }
    terms[2] += border;
    terms[4] += border_rounds;
    terms[kShared + 3 * sides + side] += border;
    regions = split * cut.r * cut.r;
    side -= step;
  }
}

PlanModel::PlanModel(std::span<const PlanTimes> views, std::optional<std::size_t> without) {
  // Least squares by coordinate descent. A little weight on small factors keeps those of a side near the
  // shared ones.
  constexpr double kRidge = 1e-4;
  constexpr int kPasses = 3000;
  constexpr double kEnough = 1e-6;
  std::vector<Terms> squares(kTerms);
  Terms sums{};
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (i == without) continue;
    double fastest = std::numeric_limits<double>::infinity();
    for (const PlanTimes::Run& run : views[i].runs) fastest = std::min(fastest, run.ms);
    for (const PlanTimes::Run& run : views[i].runs) {
      if (!(run.ms <= kSlowest * fastest)) continue;
      const double weight = (fastest / run.ms) * (fastest / run.ms);
      Terms terms = terms_of(views[i], run.cut);
      for (double& term : terms) term *= weight / run.ms;
      for (std::size_t a = 0; a < kTerms; ++a) {
        if (terms[a] == 0) continue;
        fitted_[a] = true;
        sums[a] += terms[a] * weight;
        for (std::size_t b = 0; b < kTerms; ++b) squares[a][b] += terms[a] * terms[b];
      }
    }
  }
  for (std::size_t a = kShared; a < kTerms; ++a) squares[a][a] += kRidge + 10 * kRidge * squares[a][a];
  for (int pass = 0; pass < kPasses; ++pass) {
    double change = 0;
    for (std::size_t a = 0; a < kTerms; ++a) {
      if (!fitted_[a]) continue;
      double rest = sums[a] + squares[a][a] * factors_[a];
      for (std::size_t b = 0; b < kTerms; ++b) rest -= squares[a][b] * factors_[b];
      const double factor = std::max(0.0, rest / squares[a][a]);
      change = std::max(change, std::fabs(factor - factors_[a]) * std::sqrt(squares[a][a]));
      factors_[a] = factor;
    }
    if (change < kEnough) break;
  }
}

std::optional<double> PlanModel::predicted_ms(const PlanTimes& view, const CostCut& cut) const {
  const Terms terms = terms_of(view, cut);
  double sum = 0;
  for (std::size_t i = 0; i < kTerms; ++i) {
    if (terms[i] != 0 && !fitted_[i]) return std::nullopt;
    sum += terms[i] * factors_[i];
  }
  return sum;
}

const PlanTimes::Run* PlanModel::choose(const PlanTimes& view) const {
  const PlanTimes::Run* chosen = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const PlanTimes::Run& run : view.runs) {
    const std::optional<double> time = predicted_ms(view, run.cut);
    if (!time || !(*time < least)) continue;
    least = *time;
    chosen = &run;
  }
  return chosen;
}

}  // namespace loom
