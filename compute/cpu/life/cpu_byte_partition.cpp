#include "compute/cpu/life/cpu_byte_partition.h"

#include <algorithm>

#include "compute/workload/cell_work.h"

namespace loom::cpu {

CpuBytePartition::CpuBytePartition(const FractalConfig& config, const std::vector<TileRows>& parts,
                                   std::uint32_t number)
    : CpuBytePartition(config, parts[number], number,
                       make_byte_boundary(make_tiled_fractal(config.fractal, config.level, config.tile_size),
                                          parts, number)) {}

CpuBytePartition::CpuBytePartition(const FractalConfig& config, TileRows rows, std::uint32_t number,
                                   ByteBoundary boundary)
    : CpuByteEngine(
          config, rows,
          bytes_with_copies(part_of(make_tiled_fractal(config.fractal, config.level, config.tile_size), rows),
                            boundary)),
      CpuPartition(number),
      boundary_(std::move(boundary)),
      copies_(part_bytes(fractal_).copies),
      boundary_next_(boundary_.boundary.size()),
      sent_(boundary_.sent.size()),
      received_(boundary_.copies.size()) {}

HaloBuffers CpuBytePartition::messages() {
  return {.sent = sent_.data(), .received = received_.data(), .element_bytes = 1};
}

void CpuBytePartition::pack_boundary() {
  for (std::size_t i = 0; i < sent_.size(); ++i)
    sent_[i] = now_.data()[boundary_.boundary[boundary_.sent[i]]];
}

void CpuBytePartition::hear(std::uint8_t* cells) const {
  std::copy(received_.begin(), received_.end(), cells + copies_);
}

void CpuBytePartition::begin_generations(LifeRule rule, std::uint32_t) {
  const auto count = static_cast<std::int64_t>(boundary_.boundary.size());
  with_states(rule, [&](const auto& of) {
#pragma omp parallel for schedule(static) if (count > 4096)
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::uint64_t>(i);
      boundary_next_[number] =
          next_boundary_state(now_.data(), boundary_.boundary.data(), boundary_.beside.data(),
                              boundary_.boundary.size(), number, of);
    }
  });
  for (std::size_t i = 0; i < sent_.size(); ++i) sent_[i] = boundary_next_[boundary_.sent[i]];
}

// Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
// computed separately.
void CpuBytePartition::step_interior(LifeRule rule, std::uint32_t, bool) {
  step_once(rule, {});
}

void CpuBytePartition::end_generations(std::uint32_t times) {
  for (std::size_t i = 0; i < boundary_next_.size(); ++i)
    next_.data()[boundary_.boundary[i]] = boundary_next_[i];
  hear(next_.data());
  now_.swap(next_);
  generation_ += times;
}

void CpuBytePartition::roll_back_generation() {
  now_.swap(next_);
  --generation_;
}

void CpuBytePartition::roll_back_reset(std::uint64_t generation) {
  now_.swap(next_);
  generation_ = generation;
}

void CpuBytePartition::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                                    std::span<std::uint64_t> living) {
  CpuByteEngine::count_pixels(viewport, cells, living);
}

}  // namespace loom::cpu
