#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/engine/progress_monitor.h"
#include "compute/geometry/nbb_shape.h"
#include "compute/map_code/run.h"
#include "compute/map_code/tree.h"

namespace loom {

// The interpreter of warps. A register is an array of 32 lanes; an instruction runs for all lanes of a mask. A
// stack of masks serves if, loops, switch, ?:, && and ||: lanes that go different ways come together at the end
// of the statement, as in a warp without independent scheduling.

// Operators on lanes: name, type of the operands, type of the result, expression.
#define LOOM_LANE_BINARY(X)                                                                     \
  X(Add32, u32, u32, a + b)                                                                     \
  X(Add64, u64, u64, a + b)                                                                     \
  X(Sub32, u32, u32, a - b)                                                                     \
  X(Sub64, u64, u64, a - b)                                                                     \
  X(Mul32, u32, u32, a* b)                                                                      \
  X(Mul64, u64, u64, a* b)                                                                      \
  X(And32, u32, u32, a& b)                                                                      \
  X(And64, u64, u64, a& b)                                                                      \
  X(Xor32, u32, u32, a ^ b)                                                                     \
  X(Xor64, u64, u64, a ^ b)                                                                     \
  X(Or32, u32, u32, a | b)                                                                      \
  X(Or64, u64, u64, a | b)                                                                      \
  X(Equal32, u32, i32, a == b)                                                                  \
  X(Equal64, u64, i32, a == b)                                                                  \
  X(NotEqual32, u32, i32, a != b)                                                               \
  X(NotEqual64, u64, i32, a != b)                                                               \
  X(LessS32, i32, i32, a < b)                                                                   \
  X(LessU32, u32, i32, a < b)                                                                   \
  X(LessS64, i64, i32, a < b)                                                                   \
  X(LessU64, u64, i32, a < b)                                                                   \
  X(LessEqualS32, i32, i32, a <= b)                                                             \
  X(LessEqualU32, u32, i32, a <= b)                                                             \
  X(LessEqualS64, i64, i32, a <= b)                                                             \
  X(LessEqualU64, u64, i32, a <= b)                                                             \
  X(BothTrue, u32, i32, (a != 0) & (b != 0))                                                    \
  X(AnyTrue, u32, i32, (a | b) != 0)                                                            \
  X(Min, i32, i32, a < b ? a : b)                                                               \
  X(Max, i32, i32, a < b ? b : a)
// The number of places of a shift is an int; it counts modulo the bits of the value.
#define LOOM_LANE_SHIFT(X)           \
  X(Shl32, u32, u32, a << (b & 31))  \
  X(Shl64, u64, u64, a << (b & 63))  \
  X(ShrS32, i32, i32, a >> (b & 31)) \
  X(ShrU32, u32, u32, a >> (b & 31)) \
  X(ShrS64, i64, i64, a >> (b & 63)) \
  X(ShrU64, u64, u64, a >> (b & 63))
#define LOOM_LANE_UNARY(X)                                  \
  X(Move32, u32, u32, a)                                    \
  X(Move64, u64, u64, a)                                    \
  X(Extend, i32, i64, a)                                    \
  X(ExtendU, u32, u64, a)                                   \
  X(Narrow, u64, u32, static_cast<u32>(a))                  \
  X(ToChar, i32, i32, static_cast<std::int8_t>(a))          \
  X(ToUChar, i32, i32, static_cast<std::uint8_t>(a))        \
  X(ToShort, i32, i32, static_cast<std::int16_t>(a))        \
  X(ToUShort, i32, i32, static_cast<std::uint16_t>(a))      \
  X(ToBool32, u32, i32, a != 0)                             \
  X(ToBool64, u64, i32, a != 0)
#define LOOM_LANE_OTHER(X)                                                                                   \
  X(DivS32) X(DivU32) X(DivS64) X(DivU64) X(RemS32) X(RemU32) X(RemS64) X(RemU64)                            \
  X(Select32)  /* d = register imm ? a : b */                                                                \
  X(Select64)                                                                                                \
  X(Zero)      /* imm units from d */                                                                        \
  X(Check32)   /* index a below imm */                                                                       \
  X(Check64)                                                                                                 \
  X(Load32)    /* d = the register a + b * imm */                                                            \
  X(Load64)                                                                                                  \
  X(Store32)   /* the register d + b * imm = a */                                                            \
  X(Store64)                                                                                                 \
  X(Table32)   /* d = element b of table imm */                                                              \
  X(Table64)                                                                                                 \
  X(IsCell) X(OffsetX) X(OffsetY) X(ReplicaAt) X(Power)                                                      \
  X(If)        /* lanes where a is 0 wait for Else; if all, to imm */                                        \
  X(Else)      /* the other lanes; if none, to imm */                                                        \
  X(EndIf)     /* of if and switch: all that did not leave; if none, to imm */                               \
  X(Loop)      /* a new loop */                                                                              \
  X(While)     /* lanes where a is 0 are done; if all, to imm */                                             \
  X(Next)      /* with the lanes of continue; if none, to imm */                                             \
  X(Jump)      /* back to imm */                                                                             \
  X(EndLoop)   /* all that did not return; if none, to imm */                                                \
  X(Break)     /* out of construct a, counted from the innermost; then to imm, with no lane */               \
  X(Continue)                                                                                                \
  X(Leave)     /* lanes have returned: to imm, with no lane */                                               \
  X(Switch)    /* d = the label of a by switch imm */                                                        \
  X(Case)      /* lanes of label imm of switch b by d join; if none, to the next label that has some */      \
  X(Call)      /* function imm, whose registers begin at d */                                                \
  X(Return)

enum class Op : std::uint8_t {
#define LOOM_NAME(name, ...) k##name,
  LOOM_LANE_BINARY(LOOM_NAME) LOOM_LANE_SHIFT(LOOM_NAME) LOOM_LANE_UNARY(LOOM_NAME) LOOM_LANE_OTHER(LOOM_NAME)
#undef LOOM_NAME
};

/// 32 lanes of 32 bits; a register of 64 bits takes two.
struct alignas(64) LaneUnit {
  std::int32_t lanes[32];
};
/// Operands with this bit are the same in all functions: uniforms, then constants.
inline constexpr std::uint16_t kSharedOperand = 0x8000;
/// Units of a warp: kMaxMapMemory for each thread.
inline constexpr std::size_t kMapUnits = kMaxMapMemory / 4;

struct Instruction {
  Op op;
  bool keeps;  ///< lanes that are not active keep the old value of d
  std::uint16_t d, a, b;
  std::int32_t imm;
};
struct InstructionPlace {
  std::int32_t line = 0, column = 0;
  bool begins = false;  ///< a statement
};
struct CodeVariable {
  int variable = 0;  ///< of MapTree
  int unit = 0;
  int begin = 0, end = 0;  ///< instructions that see it
};
struct CodeFunction {
  int entry = 0;
  int units = 0;
  std::vector<CodeVariable> variables;
};
struct CodeSwitch {
  std::vector<std::pair<std::int64_t, int>> cases;  ///< ascending: value and label
  std::vector<int> labels;                          ///< instructions
  int other = -1;                                   ///< the label of default
  int end = 0;
  bool is_wide = false;
};
struct CodeTable {
  std::vector<std::int32_t> narrow;  ///< or `wide`
  std::vector<std::int64_t> wide;
};
struct MapCode {
  std::vector<Instruction> instructions;
  std::vector<InstructionPlace> places;
  std::vector<CodeFunction> functions;
  std::vector<std::int64_t> shared;  ///< values of the units behind the uniforms; of 64 bits: two units
  std::vector<bool> shared_wide;     ///< by unit: begins a register of 64 bits
  std::vector<CodeTable> tables;
  std::vector<CodeSwitch> switches;
  int max_line = 0;
};
/// The instructions of a tree. Adds problems: too much memory.
MapCode compile_map(const MapTree& tree, std::vector<CodeProblem>& problems);

/// What a map knows of a fractal.
struct MapFractal {
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
  /// `cells` has a bit per point, 32 in a word, for is_cell(), and may be null: then it is computed by level. All
  /// must outlive the machine.
  Machine(const MapCode& code, const MapFractal& fractal, const std::uint32_t* cells, bool counts);

