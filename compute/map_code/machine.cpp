#include "compute/map_code/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "compute/map_code/program.h"

namespace loom {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

constexpr u32 kFull = ~u32{0};
constexpr int kLanes = 32;
constexpr std::size_t kUniformUnits = kUniforms.size();
constexpr u64 kPollInterval = 1 << 14;

}  // namespace

#define LOOM_INLINE inline __attribute__((always_inline))
// The lanes of a register do not depend on each other.
#define LOOM_LANES _Pragma("GCC ivdep") for (int l = 0; l < kLanes; ++l)

namespace {

/// The lanes of a mask as 0 or -1.
LOOM_INLINE void spread(u32 mask, i32* lanes) {
  LOOM_LANES lanes[l] = -static_cast<i32>(mask >> l & 1);
}
LOOM_INLINE u32 bits_of(const i32* lanes) {
  u32 bits = 0;
  for (int l = 0; l < kLanes; ++l) bits |= lanes[l] != 0 ? u32{1} << l : 0;
  return bits;
}

/// Quotients of 32 bits by double: the estimate is exact.
LOOM_INLINE i32 quotient(i32 a, i32 b) {
  return static_cast<i32>(static_cast<double>(a) / static_cast<double>(b));
}

template <typename T>
LOOM_INLINE u32 division_faults(const T* a, const T* b, u32 mask, bool& overflows) {
  i32 zero[kLanes];
  LOOM_LANES zero[l] = b[l] == 0;
  u32 faults = bits_of(zero) & mask;
  overflows = false;
  if constexpr (std::numeric_limits<T>::is_signed) {
    i32 over[kLanes];
    LOOM_LANES over[l] = (b[l] == T{-1}) & (a[l] == std::numeric_limits<T>::min());
    const u32 lanes = bits_of(over) & mask;
    overflows = faults == 0 && lanes != 0;
    faults |= lanes;
  }
  return faults;
}

}  // namespace

// One body for all instruction sets: `counted` counts each instruction and stops behind `until` of them.
template <bool counted>
LOOM_INLINE void execute(Machine& machine, u64 until) {
  const Instruction* const code = machine.code_.instructions.data();
  LaneUnit* const shared = machine.memory_.data();
  LaneUnit* const frame0 = shared + machine.shared_;
  WarpState& state = machine.state_;
  int at = state.at;
  u32 mask = state.mask;
  u64 issued = state.instructions;
  LaneUnit* bases[2] = {frame0 + state.base, shared};
  alignas(64) i32 active[kLanes];
  u32 spread_mask = 0;
  spread(0, active);
  InstructionCount* const counts = state.counts.data();
  const auto fault = [&](Fault kind, u32 lanes) {
    state.fault = kind;
    state.fault_lane = lanes == 0 ? 0 : std::countr_zero(lanes);
  };
  const auto lanes_of = [&](int operand) __attribute__((always_inline)) {
    return reinterpret_cast<i32*>(bases[operand >> 15] + (operand & 0x7fff));
  };
  const auto diverges = [&]() __attribute__((always_inline)) {
    if constexpr (counted) {
      ++counts[at - 1].divergent;
      ++state.totals.divergent;
    }
  };
#define LOOM_REG(T, operand) reinterpret_cast<T*>(bases[(operand) >> 15] + ((operand)&0x7fff))
#define LOOM_STORE(R, expr)                                  \
  {                                                          \
    R* const d = LOOM_REG(R, i.d);                           \
    if (!i.keeps || mask == kFull) {                         \
      LOOM_LANES d[l] = static_cast<R>(expr);                \
    } else {                                                 \
      if (spread_mask != mask) spread(spread_mask = mask, active); \
      LOOM_LANES d[l] = active[l] ? static_cast<R>(expr) : d[l]; \
    }                                                        \
  }                                                          \
  break;
#define LOOM_BINARY_CASE(name, T, R, expr)      \
  case Op::k##name: {                           \
    const T* const pa = LOOM_REG(T, i.a);       \
    const T* const pb = LOOM_REG(T, i.b);       \
    LOOM_STORE(R, ([](T a, T b) __attribute__((always_inline)) { return expr; }(pa[l], pb[l]))) \
  }
