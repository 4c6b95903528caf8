#include "compute/cpu/life/life_step.h"

#include <cstring>

namespace loom::cpu {
namespace {

/// Sixteen cells, one byte each.
using Cells [[gnu::vector_size(16)]] = std::uint8_t;

template <typename T>
T load(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <typename T>
void store(std::uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

/// Copies a row of `count` bytes, sizeof(T) or more, in steps of a T; the last step overlaps the previous
/// one. `change` is applied to each.
template <typename T, typename Change>
void copy_in_steps(std::uint8_t* to, const std::uint8_t* from, std::uint32_t count, const Change& change) {
  constexpr std::uint32_t kStep = sizeof(T);
  std::uint32_t x = 0;
  for (; x + kStep <= count; x += kStep) store(to + x, change(load<T>(from + x)));
  if (x < count) store(to + count - kStep, change(load<T>(from + count - kStep)));
}
/// The same in the widest steps that a row allows; never accesses a byte beyond it.
template <typename Change>
void copy_row(std::uint8_t* to, const std::uint8_t* from, std::uint32_t count, const Change& change) {
  if (count >= 16) return copy_in_steps<Cells>(to, from, count, change);
  if (count >= 8) return copy_in_steps<std::uint64_t>(to, from, count, change);
  if (count >= 4) return copy_in_steps<std::uint32_t>(to, from, count, change);
  copy_in_steps<std::uint8_t>(to, from, count, change);
}

/// The bit of decide()'s result that holds the state: above the sums that remain at holes.
constexpr int kStateBit = 5;

}  // namespace

void RowTile::stage(const RowsAround& around, std::uint8_t* staged) const {
  const auto same = [](const auto& value) { return value; };
  const auto copy = [&](std::uint8_t* row, const std::uint8_t* left, const std::uint8_t* own,
                        const std::uint8_t* right) {
    row[kOwn - 1] = left != nullptr ? *left : std::uint8_t{0};
    if (own != nullptr) {
      copy_row(row + kOwn, own, rho_x_, same);
    } else {
      std::memset(row + kOwn, 0, rho_x_);
    }
    row[kOwn + rho_x_] = right != nullptr ? *right : std::uint8_t{0};
  };
  copy(staged, around.at[0], around.at[1], around.at[2]);
  const std::uint8_t* left = around.at[3];
  const std::uint8_t* own = around.at[4];
  const std::uint8_t* right = around.at[5];
  std::uint8_t* row = staged + pitch();
  for (std::uint32_t y = 0; y < rho_y_; ++y, row += pitch()) {
    copy(row, left, own, right);
    own += around.pitch;
    if (left != nullptr) left += around.pitch;
    if (right != nullptr) right += around.pitch;
  }
  copy(row, around.at[6], around.at[7], around.at[8]);
}

template <typename Living>
void RowTile::add_up(const std::uint8_t* staged, std::uint8_t* sums, const Living& living) const {
  const std::uint32_t wide = pitch();
  for (std::uint32_t x = kOwn; x < kOwn + rho_x_; x += sizeof(Cells)) {
    const auto three = [&living](const std::uint8_t* at) -> Cells {
      return living(load<Cells>(at - 1)) + living(load<Cells>(at)) + living(load<Cells>(at + 1));
    };
    const std::uint8_t* row = staged + x;
    std::uint8_t* to = sums + x;
    Cells above = three(row);
    row += wide;
    Cells here = three(row);
    for (std::uint32_t y = 0; y < rho_y_; ++y) {
      const Cells own = living(load<Cells>(row));
      row += wide;
      const Cells below = three(row);
      store(to, above + here + below - own + (own << 4));
      to += wide;
      above = here;
      here = below;
    }
  }
}

template <typename Use>
void RowTile::for_each_place(const Use& use) const {
  for (std::uint32_t number = 0; number < threads_; ++number) {
    const std::uint16_t place = places_[number];
    if (place != kIdle) use(place);
  }
}

template <typename StatesOf>
void RowTile::write(const std::uint8_t* rows, std::uint64_t to_pitch, std::uint8_t* next,
                    const StatesOf& states_of) const {
  const std::uint8_t* row = rows + kOwn;
  for (std::uint32_t y = 0; y < rho_y_; ++y) {
    copy_row(next, row, rho_x_, states_of);
    row += pitch();
    next += to_pitch;
  }
}

// Beyond the right end of a row the buffers are not initialised; the sums there are not read.

void RowTile::step(const RowsAround& around, TwoStateRule rule, std::uint8_t* next) const {
  alignas(64) std::uint8_t staged[kMaxBytes];
  alignas(64) std::uint8_t sums[kMaxBytes];
  stage(around, staged);
  add_up(staged, sums, [](Cells cells) { return cells; });
  for_each_place([&](std::uint16_t place) {
    sums[place] = static_cast<std::uint8_t>(listed(rule, sums[place]) << kStateBit);
  });
  write(sums, around.pitch, next, []<typename T>(const T& cells) -> T {
    if constexpr (std::is_same_v<T, Cells>) {
      return cells >> kStateBit;
    } else {
      return static_cast<T>(cells >> kStateBit & static_cast<T>(0x0101010101010101u));
    }
  });
}

// The next states replace the staged ones, in which holes are 0.
void RowTile::step(const RowsAround& around, LifeRule rule, std::uint8_t* next) const {
  alignas(64) std::uint8_t staged[kMaxBytes];
  alignas(64) std::uint8_t sums[kMaxBytes];
  stage(around, staged);
  add_up(staged, sums, [](Cells cells) { return reinterpret_cast<Cells>(cells == 1) & 1; });
  std::uint8_t* const own = staged + pitch();
  for_each_place(
      [&](std::uint16_t place) { own[place] = state_after(rule, own[place], listed(rule, sums[place])); });
  write(own, around.pitch, next, [](const auto& cells) { return cells; });
}

}  // namespace loom::cpu