  std::uint64_t limit = kMaxWarpInstructions;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const ProgressMonitor* monitor = nullptr;

  /// Begins launch(), or a warp of a launch, in a function without a caller.
  void begin_launch(int function);
  void begin_warp(int function, const MapLaunch& launch, std::int64_t block_x, std::int64_t block_y, int warp);
  /// Runs to the end, a fault, or this many instructions in all. Returns whether it ended without a fault.
  bool run(std::uint64_t until = ~std::uint64_t{0});

  const WarpState& state() const { return state_; }
  WarpState copy() const;
  void restore(const WarpState& state);
  /// A unit of the functions' registers, from the first one's begin.
  const LaneUnit& unit(int index) const { return memory_[shared_ + static_cast<std::size_t>(index)]; }
  MapLaunch launched() const;
  MapPoint point(int lane) const {
    return {memory_[shared_].lanes[lane], memory_[shared_ + 1].lanes[lane]};
  }
  /// The fault as a problem at its line. `is_launch`: in launch().
  CodeProblem problem(const MapLaunch& launch, bool is_launch) const;
  void clear_counts();

 private:
  template <bool counted>
  friend void execute(Machine& machine, std::uint64_t until);
  void begin(int function, std::uint32_t mask);
  void set_uniform(int index, std::int32_t value);
  bool poll();
  const MapCode& code_;
  const MapFractal& fractal_;
  const std::uint32_t* cells_;
  bool counts_;
  std::size_t shared_;  ///< units in front of the registers
  std::vector<LaneUnit> memory_;
  WarpState state_;
  std::uint64_t next_poll_ = 0;
  int warp_ = -1;  ///< that threadIdx is of
  std::int64_t block_[2] = {-1, -1};
  std::uint32_t block_width_ = 0;
};

}  // namespace loom