#define LOOM_SHIFT_CASE(name, T, R, expr)       \
  case Op::k##name: {                           \
    const T* const pa = LOOM_REG(T, i.a);       \
    const i32* const pb = LOOM_REG(i32, i.b);   \
    LOOM_STORE(R, ([](T a, i32 b) __attribute__((always_inline)) { return expr; }(pa[l], pb[l]))) \
  }
#define LOOM_UNARY_CASE(name, T, R, expr)       \
  case Op::k##name: {                           \
    const T* const pa = LOOM_REG(T, i.a);       \
    LOOM_STORE(R, ([](T a) __attribute__((always_inline)) { return expr; }(pa[l]))) \
  }
#define LOOM_DIVIDE_CASE(name, T, expr)                                                            \
  case Op::k##name: {                                                                              \
    const T* const pa = LOOM_REG(T, i.a);                                                          \
    const T* const pb = LOOM_REG(T, i.b);                                                          \
    bool overflows = false;                                                                        \
    if (const u32 faults = division_faults(pa, pb, mask, overflows)) {                             \
      fault(overflows ? Fault::kOverflow : Fault::kDivision, faults);                              \
      goto stop;                                                                                   \
    }                                                                                              \
    alignas(64) T safe[kLanes];                                                                    \
    LOOM_LANES safe[l] = (pb[l] == 0) | (pb[l] == static_cast<T>(-1) && std::numeric_limits<T>::is_signed && \
                                         pa[l] == std::numeric_limits<T>::min())                   \
                             ? T{1}                                                                \
                             : pb[l];                                                              \
    LOOM_STORE(T, ([](T a, T b) __attribute__((always_inline)) { return expr; }(pa[l], safe[l])))  \
  }
  for (;;) {
    const Instruction i = code[at];
    if constexpr (counted) {
      if (issued >= until) goto stop;
      InstructionCount& count = counts[at];
      ++count.executions;
      count.lanes += static_cast<u64>(std::popcount(mask));
      count.last = issued;
      count.last_mask = mask;
      ++state.totals.instructions;
      state.totals.lanes += static_cast<u64>(std::popcount(mask));
      state.totals.divisions += i.op >= Op::kDivS32 && i.op <= Op::kRemU64;
      state.totals.branches += i.op == Op::kIf || i.op == Op::kWhile || i.op == Op::kSwitch;
      state.statements += machine.code_.places[static_cast<std::size_t>(at)].begins ? 1 : 0;
    }
    ++at;
    ++issued;
    switch (i.op) {
      LOOM_LANE_BINARY(LOOM_BINARY_CASE)
      LOOM_LANE_SHIFT(LOOM_SHIFT_CASE)
      LOOM_LANE_UNARY(LOOM_UNARY_CASE)
      LOOM_DIVIDE_CASE(DivS32, i32, quotient(a, b))
      LOOM_DIVIDE_CASE(DivU32, u32, static_cast<u32>(static_cast<double>(a) / static_cast<double>(b)))
      LOOM_DIVIDE_CASE(DivS64, i64, a / b)
      LOOM_DIVIDE_CASE(DivU64, u64, a / b)
      LOOM_DIVIDE_CASE(RemS32, i32, static_cast<i32>(static_cast<u32>(a) - static_cast<u32>(quotient(a, b)) * static_cast<u32>(b)))
      LOOM_DIVIDE_CASE(RemU32, u32, a - static_cast<u32>(static_cast<double>(a) / static_cast<double>(b)) * b)
      LOOM_DIVIDE_CASE(RemS64, i64, a % b)
      LOOM_DIVIDE_CASE(RemU64, u64, a % b)
      case Op::kSelect32: {
        const i32 *pa = lanes_of(i.a), *pb = lanes_of(i.b), *pc = lanes_of(i.imm);
        LOOM_STORE(i32, (pc[l] != 0 ? pa[l] : pb[l]))
      }
      case Op::kSelect64: {
        const i64 *pa = LOOM_REG(i64, i.a), *pb = LOOM_REG(i64, i.b);
        const i32* pc = lanes_of(i.imm);
        LOOM_STORE(i64, (pc[l] != 0 ? pa[l] : pb[l]))
      }
      case Op::kZero:
        if (spread_mask != mask) spread(spread_mask = mask, active);
        for (i32 *d = lanes_of(i.d), *end = d + kLanes * i.imm; d != end; d += kLanes) LOOM_LANES d[l] &= ~active[l];
        break;
      case Op::kCheck32:
      case Op::kCheck64: {
        alignas(64) i32 bad[kLanes];
        if (i.op == Op::kCheck32) {
          const u32* const pa = LOOM_REG(u32, i.a);
          LOOM_LANES bad[l] = pa[l] >= static_cast<u32>(i.imm);
        } else {
          const u64* const pa = LOOM_REG(u64, i.a);
          LOOM_LANES bad[l] = pa[l] >= static_cast<u64>(i.imm);
        }
        if (const u32 faults = bits_of(bad) & mask) {
          fault(Fault::kIndex, faults);
          goto stop;
        }
        break;
      }
      // Lanes that are not active may have any index: they take the first element.
      case Op::kLoad32:
      case Op::kLoad64: {
        if (spread_mask != mask) spread(spread_mask = mask, active);
        const i32* const pb = lanes_of(i.b);
        if (i.op == Op::kLoad32) {
          const i32* const pa = lanes_of(i.a);
          LOOM_STORE(i32, (pa[(pb[l] & active[l]) * i.imm * kLanes + l]))
        } else {
          const i64* const pa = LOOM_REG(i64, i.a);
          LOOM_STORE(i64, (pa[(pb[l] & active[l]) * (i.imm / 2) * kLanes + l]))
        }
        break;
      }
      case Op::kStore32:
      case Op::kStore64: {
        const i32* const pb = lanes_of(i.b);
        for (u32 rest = mask; rest != 0; rest &= rest - 1) {
          const int l = std::countr_zero(rest);
          if (i.op == Op::kStore32) lanes_of(i.d)[pb[l] * i.imm * kLanes + l] = lanes_of(i.a)[l];
          else LOOM_REG(i64, i.d)[pb[l] * (i.imm / 2) * kLanes + l] = LOOM_REG(i64, i.a)[l];
        }
        break;
      }
      case Op::kTable32:
      case Op::kTable64: {
        if (spread_mask != mask) spread(spread_mask = mask, active);
        const i32* const pb = lanes_of(i.b);
        const CodeTable& table = machine.code_.tables[static_cast<std::size_t>(i.imm)];
        if (i.op == Op::kTable32) {
          const i32* const values = table.narrow.data();
          LOOM_STORE(i32, (values[pb[l] & active[l]]))
        } else {
          const i64* const values = table.wide.data();
          LOOM_STORE(i64, (values[pb[l] & active[l]]))
        }
        break;
      }
      case Op::kIsCell: {
        const i32 *px = lanes_of(i.a), *py = lanes_of(i.b);
        const MapFractal& fractal = machine.fractal_;
        const auto width = static_cast<u32>(fractal.members[1]), height = static_cast<u32>(fractal.members[2]);
        alignas(64) i32 is_cell[kLanes];
        if (const u32* const cells = machine.cells_) {
          alignas(64) u32 point[kLanes];
          LOOM_LANES is_cell[l] = (static_cast<u32>(px[l]) < width) & (static_cast<u32>(py[l]) < height);
          LOOM_LANES point[l] = is_cell[l] ? static_cast<u32>(py[l]) * width + static_cast<u32>(px[l]) : 0;
          LOOM_LANES is_cell[l] &= static_cast<i32>(cells[point[l] >> 5] >> (point[l] & 31));
        } else {
          alignas(64) i32 x[kLanes], y[kLanes];
          const auto s_x = static_cast<i32>(fractal.shape.s_x), s_y = static_cast<i32>(fractal.shape.s_y);
          LOOM_LANES is_cell[l] = (static_cast<u32>(px[l]) < width) & (static_cast<u32>(py[l]) < height);
          LOOM_LANES x[l] = is_cell[l] ? px[l] : 0;
          LOOM_LANES y[l] = is_cell[l] ? py[l] : 0;
          const double by_x = 1.0 / s_x, by_y = 1.0 / s_y;
          for (int level = 0; level < fractal.members[0]; ++level) {
            LOOM_LANES {
              const i32 next_x = static_cast<i32>((x[l] + 0.5) * by_x), next_y = static_cast<i32>((y[l] + 0.5) * by_y);
              is_cell[l] &= fractal.replica_at[static_cast<std::size_t>((y[l] - next_y * s_y) * s_x + x[l] - next_x * s_x)] >= 0;
              x[l] = next_x;
              y[l] = next_y;
            }
          }
        }
        LOOM_STORE(i32, is_cell[l])
      }
      case Op::kOffsetX:
      case Op::kOffsetY: {
        const u32* const pa = LOOM_REG(u32, i.a);
        const i32* const table =
            i.op == Op::kOffsetX ? machine.fractal_.offset_x.data() : machine.fractal_.offset_y.data();
        // Entries from k on are 0.
        LOOM_STORE(i32, (table[pa[l] < kMaxReplicas ? pa[l] : 0] & -static_cast<i32>(pa[l] < kMaxReplicas)))
      }
      case Op::kReplicaAt: {
        const u32 *const px = LOOM_REG(u32, i.a), *const py = LOOM_REG(u32, i.b);
        const u32 s_x = machine.fractal_.shape.s_x, s_y = machine.fractal_.shape.s_y;
        const i32* const table = machine.fractal_.replica_at.data();
        LOOM_STORE(i32, ((px[l] < s_x) & (py[l] < s_y) ? table[(px[l] < s_x) & (py[l] < s_y) ? py[l] * s_x + px[l] : 0] : -1))
      }
      case Op::kPower: {
        const i32 *pa = lanes_of(i.a), *pb = lanes_of(i.b);
        alignas(64) u32 product[kLanes], base[kLanes], rest[kLanes];
        LOOM_LANES product[l] = 1;
        LOOM_LANES base[l] = static_cast<u32>(pa[l]);
        LOOM_LANES rest[l] = pb[l] > 0 ? static_cast<u32>(pb[l]) : 0;
        for (int bit = 0; bit < 31; ++bit) {
          u32 any = 0;
          LOOM_LANES {
            product[l] *= rest[l] & 1 ? base[l] : 1;
            base[l] *= base[l];
            rest[l] >>= 1;
          }
          for (int l = 0; l < kLanes; ++l) any |= rest[l];
          if (any == 0) break;
        }
        LOOM_STORE(i32, static_cast<i32>(product[l]))
      }
      case Op::kIf: {
        const u32 enters = bits_of(lanes_of(i.a)) & mask;
        state.masks.push_back({0, mask & ~enters});
        if (enters != 0 && enters != mask) diverges();
        mask = enters;
        if (mask == 0) at = i.imm;
        break;
      }
      case Op::kElse: {
        WarpState::Masks& top = state.masks.back();
        top.join |= mask;
        mask = std::exchange(top.other, 0);
        if (mask == 0) at = i.imm;
        break;
      }
      case Op::kEndIf: {
        mask |= state.masks.back().join | state.masks.back().other;
        state.masks.pop_back();
        if (mask == 0) at = i.imm;
        break;
      }
      case Op::kLoop:
        state.masks.push_back({});
        break;
      case Op::kWhile: {
        const u32 stays = bits_of(lanes_of(i.a)) & mask;
        state.masks.back().join |= mask & ~stays;
        if (stays != 0 && stays != mask) diverges();
        mask = stays;
        if (mask == 0) at = i.imm;
        break;
      }
      case Op::kNext: {
        WarpState::Masks& top = state.masks.back();
        mask |= std::exchange(top.other, 0);
        if (mask == 0) at = i.imm;
        break;
      }
      case Op::kJump:
        at = i.imm;
        if (issued >= machine.next_poll_) {
          state.instructions = issued;
          if (machine.poll()) goto stop;
        }
        break;
      case Op::kEndLoop:
        mask = state.masks.back().join;
        state.masks.pop_back();
        if (mask == 0) at = i.imm;
        break;
      case Op::kBreak:
        state.masks[state.masks.size() - 1 - i.a].join |= mask;
        mask = 0;
        at = i.imm;
        break;
      case Op::kContinue:
        state.masks[state.masks.size() - 1 - i.a].other |= mask;
        mask = 0;
        at = i.imm;
        break;
      case Op::kLeave:
        mask = 0;
        at = i.imm;
        break;
      case Op::kSwitch:
      case Op::kCase: {
        const CodeSwitch& table = machine.code_.switches[static_cast<std::size_t>(i.op == Op::kSwitch ? i.imm : i.b)];
        i32* const labels = lanes_of(i.d);
        if (i.op == Op::kSwitch) {
          WarpState::Masks masks;
          int least = std::numeric_limits<int>::max(), most = -1;
          for (u32 rest = mask; rest != 0; rest &= rest - 1) {
            const int l = std::countr_zero(rest);
            const i64 value = table.is_wide ? LOOM_REG(i64, i.a)[l] : i64{lanes_of(i.a)[l]};
            const auto found = std::ranges::lower_bound(table.cases, value, {}, &std::pair<i64, int>::first);
            const int label = found != table.cases.end() && found->first == value ? found->second : table.other;
            labels[l] = label;
            (label >= 0 ? masks.other : masks.join) |= u32{1} << l;
            least = std::min(least, label);
            most = std::max(most, label);
          }
          if (least < most) diverges();
          state.masks.push_back(masks);
          mask = 0;
        } else {
          WarpState::Masks& top = state.masks.back();
          for (u32 rest = top.other; rest != 0; rest &= rest - 1) {
            const int l = std::countr_zero(rest);
            if (labels[l] == i.imm) mask |= u32{1} << l;
          }
          top.other &= ~mask;
        }
        if (mask != 0) break;
        int next = std::numeric_limits<int>::max();
        for (u32 rest = state.masks.back().other; rest != 0; rest &= rest - 1)
          next = std::min(next, labels[std::countr_zero(rest)]);
        at = state.masks.back().other == 0 ? table.end : table.labels[static_cast<std::size_t>(next)];
        break;
      }
      case Op::kCall: {
        const CodeFunction& callee = machine.code_.functions[static_cast<std::size_t>(i.imm)];
        const auto base = static_cast<int>(bases[0] - frame0);
        const bool is_deep = state.calls.size() >= static_cast<std::size_t>(kMaxMapCalls);
        if (is_deep || base + i.d + callee.units > static_cast<int>(kMapUnits)) {
          fault(is_deep ? Fault::kCalls : Fault::kMemory, mask);
          goto stop;
        }
        state.calls.push_back({i.imm, at - 1, base, mask});
        bases[0] += i.d;
        at = callee.entry;
        if (issued >= machine.next_poll_) {
          state.instructions = issued;
          if (machine.poll()) goto stop;
        }
        break;
      }
      case Op::kReturn: {
        const WarpState::Call call = state.calls.back();
        mask = call.mask;
        if (state.calls.size() == 1) {
          state.is_done = true;
          goto stop;
        }
        state.calls.pop_back();
        bases[0] = frame0 + call.base;
        at = call.from + 1;
        break;
      }
    }
  }
