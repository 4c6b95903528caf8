#include "compute/map_code/machine.h"

#include <fmt/format.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <math.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace loom {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

constexpr u32 kFull = ~u32{0};
constexpr int kLanes = 32;
constexpr u64 kPollInterval = 1 << 14;

#define LOOM_INLINE inline __attribute__((always_inline))
// The lanes of a register do not depend on each other.
#define LOOM_LANES _Pragma("GCC ivdep") for (int l = 0; l < kLanes; ++l)

/// The lanes that are not 0.
LOOM_INLINE u32 bits_of(const i32* lanes) {
#ifdef __SSE2__
  const auto* const four = reinterpret_cast<const __m128i*>(lanes);
  const __m128i zero = _mm_setzero_si128();
  const auto zeros = [&](int i) { return _mm_cmpeq_epi32(_mm_load_si128(four + i), zero); };
  const auto bytes = [&](int i) {
    return _mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(zeros(i), zeros(i + 1)),
                                             _mm_packs_epi32(zeros(i + 2), zeros(i + 3))));
  };
  return ~(static_cast<u32>(bytes(0)) | static_cast<u32>(bytes(4)) << 16);
#else
  u32 bits = 0;
  for (int l = 0; l < kLanes; ++l) bits |= lanes[l] != 0 ? u32{1} << l : 0;
  return bits;
#endif
}

/// kAbove / b is a little more than 1 / b: a times it, as double and truncated, is a / b for all a and b of
/// 32 bits. A quotient that is no whole number is at least 1 / b, more than the error, away from the next
/// one.
constexpr double kAbove = 1 + 0x1p-50;

/// a / b truncated, of 32 bits by double, which is exact.
template <typename T>
LOOM_INLINE T quotient(T a, T b) {
  if constexpr (sizeof(T) == 8) return a / b;
  return static_cast<T>(static_cast<double>(a) / static_cast<double>(b));
}
template <typename T>
LOOM_INLINE T remainder(T a, T quotient, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(quotient) * static_cast<U>(b));
}

/// Lanes of the mask whose division is not possible, the first fault and safe divisors for all lanes.
template <typename T>
LOOM_INLINE u32 division_faults(const T* a, const T* b, u32 mask, T* safe, Fault& fault) {
  alignas(64) i32 zero[kLanes], over[kLanes];
  LOOM_LANES zero[l] = b[l] == 0;
  LOOM_LANES over[l] = std::numeric_limits<T>::is_signed & (b[l] == static_cast<T>(-1)) &
                       (a[l] == std::numeric_limits<T>::min());
  LOOM_LANES safe[l] = (zero[l] | over[l]) != 0 ? T{1} : b[l];
  const u32 zeros = bits_of(zero) & mask;
  fault = zeros != 0 ? Fault::kDivision : Fault::kOverflow;
  return zeros | (bits_of(over) & mask);
}

}  // namespace

// One body for all instruction sets.
LOOM_INLINE void execute(Machine& machine, u64 until) {
  const MapFractal& fractal = machine.fractal_;
  const Instruction* const code = machine.code_->instructions.data();
  LaneUnit* const shared = machine.memory_.data();
  LaneUnit* const frame0 = shared + machine.shared_;
  LaneUnit* bases[2] = {frame0 + machine.state_.base, shared};
  WarpState& state = machine.state_;
  int at = state.at;
  u32 mask = state.mask;
  u64 issued = state.instructions;
  // The lanes of a mask as 0 or -1.
  alignas(64) i32 active[kLanes] = {};
  u32 spread_mask = 0;
  const auto spread = [&]() __attribute__((always_inline)) {
    if (spread_mask == mask) return;
    spread_mask = mask;
    LOOM_LANES active[l] = -static_cast<i32>(mask >> l & 1);
  };
  alignas(64) i64 buffer[kLanes];
  const bool counted = machine.counts_;
  InstructionCount* const counts = state.counts.data();
  const auto fault = [&](Fault kind, u32 lanes) {
    state.fault = kind;
    state.fault_lane = std::countr_zero(lanes);
    --at;
  };
  const auto diverges = [&]() __attribute__((always_inline)) {
    if (counted) ++counts[at - 1].divergent, ++state.totals.divergent;
  };
  const auto reg = [&](int operand) __attribute__((always_inline)) {
    return bases[operand >> 15] + (operand & 0x7fff);
  };
  const auto polls = [&]() __attribute__((always_inline)) {
    if (issued < machine.next_poll_) return false;
    state.instructions = issued;
    return machine.poll();
  };
#define LOOM_REG(T, operand) reinterpret_cast<T*>(reg(operand))
// In place, or into a buffer if other lanes keep their values.
#define LOOM_STORE(R, expr)                                                \
  {                                                                        \
    R* const d = blends ? reinterpret_cast<R*>(buffer) : LOOM_REG(R, i.d); \
    LOOM_LANES d[l] = static_cast<R>(expr);                                \
    if (!blends) break;                                                    \
    if constexpr (sizeof(R) == 8) goto blend64;                            \
    goto blend32;                                                          \
  }
#define LOOM_LANE_CASE(name, A, B, R, expr)                                        \
  case Op::k##name: {                                                              \
    const A* const pa = LOOM_REG(A, i.a);                                          \
    const B* const pb = LOOM_REG(B, i.b);                                          \
    const auto of = [](A a, [[maybe_unused]] B b) __attribute__((always_inline)) { \
      return expr;                                                                 \
    };                                                                             \
    LOOM_STORE(R, of(pa[l], pb[l]))                                                \
  }
