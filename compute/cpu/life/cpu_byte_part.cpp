#include "compute/cpu/life/cpu_byte_part.h"

#include <algorithm>

#include "compute/workload/byte_rim.h"

namespace loom::cpu {

CpuBytePart::CpuBytePart(const FractalConfig& config, const std::vector<BlockRows>& parts,
                         std::uint32_t number)
    : CpuBytePart(config, parts[number], number,
                  make_byte_rim(make_blocked(config.fractal, config.level, config.block), parts, number)) {}

CpuBytePart::CpuBytePart(const FractalConfig& config, BlockRows rows, std::uint32_t number, ByteRim rim)
    : CpuByteEngine(
          config, rows,
          bytes_with_copies(part_of(make_blocked(config.fractal, config.level, config.block), rows), rim)),
      CpuPart(number),
      rim_(std::move(rim)),
      copies_(part_bytes(fractal_).copies),
      rim_next_(rim_.rim.size()),
      told_(rim_.told.size()),
      heard_(rim_.copies.size()) {}

PartMessages CpuBytePart::messages() {
  return {.told = told_.data(), .heard = heard_.data(), .bytes_of_one = 1};
}

void CpuBytePart::tell_cells() {
  for (std::size_t i = 0; i < told_.size(); ++i) told_[i] = now_.data()[rim_.rim[rim_.told[i]]];
}

void CpuBytePart::hear(std::uint8_t* cells) const {
  std::copy(heard_.begin(), heard_.end(), cells + copies_);
}

void CpuBytePart::begin_generations(LifeRule rule, std::uint32_t) {
  const auto count = static_cast<std::int64_t>(rim_.rim.size());
#pragma omp parallel for schedule(static) if (count > 4096)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    rim_next_[number] =
        next_of_rim(now_.data(), rim_.rim.data(), rim_.beside.data(), rim_.rim.size(), number, rule);
  }
  for (std::size_t i = 0; i < told_.size(); ++i) told_[i] = rim_next_[rim_.told[i]];
}

// Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
// computed separately.
void CpuBytePart::step_inside(LifeRule rule, std::uint32_t, bool) {
  step_once(rule, {});
}

void CpuBytePart::end_generations(std::uint32_t times) {
  for (std::size_t i = 0; i < rim_next_.size(); ++i) next_.data()[rim_.rim[i]] = rim_next_[i];
  hear(next_.data());
  now_.swap(next_);
  generation_ += times;
}

void CpuBytePart::take_back_generation() {
  now_.swap(next_);
  --generation_;
}

void CpuBytePart::take_back_reset(std::uint64_t generation) {
  now_.swap(next_);
  generation_ = generation;
}

void CpuBytePart::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                               std::span<std::uint64_t> living) {
  CpuByteEngine::count_pixels(viewport, cells, living);
}

}  // namespace loom::cpu
