#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/solid/solid_engine.h"

namespace loom::app {

/// The cells of a field in the format of FractalEngine::read_bits(), which is independent of map, storage and
/// backend: one plane, or several if there are more than two states.
struct CellBits {
  std::uint64_t count = 0;
  std::vector<std::uint8_t> bytes;
  std::uint32_t planes() const { return static_cast<std::uint32_t>(bytes.size() / bytes_of_bits(count)); }
  std::uint8_t state(std::uint64_t index) const;
  friend bool operator==(const CellBits&, const CellBits&) = default;
};

/// Reads all cells. Throws OperationCancelled if the engine's monitor is cancelled, std::bad_alloc.
CellBits read_cell_bits(const FractalEngine& engine);

/// Equal to FractalEngine::census() of the same cells.
Census census_of(const CellBits& bits);

/// Cells of two or three dimensions by their origin: a random start or stored bits, and the edits and
/// generations that followed. Life is deterministic, so that they can be recomputed. A value that is cheap to
/// copy: copies share what they have in common. Without an origin, the cells are not known.
template <int kDimensions>
class CellSourceOf {
  struct Change;

 public:
  using Edit = CellEditOf<kDimensions>;
  using Work = WorkOf<kDimensions>;

  CellSourceOf() = default;
  explicit CellSourceOf(const RandomStart& start, const Work& work = {}, std::uint64_t times = 0)
      : work_(work), times_(times) {
    change({.is_origin = true, .start = start});
  }
  /// The cells of `bits`, at this generation.
  CellSourceOf(std::shared_ptr<const CellBits> bits, std::uint64_t generation) {
    change({.is_origin = true, .bits = std::move(bits), .generation = generation});
  }

  /// Adds edits; `undone` has the previous states of the same cells, or is empty if they are not known.
  void edit(std::vector<Edit> edits, std::vector<Edit> undone = {}) {
    if (edits.empty()) return;
    change({.edits = std::move(edits), .undone = std::move(undone), .generation = generation()}, *this);
    times_ = 0;
  }
  /// Adds repetitions of a work. Reductions leave the cells as they are.
  void run(std::uint64_t times, const Work& work) {
    if (times == 0 || work.workload == Workload::kReduction) return;
    if (times_ > 0 && !same_run(work_, work)) {
      change({.generation = generation()}, *this);
      times_ = 0;
    }
    work_ = work;
    times_ += times;
  }
  /// The same cells, which have no edits, from an origin of their own; `before` stays known as long as they.
  CellSourceOf begun_after(const CellSourceOf& before) const {
    CellSourceOf cells = *this;
    cells.change(
        {.is_origin = true, .start = last_->start, .bits = last_->bits, .generation = last_->generation},
        before);
    return cells;
  }

  bool is_known() const { return last_ != nullptr; }
  /// Whether the cells are a random start and generations of one work.
  bool is_plain() const { return is_known() && last_->is_origin && !last_->bits; }
  /// Whether they are only the random start.
  bool is_start() const { return is_plain() && times_ == 0; }
  std::uint64_t generation() const { return is_known() ? last_->generation + times_ : 0; }
  /// The number of changes so far: edits and generations.
  std::uint64_t depth() const { return is_known() ? last_->depth + times_ : 0; }

  // The origin.
  CellSourceOf beginning() const {
    const CellSourceOf* at = this;
    while (!at->last_->is_origin) at = &at->last_->before;
    return at->after_edits();
  }
  const RandomStart& start() const { return beginning().last_->start; }
  const std::shared_ptr<const CellBits>& bits() const { return beginning().last_->bits; }

  // The last edits, and the work that was done `times()` times after them.
  const std::vector<Edit>& edits() const { return last_->edits; }
  CellSourceOf after_edits() const {
    CellSourceOf cells = *this;
    cells.times_ = 0;
    return cells;
  }
  const Work& work() const { return work_; }
  std::uint64_t times() const { return times_; }

