#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "app/life/scene/replay.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// The history of changes of the cells, from which every state can be recomputed, because life is
/// deterministic. Generations need no memory, edits little; cells stored in between shorten the
/// recomputation. Undone states stay until another change is made.
class Chronicle {
 public:
  /// Budget in bytes for stored cells and edits.
  static constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;
  explicit Chronicle(std::uint64_t budget = kBudget) : budget_(budget) {}

  // The following calls record a change; states that were undone before are discarded.
  void begin(const NbbFractal& fractal, int level, const FieldCells& cells);
  /// `before`: the states of the same cells before it.
  void edit(const std::vector<CellEdit>& edits, const std::vector<CellEdit>& before);
  void run(std::uint64_t times, const Work& work);
  /// Stores the cells of a state if there is room.
  void keep(KeptCells cells);

  /// Makes an existing state the current one.
  void go(Moment moment) { now_ = moment; }
  Moment now() const { return now_; }
  bool exists(Moment moment) const { return find(moment) != nullptr; }
  std::uint64_t generation_of(Moment moment) const;
  bool is_of(Moment moment, const NbbFractal& fractal, int level) const;
  const NbbFractal& fractal_of(Moment moment) const { return *field_of(moment).fractal; }
  int level_of(Moment moment) const { return field_of(moment).level; }

  /// The last state before `moment` whose generation is one less; nothing if `moment` is the first or the
  /// state was discarded.
  std::optional<Moment> before_generation(Moment moment) const;
  /// The edits that lead from the current state to `to`, if only edits lie between them; nothing otherwise.
  std::optional<std::vector<CellEdit>> patch_to(Moment to) const;
  Replay way_to(Moment moment) const;
  /// Generations between the last stored cells before `moment` and `moment`.
  std::uint64_t generations_to_do(Moment moment) const;
  /// The current cells as a random start and a number of generations of one workload; nothing if they cannot
  /// be described so.
  std::optional<FieldCells> grown() const;
  /// The newest cells that are known to the host, with the field they are of.
  std::optional<KeptCells> newest_kept() const;

  /// True if edits use so much of the budget that cells should be stored, so that older edits can be
  /// discarded.
  bool overflows() const { return edit_bytes_ > budget_ / 2; }
  std::uint64_t bytes() const { return edit_bytes_ + kept_bytes_; }
  std::uint64_t budget() const { return budget_; }

 private:
  struct Field {
    std::shared_ptr<const NbbFractal> fractal;
    int level = 0;
  };
  enum class Kind { kBegin, kEdit, kRun };
  struct Change {
    Kind kind = Kind::kBegin;
    Moment first = 0;              ///< the state after it, of a run after its first time
    std::uint64_t times = 1;       ///< of a run; the others make one state
    std::uint64_t generation = 0;  ///< of the state `first`
    Field field = {};
    FieldCells cells = {};  ///< kBegin
    std::vector<CellEdit> edits = {};
    std::vector<CellEdit> before = {};
    Work work = {};
    Moment last() const { return first + times - 1; }
  };
  const Change* find(Moment moment) const;
  std::size_t index_of(Moment moment) const;
  const Field& field_of(Moment moment) const { return find(moment)->field; }
  std::size_t beginning_of(std::size_t change) const;
  const KeptCells* kept_before(Moment moment, Moment earliest) const;
  std::uint64_t bytes_of(const Change& change) const;
  Change& add(Change change);
  void forget_after_now();
  void make_room();

  std::uint64_t budget_;
  std::deque<Change> changes_;
  std::vector<KeptCells> kept_;  ///< sorted by state
  Moment now_ = 0;
  Moment last_ = 0;  ///< the largest number that was used
  std::uint64_t edit_bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace loom::app