#define LOOM_DIVISION_CASE(name, T, B, R, expr)                                                             \
  case Op::k##name: {                                                                                       \
    const T* const pa = LOOM_REG(T, i.a);                                                                   \
    const T* const pb = LOOM_REG(T, i.b);                                                                   \
    constexpr bool divides = std::string_view(#expr) == "a / b";                                            \
    if (sizeof(T) == 4 && (i.b & kSharedOperand) != 0 && pb[0] > T{0}) {                                    \
      const T b = pb[0];                                                                                    \
      const double inverse = kAbove / static_cast<double>(b);                                               \
      const auto of = [=](T a) __attribute__((always_inline)) {                                             \
        return static_cast<T>(static_cast<double>(a) * inverse);                                            \
      };                                                                                                    \
      LOOM_STORE(T, divides ? of(pa[l]) : remainder(pa[l], of(pa[l]), b))                                   \
    }                                                                                                       \
    alignas(64) T safe[kLanes];                                                                             \
    Fault kind = Fault::kNone;                                                                              \
    if (const u32 faults = division_faults(pa, pb, mask, safe, kind)) {                                     \
      fault(kind, faults);                                                                                  \
      goto stop;                                                                                            \
    }                                                                                                       \
    LOOM_STORE(T, divides ? quotient(pa[l], safe[l]) : remainder(pa[l], quotient(pa[l], safe[l]), safe[l])) \
  }