stop:
  if (state.fault != Fault::kNone) --at;
  state.at = at;
  state.mask = mask;
  state.instructions = issued;
  state.base = static_cast<int>(bases[0] - frame0);
}

namespace {

using Execute = void (*)(Machine&, u64);
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LOOM_VARIANT(name, instructions)                                                          \
  template <bool counted>                                                                         \
  __attribute__((target(instructions))) void execute_##name(Machine& machine, u64 until) {        \
    execute<counted>(machine, until);                                                             \
  }
LOOM_VARIANT(wide, "avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt,prefer-vector-width=512")
LOOM_VARIANT(middle, "avx2,bmi,bmi2,popcnt")
#endif
template <bool counted>
void execute_plain(Machine& machine, u64 until) {
  execute<counted>(machine, until);
}

/// What this processor runs best.
template <bool counted>
Execute best() {
#ifdef LOOM_VARIANT
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return execute_wide<counted>;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return execute_middle<counted>;
#endif
  return execute_plain<counted>;
}

}  // namespace

MapFractal::MapFractal(const NbbFractal& fractal, int level) : shape(fractal.shape()) {
  members = {level,
             static_cast<i32>(fractal.width(level)),
             static_cast<i32>(fractal.height(level)),
             static_cast<i32>(fractal.cells(level)),
             static_cast<i32>(shape.k),
             static_cast<i32>(shape.s_x),
             static_cast<i32>(shape.s_y)};
  std::copy_n(shape.offset_x, kMaxReplicas, offset_x.begin());
  std::copy_n(shape.offset_y, kMaxReplicas, offset_y.begin());
  std::copy_n(shape.replica_at, kMaxReplicas, replica_at.begin());
  for (std::size_t i = shape.k; i < kMaxReplicas; ++i) offset_x[i] = offset_y[i] = 0;
}