  /// The generations from here to `later`; nothing if those cells do not follow from these.
  std::optional<std::uint64_t> generations_to(const CellSourceOf& later) const {
    std::uint64_t generations = 0;
    for (const CellSourceOf* at = &later; is_known() && at->is_known(); at = &at->last_->before) {
      if (at->continues(*this)) return generations + at->times_ - times_;
      if (at->last_->is_origin) break;
      generations += at->times_;
    }
    return std::nullopt;
  }
  /// Whether `later` follows from these cells, or keeps them known.
  bool is_before(const CellSourceOf& later) const {
    const CellSourceOf* at = &later;
    while (at->is_known() && !at->continues(*this)) at = &at->last_->before;
    return is_known() && at->is_known();
  }
  /// From `earlier`, which leads to these cells: the cells before each of the later edits, and these.
  std::vector<CellSourceOf> steps_from(const CellSourceOf& earlier) const {
    std::vector<CellSourceOf> steps;
    const CellSourceOf* at = this;
    for (; at->last_ != earlier.last_; at = &at->last_->before) steps.push_back(*at);
    steps.push_back(*at);
    std::ranges::reverse(steps);
    return steps;
  }
  /// The edits that lead from here to `other`, if only edits lie between; nothing otherwise. The last state
  /// of a cell counts: going back, that is the state before the first edit.
  std::optional<std::vector<Edit>> patch_to(const CellSourceOf& other) const {
    std::vector<Edit> patch;
    if (generations_to(other) == 0u) {
      for (const CellSourceOf& step : other.steps_from(*this)) {
        if (step.last_ != last_) patch.insert(patch.end(), step.edits().begin(), step.edits().end());
      }
      return patch;
    }
    if (other.generations_to(*this) != 0u) return std::nullopt;
    for (const CellSourceOf* at = this; at->last_ != other.last_; at = &at->last_->before) {
      const Change& change = *at->last_;
      if (change.undone.size() != change.edits.size()) return std::nullopt;
      patch.insert(patch.end(), change.undone.begin(), change.undone.end());
    }
    return patch;
  }
  /// The last cells before these that are one generation younger; unknown if there are none.
  CellSourceOf previous_generation() const {
    const CellSourceOf* at = this;
    while (at->is_known() && at->times_ == 0) {
      if (at->last_->is_origin) return {};
      at = &at->last_->before;
    }
    CellSourceOf cells = *at;
    if (cells.is_known()) --cells.times_;
    return cells;
  }
  /// Bytes of edits and stored bits, without those that `counted` shares; `shared`: whether there are any.
  std::uint64_t bytes_since(const CellSourceOf& counted, bool& shared) const {
    std::uint64_t bytes = 0;
    const CellSourceOf* at = this;
    for (; at->is_known() && at->last_ != counted.last_; at = &at->last_->before) {
      const Change& change = *at->last_;
      bytes += (change.edits.size() + change.undone.size()) * sizeof(Edit);
      if (change.bits) bytes += change.bits->bytes.size();
    }
    shared = at->is_known();
    return bytes;
  }

  /// Whether two engines that had the same cells made the same changes to them: these cells and `other`.
  bool repeats(const CellSourceOf& other) const {
    if (times_ != other.times_ || (times_ > 0 && !same_run(work_, other.work_))) return false;
    if (last_ == other.last_ || !is_known() || !other.is_known()) return last_ == other.last_;
    const Change& own = *last_;
    const Change& others = *other.last_;
    return !own.is_origin && !others.is_origin && own.edits == others.edits &&
           own.before.repeats(others.before);
  }
  friend bool operator==(const CellSourceOf& a, const CellSourceOf& b) {
    return a.last_ == b.last_ && a.times_ == b.times_ && a.continues(b);
  }

  /// These cells, without keeping them known.
  class Ref {
   public:
    explicit Ref(const CellSourceOf& cells) : last_(cells.last_), cells_(cells) { cells_.last_.reset(); }
    /// Unknown if nothing else keeps them.
    CellSourceOf lock() const {
      CellSourceOf cells = cells_;
      cells.last_ = last_.lock();
      return cells;
    }

   private:
    std::weak_ptr<const Change> last_;
    CellSourceOf cells_;
  };

 private:
  /// An origin, or edits of the cells `before`; without edits, a change of the work.
  struct Change {
    bool is_origin = false;
    RandomStart start = {};
    std::shared_ptr<const CellBits> bits = {};
    std::vector<Edit> edits = {};
    std::vector<Edit> undone = {};
    std::uint64_t generation = 0;
    std::uint64_t depth = 0;
    CellSourceOf before = {};
  };
  /// Not by recursion: a history can have many changes.
  static void forget(const Change* change) {
    std::shared_ptr<const Change> next = std::move(const_cast<Change*>(change)->before.last_);
    delete change;
    while (next.use_count() == 1) next = std::move(const_cast<Change&>(*next).before.last_);
  }
  void change(Change change, const CellSourceOf& before = {}) {
    change.depth = before.depth() + (change.is_origin || !change.edits.empty() ? 1 : 0);
    change.before = before;
    last_ = std::shared_ptr<const Change>(new Change(std::move(change)), &forget);
  }
  static bool same_run(const Work& a, const Work& b) {
    return a.workload == b.workload && (a.workload != Workload::kLife || a.rule == b.rule);
  }
  bool continues(const CellSourceOf& earlier) const {
    return last_ == earlier.last_ && times_ >= earlier.times_ &&
           (earlier.times_ == 0 || same_run(work_, earlier.work_));
  }

