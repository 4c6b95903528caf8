#include "app/workspaces/life/scene/cell_statistics.h"

#include <limits>
#include <utility>

#include "compute/geometry/canonical_order.h"

namespace loom::app {

void CycleDetector::forget() {
  first_ = 0;
  count_ = 0;
  jumped_ = false;
  found_.reset();
  candidate_.reset();
  confirmed_ = 0;
}

// Discards the samples after this one. Returns false if it was not counted. A cycle that was found holds for
// all generations before, since they lead to it.
bool CycleDetector::go_back_to(const Sample& sample) {
  std::size_t count = count_;
  while (count > 0 && (*this)[count - 1].generation > sample.generation) --count;
  if (count == 0) return false;
  const Sample& last = (*this)[count - 1];
  if (last.generation != sample.generation || last.hash != sample.hash ||
      last.population != sample.population)
    return false;
  count_ = count;
  candidate_.reset();
  confirmed_ = 0;
  contiguous_since_ = sample.generation;
  for (std::size_t i = count - 1; i > 0 && (*this)[i - 1].generation + 1 == (*this)[i].generation; --i)
    contiguous_since_ = (*this)[i - 1].generation;
  return true;
}

void CycleDetector::add(const CountedCensus& census, const Work& work) {
  const Sample now{census.generation, census.census.population, census.census.hash, census.refractory};
  if (count_ > 0) {
    const Sample& last = (*this)[count_ - 1];
    const bool jumped = std::exchange(jumped_, false);
    if (now.generation == last.generation && now.hash == last.hash) return;
    if (work == work_ && (jumped || now.generation <= last.generation) && go_back_to(now)) return;
    if (jumped || now.generation <= last.generation || work != work_) forget();
  }
  if (count_ == 0 || now.generation != (*this)[count_ - 1].generation + 1) contiguous_since_ = now.generation;
  work_ = work;
  // The newest equal sample: if all generations in between were counted, its distance is the period.
  const auto same = [&](const Sample& one) {
    return one.hash == now.hash && one.population == now.population;
  };
  std::optional<Sample> earlier;
  for (std::size_t i = count_; i-- > 0 && !earlier;) {
    if (same((*this)[i])) earlier = (*this)[i];
  }
  if (!earlier) {
    candidate_.reset();
  } else {
    const std::uint64_t period = now.generation - earlier->generation;
    const bool period_divides = earlier->generation < contiguous_since_;
    if (candidate_ && candidate_->period == period && candidate_->period_divides == period_divides) {
      confirmed_ += 1;
    } else {
      const std::uint64_t first = (*this)[0].generation;
      candidate_ = Cycle{.period = period,
                         .since = earlier->generation,
                         .may_start_earlier = earlier->generation > 0 &&
                                              earlier->generation == std::max(first, contiguous_since_),
                         .period_divides = period_divides};
      confirmed_ = 0;
    }
    const std::uint64_t enough = period_divides ? 1 : std::min<std::uint64_t>(period, kMaxSamples / 4);
    const bool better = !found_ || (found_->period_divides && (!period_divides || period < found_->period));
    if (confirmed_ >= enough && better) found_ = candidate_;
  }
  if (count_ == kMaxSamples) {
    first_ = (first_ + 1) % kMaxSamples;
    --count_;
  }
  samples_[(first_ + count_) % kMaxSamples] = now;
  ++count_;
}

namespace {

using namespace std::chrono_literals;
constexpr auto kQuick = 20ms;
constexpr auto kCheap = 200us;
constexpr auto kInterval = 250ms;

}  // namespace

bool CensusSchedule::due(std::uint64_t generation, bool playing) const {
  if (counted_ && counted_->generation == generation) return false;
  return Clock::now() >= next_ || ((!playing || !counted_) && cost_ < kQuick);
}

void CensusSchedule::take(const CountedCensus& census, double milliseconds) {
  counted_ = census;
  cost_ =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(milliseconds));
  // Small fields are counted in each displayed generation, so that cycles are found.
  next_ = Clock::now() + (cost_ < kCheap ? 50 * cost_ : std::max<Clock::duration>(kInterval, 50 * cost_));
}

void CellAges::forget() {
  cells_.clear();
  fractal_.reset();
  read_ = {};
  generation_.reset();
}

void CellAges::follow(const FractalEngine& engine, const CellSource& cells) {
  if (engine.cell_count() > kMaxCells) return forget();
  if (read_ == cells) return;
  const FractalConfig& config = engine.config();
  if (fractal_ != config.fractal || level_ != config.level) {
    forget();
    fractal_ = config.fractal;
    level_ = config.level;
    const CanonicalOrder<std::uint64_t> order(make_tiled_fractal(config.fractal, config.level, 1));
    cells_.resize(static_cast<std::size_t>(engine.cell_count()));
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i].place = order.cell(i);
  }
  states_.resize(cells_.size());
  engine.read_cells(0, states_);
  take(states_, engine.generation());
  read_ = cells;
}

void CellAges::take(const std::vector<std::uint8_t>& states, std::uint64_t generation) {
  cells_.resize(states.size());
  const bool anew = !generation_ || generation < *generation_;
  const std::uint64_t passed = anew ? 0 : generation - *generation_;
  if (passed > 0) stride_ = passed;
  const auto older = [&](std::uint32_t age) {
    constexpr std::uint64_t kOldest = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(kOldest, age + passed));
  };
  for (std::size_t i = 0; i < states.size(); ++i) {
    Cell& cell = cells_[i];
    const bool is = states[i] == 1;
    const bool was = cell.alive > 0;
    if (anew) {
      cell.alive = is ? 1 : 0;
      cell.dead = 0;
    } else if (is) {
      cell.alive = was ? older(cell.alive) : 1;
      cell.dead = 0;
    } else {
      const std::uint32_t since = was ? 1 : cell.dead > 0 ? older(cell.dead) : 0;
      cell.alive = 0;
      cell.dead = since > kTrail ? 0 : since;
    }
  }
  generation_ = generation;
}

void CellStates::read(const FractalEngine& engine, const CellSource& cells) {
  if (engine.cell_count() > kMaxCells) return forget();
  if (read_ == cells) return;
  alive_.resize(static_cast<std::size_t>(engine.cell_count()));
  engine.read_cells(0, alive_);
  ++version_;
  read_ = cells;
}

}  // namespace loom::app