Machine::Machine(const MapCode& code, const MapFractal& fractal, const std::uint32_t* cells, bool counts)
    : code_(code),
      fractal_(fractal),
      cells_(cells),
      counts_(counts),
      shared_(kUniformUnits + code.shared.size()),
      memory_(shared_ + kMapUnits) {
  for (std::size_t i = 0; i < code.shared.size(); ++i) {
    LaneUnit& unit = memory_[kUniformUnits + i];
    if (code.shared_wide[i]) std::fill_n(reinterpret_cast<i64*>(unit.lanes), kLanes, code.shared[i]);
    if (!code.shared_wide[i] && (i == 0 || !code.shared_wide[i - 1]))
      std::fill_n(unit.lanes, kLanes, static_cast<i32>(code.shared[i]));
  }
  for (std::size_t i = 0; i < fractal.members.size(); ++i)
    set_uniform(kFractalUniforms + static_cast<int>(i), fractal.members[i]);
  state_.masks.reserve(256);
  state_.calls.reserve(kMaxMapCalls);
  if (counts) state_.counts.resize(code.instructions.size());
}

void Machine::set_uniform(int index, std::int32_t value) {
  std::fill_n(memory_[static_cast<std::size_t>(index)].lanes, kLanes, value);
}

void Machine::begin(int function, std::uint32_t mask) {
  state_.at = code_.functions[static_cast<std::size_t>(function)].entry;
  state_.base = 0;
  state_.mask = mask;
  state_.instructions = state_.statements = 0;
  state_.fault = Fault::kNone;
  state_.is_done = false;
  state_.totals = {};
  state_.masks.clear();
  state_.calls.clear();
  state_.calls.push_back({function, -1, 0, mask});
  next_poll_ = std::min(limit, kPollInterval);
}

