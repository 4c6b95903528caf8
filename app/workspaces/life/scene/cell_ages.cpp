#include "app/workspaces/life/scene/cell_ages.h"

#include <algorithm>
#include <limits>

#include "compute/geometry/canonical_order.h"

namespace loom::app {

void CellAges::forget() {
  cells_.clear();
  fractal_.reset();
  generation_.reset();
  stale_ = true;
}

void CellAges::follow(const FractalEngine& engine) {
  if (engine.cell_count() > kMaxCells) return forget();
  if (!stale_ && generation_) return;
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
  stale_ = false;
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

void CellStates::read(const FractalEngine& engine) {
  if (engine.cell_count() > kMaxCells) return forget();
  if (!stale_ && !alive_.empty()) return;
  alive_.resize(static_cast<std::size_t>(engine.cell_count()));
  engine.read_cells(0, alive_);
  ++version_;
  stale_ = false;
}

}  // namespace loom::app
