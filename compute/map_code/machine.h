#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compute/engine/progress_monitor.h"
#include "compute/geometry/nbb_shape.h"
#include "compute/map_code/code.h"
#include "compute/map_code/run.h"

namespace loom {

// The interpreter of warps. A register is an array of 32 lanes; an instruction runs for all lanes of a mask.
// A stack of masks serves if, loops, switch, ?:, && and ||: lanes that go different ways come together at the
// end of the statement, as in a warp without independent scheduling.

/// 32 lanes of 32 bits; a register of 64 bits takes two.
struct alignas(64) LaneUnit {
  std::int32_t lanes[32];
};

/// What a map knows of a fractal.
struct MapFractal {
  MapFractal() : members(), offset_x(), offset_y(), replica_at() {}  ///< of a formula, which reads none
  MapFractal(const NbbFractal& fractal, int level);
  NbbShape shape;
  std::array<std::int32_t, 7> members;  ///< in the order of kUniforms
  std::array<std::int32_t, kMaxReplicas> offset_x, offset_y, replica_at;
};

enum class Fault : std::uint8_t {
  kNone,
  kDivision,
  kOverflow,
  kIndex,
  kCalls,
  kMemory,
  kInstructions,
  kTime,
  kCancelled
};

/// What stopped a thread, by its number in its launch; or launch().
std::string fault_text(Fault fault, const MapLaunch& launch, std::uint64_t thread, bool is_launch,
                       int max_calls = kMaxMapCalls);

std::string fault_text(Fault fault, const std::string& where, int max_calls);

/// What an instruction did.
struct InstructionCount {
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0;
  std::uint64_t divergent = 0;
  std::uint64_t last = 0;  ///< WarpState::instructions of the last execution
  std::uint32_t last_mask = 0;
};

/// A warp between two instructions. Copies share nothing.
struct WarpState {
  struct Masks {
    std::uint32_t join = 0;   ///< lanes that are at the end
    std::uint32_t other = 0;  ///< lanes that wait for Else, Next or their case
  };
  struct Call {
    int function = 0;
    int from = 0;  ///< the instruction Call
    int base = 0;  ///< of the caller's registers
    std::uint32_t mask = 0;
  };
  int at = 0;
  int base = 0;
  std::uint32_t mask = 0;
  std::uint64_t instructions = 0;
  std::uint64_t statements = 0;
  Fault fault = Fault::kNone;
  int fault_lane = 0;
  bool is_done = false;
  std::vector<Masks> masks;
  std::vector<Call> calls;
  MapCounts totals;                      ///< of this warp, if counted
  std::vector<InstructionCount> counts;  ///< by instruction, if counted: of all warps so far
  std::vector<LaneUnit> memory;          ///< of a copy: the units in use
};

/// Runs warps of one map. One thread uses it.
class Machine {
 public:
  /// `cells` has a bit per point, 32 in a word, for is_cell(), and may be null: then it is computed by level.
  /// The code and the cells must outlive the machine.
  Machine(const MapCode& code, const MapFractal& fractal, const std::uint32_t* cells, bool counts);

  std::uint64_t limit = kMaxWarpInstructions;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const ProgressMonitor* monitor = nullptr;

  /// Begins launch(), or a warp of a launch in cell_of_thread().
  void begin_launch();
  void begin_warp(const MapLaunch& launch, std::int64_t block_x, std::int64_t block_y, int warp);
  /// Begins next() of a formula for these lanes, whose arguments are in numbers<Real>().
  void begin_next(std::uint32_t mask);
  /// Of next(): the first numbers are the result's (2 of a Complex, 3 of a Vector), then z's, then c's.
  template <typename Real>
  Real* numbers(int number) {
    return const_cast<Real*>(std::as_const(*this).numbers<Real>(number));
  }
  template <typename Real>
  const Real* numbers(int number) const {
    const LaneUnit* const units = memory_.data() + shared_;
    return reinterpret_cast<const Real*>(units +
                                         static_cast<std::size_t>(number) * (sizeof(Real) / sizeof(float)));
  }
  /// Runs to the end, a fault, or if it counts, this many instructions in all. Returns whether it ended
  /// without a fault.
  bool run(std::uint64_t until = ~std::uint64_t{0});
  /// Whether the warp has to stop: its limit, the deadline, or the monitor. Sets the fault.
  bool poll();

  const WarpState& state() const { return state_; }
  WarpState copy() const;
  void restore(const WarpState& state);
  /// Adds what the instructions did to the counts by line, from 1 (0 is empty).
  void add_counts(std::vector<LineCounts>& lines) const;
  void clear_counts() { state_.counts.assign(state_.counts.size(), {}); }
  /// What a lane or launch() returned.
  MapPoint point(int lane) const { return {memory_[shared_].lanes[lane], memory_[shared_ + 1].lanes[lane]}; }
  MapLaunch launched() const;
  /// The fault as a problem at its line. `is_launch`: in launch().
  CodeProblem problem(const MapLaunch& launch, bool is_launch) const;
  CodeProblem problem() const;  ///< in next()

 private:
  friend void execute(Machine& machine, std::uint64_t until);
  void begin(int function, std::uint32_t mask);
  void set_uniform(std::size_t index, std::int64_t value);
  const MapCode* code_;
  MapFractal fractal_;
  const std::uint32_t* cells_;
  bool counts_;
  std::size_t shared_;  ///< units in front of the registers
  std::vector<LaneUnit> memory_;
  WarpState state_;
  std::uint64_t next_poll_ = 0;
  int warp_ = -1;  ///< that threadIdx is of
  std::int64_t block_[2] = {-1, -1};
};

}  // namespace loom