void Machine::begin_launch(int function) {
  for (int i = 0; i < kFractalUniforms; ++i) set_uniform(i, 0);
  warp_ = -1;
  begin(function, 1);
}

void Machine::begin_warp(int function, const MapLaunch& launch, std::int64_t block_x, std::int64_t block_y,
                         int warp) {
  const std::array<std::int64_t, 6> values = {block_x,        block_y,       launch.block_x,
                                              launch.block_y, launch.grid_x, launch.grid_y};
  const auto width = static_cast<u32>(launch.block_x);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (warp_ >= 0 && (i > 1 || block_[i] == values[i])) continue;
    set_uniform(static_cast<int>(i) + 2, static_cast<i32>(values[i]));
    if (i < 2) block_[i] = values[i];
  }
  if (warp_ != warp || block_width_ != width) {
    for (u32 l = 0; l < kLanes; ++l) {
      const u32 thread = static_cast<u32>(warp) * kLanes + l;
      memory_[0].lanes[l] = static_cast<i32>(thread % width);
      memory_[1].lanes[l] = static_cast<i32>(thread / width);
    }
  }
  warp_ = warp;
  block_width_ = width;
  const u32 left = launch.threads_per_block() - static_cast<u32>(warp) * kLanes;
  begin(function, left >= kLanes ? kFull : (u32{1} << left) - 1);
}

