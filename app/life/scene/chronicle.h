#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "app/life/scene/replay.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// What was done to the cells, change by change, so that every state can be made again: life is the same each
/// time. Runs of generations take no room, edits a little; cells kept in between make the way short. States
/// that were undone stay until something else is done instead.
class Chronicle {
 public:
  /// Bytes of kept cells and edits.
  static constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;
  explicit Chronicle(std::uint64_t budget = kBudget) : budget_(budget) {}

  // What was done, by which the state of now is another one; what was undone before it is forgotten.
  void begin(const NbbFractal& fractal, int level, const FieldCells& cells);
  /// `before`: the states of the same cells before it.
  void edit(const std::vector<CellEdit>& edits, const std::vector<CellEdit>& before);
  void run(std::uint64_t times, const Work& work);
  /// The cells of a moment are known; kept where there is room.
  void keep(KeptCells cells);

  /// A moment that exists() is the state of now.
  void go(Moment moment) { now_ = moment; }
  Moment now() const { return now_; }
  bool exists(Moment moment) const { return find(moment) != nullptr; }
  std::uint64_t generation_of(Moment moment) const;
  bool is_of(Moment moment, const NbbFractal& fractal, int level) const;
  const NbbFractal& fractal_of(Moment moment) const { return *field_of(moment).fractal; }
  int level_of(Moment moment) const { return field_of(moment).level; }

  /// The last moment before `moment` whose generation is one less; nothing where it is the first, or
  /// forgotten.
  std::optional<Moment> before_generation(Moment moment) const;
  /// The cells that bring the state of now to `to`, where nothing but edits lies between; nothing otherwise.
  std::optional<std::vector<CellEdit>> patch_to(Moment to) const;
  Replay way_to(Moment moment) const;
  /// Generations between `moment` and the last cells that are known before it.
  std::uint64_t generations_to_do(Moment moment) const;
  /// What says the cells of now without their bits: a start, and generations of one work; nothing otherwise.
  std::optional<FieldCells> grown() const;
  /// The newest cells that are known to the host, with the field they are of.
  std::optional<KeptCells> newest_kept() const;

  /// Whether edits fill so much of the budget that cells should be kept, for what is before them to be
  /// forgotten.
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
  std::vector<KeptCells> kept_;  ///< by moment
  Moment now_ = 0;
  Moment last_ = 0;  ///< the largest number that was used
  std::uint64_t edit_bytes_ = 0;
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace loom::app