// Registers and elements of one width. Lanes that are not active may have any index: they take the first
// element.
#define LOOM_WIDTH_CASES(bits, T)                                                       \
  case Op::kSelect##bits: {                                                             \
    const T *const pa = LOOM_REG(T, i.a), *const pb = LOOM_REG(T, i.b);                 \
    const i32* const pc = LOOM_REG(i32, i.imm);                                         \
    LOOM_STORE(T, pc[l] != 0 ? pa[l] : pb[l])                                           \
  }                                                                                     \
  case Op::kTable##bits: {                                                              \
    spread();                                                                           \
    const i32* const pb = LOOM_REG(i32, i.b);                                           \
    const T* const values = item(machine.code_->tables, i.imm).values##bits.data();     \
    LOOM_STORE(T, values[pb[l] & active[l]])                                            \
  }                                                                                     \
  case Op::kLoad##bits: {                                                               \
    spread();                                                                           \
    const T* const pa = LOOM_REG(T, i.a);                                               \
    const i32* const pb = LOOM_REG(i32, i.b);                                           \
    const i32 step = i.imm * 32 / bits * kLanes;                                        \
    LOOM_STORE(T, pa[(pb[l] & active[l]) * step + l])                                   \
  }                                                                                     \
  case Op::kStore##bits: {                                                              \
    const i32* const pb = LOOM_REG(i32, i.b);                                           \
    for (u32 rest = mask; rest != 0; rest &= rest - 1) {                                \
      const int l = std::countr_zero(rest);                                             \
      LOOM_REG(T, i.d)[(pb[l] * i.imm * 32 / bits) * kLanes + l] = LOOM_REG(T, i.a)[l]; \
    }                                                                                   \
    break;                                                                              \
  }                                                                                     \
  case Op::kCheck##bits: {                                                              \
    using U = std::make_unsigned_t<T>;                                                  \
    const U* const pa = LOOM_REG(U, i.a);                                               \
    alignas(64) i32 bad[kLanes];                                                        \
    LOOM_LANES bad[l] = pa[l] >= static_cast<U>(i.imm);                                 \
    if (const u32 faults = bits_of(bad) & mask) {                                       \
      fault(Fault::kIndex, faults);                                                     \
      goto stop;                                                                        \
    }                                                                                   \
    break;                                                                              \
  }
  for (;;) {
    const Instruction i = code[at];
    if (counted) {
      if (issued >= until) goto stop;
      // Without lanes it only restores a mask: the end of a function that every lane has left.
      if (mask != 0) {
        const auto lanes = static_cast<u64>(std::popcount(mask));
        counts[at] = {counts[at].executions + 1, counts[at].lanes + lanes, counts[at].divergent, issued,
                      mask};
        state.totals += {1, lanes, is_branch(i.op), 0, is_division(i.op)};
      }
      state.statements += i.begins;
    }
    const bool blends = i.keeps && mask != kFull;
    ++at;
    ++issued;
    switch (i.op) {
      LOOM_LANE_OPS(LOOM_LANE_CASE)
      LOOM_DIVISION_OPS(LOOM_DIVISION_CASE)
      LOOM_REAL_OPS(LOOM_LANE_CASE)
      LOOM_WIDTH_CASES(32, i32)
      LOOM_WIDTH_CASES(64, i64)
      case Op::kZero:
        spread();
        for (int unit = 0; unit < i.imm; unit += i.b + 1) {
          i32* const d = LOOM_REG(i32, i.d + unit);
          i64* const wide = reinterpret_cast<i64*>(d);
          if (i.b != 0)
            LOOM_LANES wide[l] &= ~i64{active[l]};
          else
            LOOM_LANES d[l] &= ~active[l];
        }
        break;
      case Op::kIsCell: {
        const u32 *px = LOOM_REG(u32, i.a), *py = LOOM_REG(u32, i.b);
        const u32 width = static_cast<u32>(fractal.members[1]), height = static_cast<u32>(fractal.members[2]);
        alignas(64) i32 is_cell[kLanes], x[kLanes], y[kLanes];
        LOOM_LANES is_cell[l] = (px[l] < width) & (py[l] < height);
        LOOM_LANES x[l] = is_cell[l] ? static_cast<i32>(px[l]) : 0;
        LOOM_LANES y[l] = is_cell[l] ? static_cast<i32>(py[l]) : 0;
        if (const u32* const cells = machine.cells_) {
          LOOM_LANES x[l] += y[l] * static_cast<i32>(width);
          LOOM_LANES is_cell[l] &= static_cast<i32>(cells[x[l] >> 5] >> (x[l] & 31));
        } else {
          const auto s_x = static_cast<i32>(fractal.shape.s_x), s_y = static_cast<i32>(fractal.shape.s_y);
          const double by_x = kAbove / s_x, by_y = kAbove / s_y;
          for (int level = 0; level < fractal.members[0]; ++level) {
            LOOM_LANES {
              const i32 next_x = static_cast<i32>(x[l] * by_x), next_y = static_cast<i32>(y[l] * by_y);
              const i32 replica = (y[l] - next_y * s_y) * s_x + x[l] - next_x * s_x;
              is_cell[l] &= item(fractal.replica_at, replica) >= 0;
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
        const i32* const table = (i.op == Op::kOffsetX ? fractal.offset_x : fractal.offset_y).data();
        // Entries from k on are 0.
        LOOM_STORE(i32, table[pa[l] < kMaxReplicas ? pa[l] : 0] & -static_cast<i32>(pa[l] < kMaxReplicas))
      }
      case Op::kReplicaAt: {
        const u32 *const px = LOOM_REG(u32, i.a), *const py = LOOM_REG(u32, i.b);
        const u32 s_x = fractal.shape.s_x, s_y = fractal.shape.s_y;
        alignas(64) i32 is_in[kLanes];
        LOOM_LANES is_in[l] = -static_cast<i32>((px[l] < s_x) & (py[l] < s_y));
        LOOM_STORE(i32, fractal.replica_at[(py[l] * s_x + px[l]) & static_cast<u32>(is_in[l])] | ~is_in[l])
      }
      case Op::kPower: {
        const u32* const pa = LOOM_REG(u32, i.a);
        const i32* const pb = LOOM_REG(i32, i.b);
        alignas(64) u32 product[kLanes], base[kLanes], rest[kLanes];
        LOOM_LANES product[l] = 1;
        LOOM_LANES base[l] = pa[l];
        LOOM_LANES rest[l] = pb[l] > 0 ? static_cast<u32>(pb[l]) : 0;
        for (u32 any = 1; any != 0;) {
          any = 0;
          LOOM_LANES {
            product[l] *= rest[l] & 1 ? base[l] : 1;
            base[l] *= base[l];
            rest[l] >>= 1;
            any |= rest[l];
          }
        }
        LOOM_STORE(i32, product[l])
      }
      case Op::kIf: {
        const u32 bits = bits_of(LOOM_REG(i32, i.a));
        const u32 enters = (i.b != 0 ? ~bits : bits) & mask;
        state.masks.push_back({0, mask & ~enters});
        if (enters != 0 && enters != mask) diverges();
        mask = enters;
        goto masked;
      }
      case Op::kElse: {
        WarpState::Masks& top = state.masks.back();
        top.join |= mask;
        mask = std::exchange(top.other, 0);
        goto masked;
      }
      case Op::kEndIf:
        mask |= state.masks.back().join | state.masks.back().other;
        state.masks.pop_back();
        goto masked;
      case Op::kLoop:
        state.masks.push_back({});
        break;
      case Op::kWhile: {
        const u32 stays = bits_of(LOOM_REG(i32, i.a)) & mask;
        state.masks.back().join |= mask & ~stays;
        if (stays != 0 && stays != mask) diverges();
        mask = stays;
        goto masked;
      }
      case Op::kNext:
        mask |= std::exchange(state.masks.back().other, 0);
        goto masked;
      case Op::kJump:
        at = i.imm - 1;  // a loop that takes too long stops at its line
        if (polls()) goto stop;
        ++at;
        break;
      case Op::kEndLoop:
        mask = state.masks.back().join;
        state.masks.pop_back();
        goto masked;
      case Op::kBreak:
      case Op::kContinue:
      case Op::kLeave: {
        WarpState::Masks* const of = state.masks.data() + state.masks.size() - 1 - i.a;
        if (i.op != Op::kLeave) (i.op == Op::kBreak ? of->join : of->other) |= mask;
        mask = 0;
        goto masked;
      }
      case Op::kSwitch:
      case Op::kCase: {
        const CodeSwitch& table = item(machine.code_->switches, i.op == Op::kSwitch ? i.imm : i.b);
        i32* const labels = LOOM_REG(i32, i.d);
        if (i.op == Op::kSwitch) {
          WarpState::Masks masks;
          int least = std::numeric_limits<int>::max(), most = -1;
          for (u32 rest = mask; rest != 0; rest &= rest - 1) {
            const int l = std::countr_zero(rest);
            const i64 value = is_wide(table.type)         ? LOOM_REG(i64, i.a)[l]
                              : table.type == Type::kUInt ? i64{LOOM_REG(u32, i.a)[l]}
                                                          : i64{LOOM_REG(i32, i.a)[l]};
            const auto found = std::ranges::lower_bound(table.cases, value, {}, &std::pair<i64, int>::first);
            labels[l] = found != table.cases.end() && found->first == value ? found->second : table.other;
            (labels[l] >= 0 ? masks.other : masks.join) |= u32{1} << l;
            least = std::min(least, labels[l]);
            most = std::max(most, labels[l]);
          }
          if (least < most) diverges();
          state.masks.push_back(masks);
          mask = 0;
        } else {
          u32& waiting = state.masks.back().other;
          for (u32 rest = waiting; rest != 0; rest &= rest - 1)
            if (labels[std::countr_zero(rest)] == i.imm) mask |= rest & -rest;
          waiting &= ~mask;
        }
        if (mask != 0) break;
        int next = std::numeric_limits<int>::max();
        for (u32 rest = state.masks.back().other; rest != 0; rest &= rest - 1)
          next = std::min(next, labels[std::countr_zero(rest)]);
        at = state.masks.back().other == 0 ? table.end : item(table.labels, next);
        break;
      }
      case Op::kCall: {
        const CodeFunction& callee = item(machine.code_->functions, i.imm);
        const auto base = static_cast<int>(bases[0] - frame0);
        const bool is_deep = state.calls.size() >= static_cast<std::size_t>(kMaxMapCalls);
        if (is_deep || base + i.d + callee.units > kMapUnits) {
          fault(is_deep ? Fault::kCalls : Fault::kMemory, mask);
          goto stop;
        }
        state.calls.push_back({i.imm, at - 1, base, mask});
        bases[0] += i.d;
        // Where states are looked at, lanes that are not active show no old values.
        if (counted) std::fill(bases[0] + callee.locals, bases[0] + callee.units, LaneUnit());
        at = callee.entry;
        if (polls()) goto stop;
        break;
      }
      case Op::kReturn: {
        const WarpState::Call call = state.calls.back();
        mask = call.mask;
        state.is_done = state.calls.size() == 1;
        if (state.is_done) goto stop;
        state.calls.pop_back();
        bases[0] = frame0 + call.base;
        at = call.from + 1;
        break;
      }
    }
    continue;
  masked:
    if (mask == 0) at = i.imm;
    continue;
  blend32 : {
    spread();
    i32* const d = LOOM_REG(i32, i.d);
    const i32* const from = reinterpret_cast<const i32*>(buffer);
    LOOM_LANES d[l] = active[l] ? from[l] : d[l];
    continue;
  }
  blend64 : {
    spread();
    i64* const d = LOOM_REG(i64, i.d);
    LOOM_LANES d[l] = active[l] ? buffer[l] : d[l];
  }
  }
stop:
  state.at = at;
  state.mask = mask;
  state.instructions = issued;
  state.base = static_cast<int>(bases[0] - frame0);
}

namespace {

using Execute = void (*)(Machine&, u64);
void execute_plain(Machine& machine, u64 until) {
  execute(machine, until);
}
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("avx2,bmi,bmi2,popcnt"))) void execute_avx2(Machine& machine, u64 until) {
  execute(machine, until);
}
__attribute__((
    target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,popcnt,prefer-vector-width=512"))) void
execute_avx512(Machine& machine, u64 until) {
  execute(machine, until);
}
/// What this processor runs best.
Execute best() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return execute_avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? execute_avx2 : execute_plain;
}
#else
Execute best() {
  return execute_plain;
}
#endif

}  // namespace

MapCounts& MapCounts::operator+=(const MapCounts& other) {
  instructions += other.instructions;
  lanes += other.lanes;
  branches += other.branches;
  divergent += other.divergent;
  divisions += other.divisions;
  return *this;
}

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
    : code_(&code),
      fractal_(fractal),
      cells_(cells),
      counts_(counts),
      shared_(kUniforms.size() + code.shared.size()),
      memory_(shared_ + kMapUnits) {
  for (std::size_t i = 0; i < code.shared.size(); ++i) {
    LaneUnit& unit = memory_[kUniforms.size() + i];
    if (code.shared_wide[i]) std::fill_n(reinterpret_cast<i64*>(unit.lanes), kLanes, code.shared[i]);
    if (!code.shared_wide[i] && (i == 0 || !code.shared_wide[i - 1]))
      set_uniform(kUniforms.size() + i, code.shared[i]);
  }
  for (std::size_t i = 0; i < fractal.members.size(); ++i)
    set_uniform(kFractalUniforms + i, fractal.members[i]);
  state_.masks.reserve(256);
  state_.calls.reserve(kMaxMapCalls);
  if (counts) state_.counts.resize(code.instructions.size());
}

void Machine::set_uniform(std::size_t index, std::int64_t value) {
  std::fill_n(memory_[index].lanes, kLanes, static_cast<i32>(value));
}

void Machine::begin(int function, std::uint32_t mask) {
  const CodeFunction& code = item(code_->functions, function);
  if (counts_) std::fill_n(memory_.begin() + static_cast<std::ptrdiff_t>(shared_), code.units, LaneUnit());
  state_.at = code.entry;
  state_.base = 0;
  state_.mask = mask;
  state_.instructions = state_.statements = 0;
  state_.fault = Fault::kNone;
  state_.is_done = false;
  state_.totals = {};
  state_.masks.clear();
  state_.calls.assign(1, {function, -1, 0, mask});
  next_poll_ = std::min(limit, kPollInterval);
}

void Machine::begin_launch() {
  for (std::size_t i = 0; i < kFractalUniforms; ++i) set_uniform(i, 0);
  warp_ = -1;
  begin(code_->launch, 1);
}

void Machine::begin_next(std::uint32_t mask) {
  begin(code_->next, mask);
}

void Machine::begin_warp(const MapLaunch& launch, std::int64_t block_x, std::int64_t block_y, int warp) {
  const std::array<std::int64_t, 6> values = {block_x,        block_y,       launch.block_x,
                                              launch.block_y, launch.grid_x, launch.grid_y};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (warp_ >= 0 && (i > 1 || block_[i] == values[i])) continue;
    set_uniform(i + 2, values[i]);
    if (i < 2) block_[i] = values[i];
  }
  const auto first = static_cast<u32>(warp) * kLanes;
  if (warp_ != warp) {
    const auto width = static_cast<i32>(launch.block_x);
    LOOM_LANES memory_[1].lanes[l] = static_cast<i32>((static_cast<i32>(first) + l) * (kAbove / width));
    LOOM_LANES memory_[0].lanes[l] = static_cast<i32>(first) + l - memory_[1].lanes[l] * width;
  }
  warp_ = warp;
  const u32 left = launch.threads_per_block() - first;
  begin(code_->cell_of_thread, left >= kLanes ? kFull : (u32{1} << left) - 1);
}