bool Machine::run(std::uint64_t until) {
  static const Execute plain = best<false>();
  static const Execute counted = best<true>();
  if (state_.is_done || state_.fault != Fault::kNone) return state_.is_done;
  (counts_ ? counted : plain)(*this, until);
  return state_.is_done;
}

bool Machine::poll() {
  if (state_.instructions >= limit) {
    state_.fault = Fault::kInstructions;
  } else if (monitor != nullptr && monitor->cancelled()) {
    state_.fault = Fault::kCancelled;
  } else if (std::chrono::steady_clock::now() > deadline) {
    state_.fault = Fault::kTime;
  }
  next_poll_ = std::min(limit, state_.instructions + kPollInterval);
  return state_.fault != Fault::kNone;
}

WarpState Machine::copy() const {
  WarpState copied = state_;
  const int used = state_.base + code_.functions[static_cast<std::size_t>(state_.calls.back().function)].units;
  const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(shared_);
  copied.memory.assign(begin, begin + used);
  return copied;
}

void Machine::restore(const WarpState& state) {
  std::ranges::copy(state.memory, memory_.begin() + static_cast<std::ptrdiff_t>(shared_));
  state_ = state;
  state_.memory.clear();
  next_poll_ = std::min(limit, state_.instructions + kPollInterval);
}