  std::shared_ptr<const Change> last_;
  Work work_ = {};
  std::uint64_t times_ = 0;
};
using CellSource = CellSourceOf<2>;

/// The bits of some cells.
struct CellSnapshot {
  CellSource cells;
  std::shared_ptr<const CellBits> bits;
};

/// How cells are made: `near` is a snapshot that leads to them; of the last `keep` generations, the cells are
/// added to `kept`.
struct CellMaking {
  const CellSnapshot* near = nullptr;
  std::uint64_t keep = 0;
  std::vector<CellSnapshot>* kept = nullptr;
};

/// The generations that make_cells() computes.
template <int kDimensions>
std::uint64_t generations_to_make(const CellSourceOf<kDimensions>& made,
                                  const CellSourceOf<kDimensions>& wanted,
                                  const CellSnapshot* near = nullptr);

/// Makes the wanted cells in an engine of their field: from those that it has, `made`, where only edits or
/// later generations are missing, else from the snapshot or the origin. `made` is always that of the engine,
/// also after an exception. Returns times and number of the generations. Throws OperationCancelled.
template <int kDimensions>
StepReport make_cells(EngineOf<kDimensions>& engine, CellSourceOf<kDimensions>& made,
                      const CellSourceOf<kDimensions>& wanted, ProgressMonitor* monitor = nullptr,
                      const CellMaking& how = {});

/// Largest product of cells and generations that is recomputed and not stored: about 0.1 s on a CPU.
inline constexpr std::uint64_t kMaxRecomputedCells = std::uint64_t{1} << 25;
/// True if recomputing `generations` generations of `cells` cells is quick enough to replace storing them.
bool is_cheap_to_recompute(std::uint64_t generations, std::uint64_t cells);
/// True if a file may store the cells: as bits, or by a start that is quick to recompute.
bool can_be_saved(const CellSource& cells, std::uint64_t count);
/// Throws InputError if can_be_saved() is false.
void check_can_be_saved(const CellSource& cells, std::uint64_t count);

/// The cells of an engine as bits, or as a file stores them: by their start if that is quick to recompute,
/// otherwise as bits. Throw OperationCancelled if the engine's monitor is cancelled, std::bad_alloc.
CellSource stored_cells(const FractalEngine& engine);
CellSource saved_cells(const FractalEngine& engine, const CellSource& cells);

/// The states of the active pane's cells, those of undo and redo among them, and the bits of some of them,
/// which shorten recomputing. Undone states stay until another change is made.
class EditHistory {
 public:
  /// Budget in bytes for stored cells and edits.
  static constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;
  explicit EditHistory(std::uint64_t budget = kBudget) : budget_(budget) {}

  /// The engine has these cells now: those of a state of the history, or others, which are the newest from
  /// then on.
  void follow(const CellSource& cells);
  /// Stores the bits of cells of the history if there is room.
  void keep(CellSnapshot snapshot);

  const CellSource& now() const { return now_; }
  /// The last snapshot that leads to these cells; null if there is none.
  const CellSnapshot* nearest(const CellSource& cells) const;
  /// Generations between the last stored cells before the current ones and these.
  std::uint64_t generations_to_recompute() const;
  /// True if edits use so much of the budget that the history must begin anew with stored cells.
  bool overflows() const { return edit_bytes_ > budget_ / 2; }
  std::uint64_t bytes() const { return edit_bytes_ + snapshot_bytes_; }
  std::uint64_t budget() const { return budget_; }
  /// The number of last generations to store while these cells are made by `generations` generations.
  std::uint64_t kept_of(std::uint64_t generations, std::uint64_t cells, std::uint32_t states,
                        double step_ms) const;

  /// True if recomputing would take so long that the cells should be stored: before a change, or while
  /// generations run. False for fields that are too large for the budget; these are recomputed from their
  /// random start.
  bool should_save_before(std::uint64_t cells, double step_ms) const;
  bool should_save_now(std::uint64_t cells, double step_ms) const;
  /// True if the cells should be copied because the history could not restore them quickly without their
  /// engine. What a terminated window can save is then at most a second old, for up to kMaxCopiedCells cells.
  bool should_copy(std::uint64_t cells) const;
  static constexpr std::uint64_t kMaxCopiedCells = 10'000'000;
  /// Call after a copy of `cells` cells.
  void record_copy(std::uint64_t cells);

 private:
  using Clock = std::chrono::steady_clock;
  bool fits_budget(std::uint64_t cells) const;
  void make_room();

  std::uint64_t budget_;
  CellSource now_;
  CellSource newest_;                    ///< from which the current ones may be undone
  std::vector<CellSnapshot> snapshots_;  ///< sorted by depth
  std::uint64_t edit_bytes_ = 0;         ///< of `newest_`
  std::uint64_t snapshot_bytes_ = 0;
  Clock::time_point next_{};
};

}  // namespace loom::app
