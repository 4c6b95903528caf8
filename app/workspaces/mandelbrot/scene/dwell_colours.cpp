#include "app/workspaces/mandelbrot/scene/dwell_colours.h"

#include <algorithm>
#include <cmath>

#include "compute/core/input_text.h"

namespace loom::app {
namespace {

glm::u8vec3 interior_of(const render::Palette& palette, InteriorColour interior) {
  return value_for<InteriorColour::kWhite>({palette.hole, glm::u8vec3(0), glm::u8vec3(255)}, interior);
}

/// Of adaptive colouring. Ranks alone spread noise over few dwells far from the set; the logarithm alone
/// leaves most of a deep picture one colour.
constexpr double kRankWeight = 0.7;

/// The range of dwells covered by the logarithmic scale.
struct Span {
  double low = 0;
  double high = 1;
};

Span span_of(const DwellHistogram& histogram, std::uint32_t limit) {
  std::uint64_t exterior = 0;
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) exterior += histogram[dwell];
  std::uint64_t below = 0;
  Span span{static_cast<double>(limit), 0};
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
    if (histogram[dwell] > 0) span.low = std::min<double>(span.low, dwell);
    if (below < exterior - exterior / 500) span.high = dwell;
    below += histogram[dwell];
  }
  if (span.low > span.high) return {0, std::max(1.0, limit - 1.0)};
  span.high = std::max(span.high, span.low + 1);
  return span;
}

}  // namespace

std::string_view name_of(Colouring colouring) {
  static constexpr std::array<std::string_view, 4> kNames = {"bands", "smooth", "histogram", "adaptive"};
  return kNames[static_cast<std::size_t>(colouring)];
}

std::string_view name_of(InteriorColour colour) {
  static constexpr std::array<std::string_view, 3> kNames = {"palette", "black", "white"};
  return kNames[static_cast<std::size_t>(colour)];
}

DwellHistogram count_dwells(const MandelbrotEngine& engine) {
  DwellHistogram histogram(engine.config().dwell_limit + std::uint64_t{1});
  engine.count_dwells(histogram);
  return histogram;
}

ScaledHistogram count_dwells_by_scale(const MandelbrotEngine& engine) {
  const std::uint32_t limit = engine.config().dwell_limit;
  ScaledHistogram result{.scale = {.limit = limit}, .counts = {}};
  if (limit <= kMaxNarrowLimit) {
    result.counts = count_dwells(engine);
    return result;
  }
  std::vector<std::uint32_t> dwells(engine.view().pixels());
  engine.read_dwells(0, dwells);
  std::uint32_t lowest = limit;
  std::uint32_t highest = 0;
  for (const std::uint32_t dwell : dwells) {
    if (dwell >= limit) continue;
    lowest = std::min(lowest, dwell);
    highest = std::max(highest, dwell);
  }
  const std::uint32_t range = lowest <= highest ? highest - lowest : 0;
  result.scale.first = std::min(lowest, highest);
  while (range >> result.scale.shift >= kMaxNarrowLimit) ++result.scale.shift;
  result.counts.assign((range >> result.scale.shift) + std::size_t{2}, 0);
  for (const std::uint32_t dwell : dwells) ++result.counts[result.scale.entry(dwell, result.counts.size())];
  return result;
}

void dwell_colours(const render::Palette& palette, const DwellColouring& how,
                   const ScaledHistogram& histogram, DwellColours& colours) {
  colours.scale = histogram.scale;
  const bool cycles = how.cycles() && histogram.scale.limit > kMaxNarrowLimit;
  if (cycles) colours.scale = {.limit = histogram.scale.limit, .cycle = how.cycle};
  const auto entries = static_cast<std::uint32_t>(histogram.counts.size()) - 1;
  dwell_colours(palette, how, histogram.counts, cycles ? how.cycle : entries, colours.colours);
}

void dwell_colours(const render::Palette& palette, const DwellColouring& how, const DwellHistogram& histogram,
                   std::uint32_t limit, std::vector<glm::u8vec3>& colours) {
  if (how.cycles()) {
    colours.assign(limit + std::size_t{1}, interior_of(palette, how.interior));
    for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
      const double turn = static_cast<double>(dwell % how.cycle) / how.cycle;
      colours[dwell] = palette.cycle[static_cast<std::size_t>(std::lround(256 * turn)) % 256];
    }
    return;
  }
  if (histogram.empty()) {
    const DwellHistogram one_each(limit + std::uint64_t{1}, 1);
    return dwell_colours(palette, how, one_each, limit, colours);
  }
  std::uint64_t exterior = 0;
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) exterior += histogram[dwell];
  const Span span = span_of(histogram, limit);
  const double most = std::log1p(span.high - span.low);

  colours.assign(limit + std::size_t{1}, interior_of(palette, how.interior));
  std::uint64_t below = 0;
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
    double place = dwell < span.high ? std::log1p(std::max(0.0, dwell - span.low)) / most : 1;
    if (how.colouring == Colouring::kHistogram && exterior > 0) {
      // Use the middle of the ranks with this dwell, so that a single dwell is at neither end of the scale.
      place = (static_cast<double>(below) + static_cast<double>(histogram[dwell]) / 2) /
              static_cast<double>(exterior);
    }
    if (how.colouring == Colouring::kAdaptive) {
      // The rank at which this dwell begins, since smooth dwells are interpolated up to the next one.
      const double rank = exterior > 0 ? static_cast<double>(below) / static_cast<double>(exterior) : place;
      const double turn = kRankWeight * rank + (1 - kRankWeight) * place;
      colours[dwell] = palette.cycle[static_cast<std::size_t>(std::lround(256 * turn)) % 256];
    } else {
      colours[dwell] = palette.ramp[static_cast<std::size_t>(std::lround(255 * place))];
    }
    below += histogram[dwell];
  }
}

}  // namespace loom::app