bool Machine::run(std::uint64_t until) {
  static const Execute execute_best = best();
  if (!state_.is_done && state_.fault == Fault::kNone) execute_best(*this, until);
  return state_.is_done;
}

bool Machine::poll() {
  if (state_.instructions >= limit)
    state_.fault = Fault::kInstructions;
  else if (monitor != nullptr && monitor->cancelled())
    state_.fault = Fault::kCancelled;
  else if (std::chrono::steady_clock::now() > deadline)
    state_.fault = Fault::kTime;
  next_poll_ = std::min(limit, state_.instructions + kPollInterval);
  return state_.fault != Fault::kNone;
}

WarpState Machine::copy() const {
  WarpState copied = state_;
  const int function = state_.calls.back().function;
  const int used = state_.base + item(code_->functions, function).units;
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

void Machine::add_counts(std::vector<LineCounts>& lines) const {
  lines.resize(static_cast<std::size_t>(code_->max_line) + 1);
  for (std::size_t i = 0; i < state_.counts.size(); ++i) {
    const InstructionCount& count = state_.counts[i];
    const Instruction& at = code_->instructions[i];
    LineCounts& line = item(lines, at.line);
    line += {count.executions, count.lanes, is_branch(at.op) ? count.executions : 0, count.divergent,
             is_division(at.op) ? count.executions : 0};
    if (!at.begins || count.executions == 0) continue;
    line.executions += count.executions;
    line.executed_lanes += count.lanes;
    if (count.last < line.last) continue;
    line.last = count.last;
    line.last_mask = count.last_mask;
  }
}

MapLaunch Machine::launched() const {
  const auto member = [&](std::size_t i) {
    return reinterpret_cast<const i64*>(&memory_[shared_ + 2 * i])[0];
  };
  return {member(0), member(1), member(2), member(3)};
}

CodeProblem Machine::problem() const {
  const Instruction& at = item(code_->instructions, state_.at);
  return {at.line, at.column, 0, fault_text(state_.fault, "in next()", kMaxMapCalls)};
}

CodeProblem Machine::problem(const MapLaunch& launch, bool is_launch) const {
  const Instruction& at = item(code_->instructions, state_.at);
  const std::uint64_t block = static_cast<u64>(block_[1] * launch.grid_x + block_[0]);
  const std::uint64_t thread =
      block * launch.threads_per_block() + static_cast<u64>(warp_ * kLanes + state_.fault_lane);
  return {at.line, at.column, 0, fault_text(state_.fault, launch, thread, is_launch)};
}

std::string fault_text(Fault fault, const MapLaunch& launch, std::uint64_t thread, bool is_launch,
                       int max_calls) {
  std::string where = "in launch()";
  if (!is_launch) {
    const MapThread at = thread_of(launch, thread);
    where =
        fmt::format("in thread ({}, {}) of block ({}, {})", at.thread_x, at.thread_y, at.block_x, at.block_y);
  }
  return fault_text(fault, where, max_calls);
}

std::string fault_text(Fault fault, const std::string& where, int max_calls) {
  static constexpr const char* kTexts[] = {
      "",
      "division by zero {0}",
      "division overflow {0}: the least int or long divided by -1 is too large",
      "an array index is out of bounds {0}",
      "stack overflow {0}: more than {1} functions within each other; infinite recursion?",
      "stack overflow {0}: the functions need more than {2} bytes; infinite recursion, or local arrays that "
      "are too "
      "large?",
      "not done after {3} instructions {0}: an infinite loop?",
      "not done within the time limit {0}: an infinite loop, or too many threads",
      "cancelled {0}"};
  return fmt::format(fmt::runtime(item(kTexts, fault)), where, max_calls, kMaxMapMemory,
                     kMaxWarpInstructions);
}

}  // namespace loom
