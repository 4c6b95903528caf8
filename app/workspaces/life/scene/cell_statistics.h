#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/workspaces/life/scene/cell_source.h"
#include "compute/engine/fractal_engine.h"
#include "compute/workload/workload.h"

namespace loom::app {

/// Cells in refractory states, from the first to the last in as many groups of nearly equal size as there are
/// states, at most six.
struct RefractoryCounts {
  static constexpr std::uint32_t kMostGroups = 6;
  std::array<std::uint64_t, kMostGroups> cells = {};
  /// The number of groups of a rule's states.
  static std::uint32_t groups(std::uint32_t states) { return std::min(kMostGroups, states - 2); }
  /// The group of a state, 2 to `states` - 1.
  static std::uint32_t group_of(std::uint32_t states, std::uint32_t state) {
    return (state - 2) * groups(states) / (states - 2);
  }
};

/// A census and the generation that it counted.
struct CountedCensus {
  Census census;
  std::uint64_t generation = 0;
  RefractoryCounts refractory = {};
};

/// Decides when the living cells are counted, and stores the last count. A census visits every cell. While
/// playing, censuses take at most about a fiftieth of the time and, unless they are very cheap, run at most
/// four times a second. While paused, each change is counted if a census is quick.
class CensusSchedule {
 public:
  using Clock = std::chrono::steady_clock;
  /// True if the cells of `generation` should be counted now.
  bool due(std::uint64_t generation, bool playing) const;
  void take(const CountedCensus& census, double milliseconds);
  /// Call after a change other than a step: discards the count.
  void invalidate() { counted_.reset(); }
  /// Makes another count due at once, whatever it costs.
  void count_now() {
    invalidate();
    next_ = {};
  }
  const std::optional<CountedCensus>& counted() const { return counted_; }

 private:
  std::optional<CountedCensus> counted_;
  Clock::duration cost_{};
  Clock::time_point next_{};
};

/// Detects cycles from censuses and records the population over time. Two states are considered equal if
/// population and hash agree; agreement after another period confirms the cycle. Allocates nothing.
class CycleDetector {
 public:
  struct Sample {
    std::uint64_t generation = 0;
    std::uint64_t population = 0;
    std::uint64_t hash = 0;
    RefractoryCounts refractory = {};
  };
  static constexpr std::size_t kMaxSamples = 512;

  /// Adds a census under `work`. Other work starts over, and so does an earlier generation unless its state
  /// is the one that was counted there: then the samples after it are discarded.
  void add(const CountedCensus& census, const Work& work);
  /// Call after the history went to another generation: the next census must agree with a sample.
  void jump() { jumped_ = true; }
  /// Call after a change other than generations: discards all samples.
  void forget();

  std::size_t size() const { return count_; }
  /// Oldest first.
  const Sample& operator[](std::size_t i) const { return samples_[(first_ + i) % kMaxSamples]; }

  struct Cycle {
    std::uint64_t period = 0;
    std::uint64_t since = 0;         ///< the first counted generation that repeats
    bool may_start_earlier = false;  ///< `since` is the first counted generation
    /// Not every generation in between was counted: the true period divides `period`.
    bool period_divides = false;
  };
  /// The detected cycle; nothing without a repetition or before it is confirmed. It stays until forget(); a
  /// better one replaces it: the true period, or a smaller multiple of it.
  const std::optional<Cycle>& cycle() const { return found_; }

 private:
  bool go_back_to(const Sample& sample);

  bool jumped_ = false;
  std::array<Sample, kMaxSamples> samples_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  Work work_{};
  std::uint64_t contiguous_since_ = 0;  ///< from this generation on, each one was counted
  std::optional<Cycle> found_;
  std::optional<Cycle> candidate_;
  std::uint64_t confirmed_ = 0;  ///< number of censuses that agreed with the candidate
};

/// The number of generations for which each cell of a small field has been alive, or dead after it was seen
/// alive. Reads the cells of the engine and does not change them.
class CellAges {
 public:
  /// Larger fields are not tracked.
  static constexpr std::uint64_t kMaxCells = 1 << 15;
  /// Number of generations for which a dead cell is shown.
  static constexpr std::uint32_t kTrail = 16;

  /// Stops tracking; the next use starts over.
  void forget();
  /// Reads the cells if they are others than at the last call. The engine must be idle.
  void follow(const FractalEngine& engine, const CellSource& cells);
  /// Takes states in canonical order of `generation`. A later generation than the last ages each cell by the
  /// difference; the same generation means an edit; an earlier one starts over.
  void take(const std::vector<std::uint8_t>& states, std::uint64_t generation);

  struct Cell {
    Coord64 place;
    std::uint32_t alive = 0;  ///< generations since it was born or first seen, from 1 on; 0: dead
    std::uint32_t dead = 0;   ///< generations since it died, 1 to kTrail; 0: longer, or never
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  /// All cells, including those that were never alive; empty if the field is too large or not tracked.
  const std::vector<Cell>& cells() const { return cells_; }
  /// Generations between the last two reads; births and deaths in between are not seen.
  std::uint64_t stride() const { return stride_; }

 private:
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> states_;
  std::optional<NbbFractal> fractal_;
  int level_ = 0;
  CellSource read_;
  std::optional<std::uint64_t> generation_;
  std::uint64_t stride_ = 1;
};

/// The states of all cells of a small field by canonical index, for colouring threads and bytes.
class CellStates {
 public:
  /// Larger fields are not read.
  static constexpr std::uint64_t kMaxCells = 1 << 14;

  /// Discards the states while no view uses them.
  void forget() {
    alive_.clear();
    read_ = {};
  }
  /// Reads the states if they are those of other cells than at the last call. The engine must be idle.
  void read(const FractalEngine& engine, const CellSource& cells);

  /// Empty if the states were not read.
  const std::vector<std::uint8_t>& alive() const { return alive_; }
  /// Changes with each read.
  std::uint64_t version() const { return version_; }

 private:
  std::vector<std::uint8_t> alive_;
  std::uint64_t version_ = 0;
  CellSource read_;
};

}  // namespace loom::app