void Machine::clear_counts() {
  std::ranges::fill(state_.counts, InstructionCount());
}

MapLaunch Machine::launched() const {
  const auto member = [&](std::size_t i) {
    i64 value = 0;
    std::copy_n(reinterpret_cast<const char*>(memory_[shared_ + 2 * i].lanes), sizeof(value),
                reinterpret_cast<char*>(&value));
    return value;
  };
  return {member(0), member(1), member(2), member(3)};
}

CodeProblem Machine::problem(const MapLaunch& launch, bool is_launch) const {
  const InstructionPlace& place = code_.places[static_cast<std::size_t>(state_.at)];
  const std::uint64_t block = static_cast<u64>(block_[1] * launch.grid_x + block_[0]);
  const std::uint64_t thread =
      block * launch.threads_per_block() + static_cast<u64>(warp_ * kLanes + state_.fault_lane);
  return {place.line, place.column, 0, fault_text(state_.fault, launch, thread, is_launch)};
}

std::string fault_text(Fault fault, const MapLaunch& launch, std::uint64_t thread, bool is_launch, int max_calls) {
  std::string where = "in launch()";
  if (!is_launch) {
    const MapThread at = thread_of(launch, thread);
    where = fmt::format("in thread ({}, {}) of block ({}, {})", at.thread_x, at.thread_y, at.block_x, at.block_y);
  }
  switch (fault) {
    case Fault::kDivision:
      return "division by zero " + where;
    case Fault::kOverflow:
      return fmt::format("division overflow {}: the least int or long divided by -1 is too large", where);
    case Fault::kIndex:
      return fmt::format("an array index is out of bounds {}", where);
    case Fault::kCalls:
      return fmt::format("stack overflow {}: more than {} functions within each other; infinite recursion?", where,
                         max_calls);
    case Fault::kMemory:
      return fmt::format("stack overflow {}: the functions need more than {} bytes; infinite recursion, or local "
                         "arrays that are too large?",
                         where, kMaxMapMemory);
    case Fault::kInstructions:
      return fmt::format("not done after {} instructions {}: an infinite loop?", kMaxWarpInstructions, where);
    default:
      return fmt::format("not done within the time limit {}: an infinite loop, or too many threads", where);
  }
}

}  // namespace loom
