#include "compute/engine/fractal_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/engine/work_costs.h"

namespace loom {
namespace {

constexpr std::uint64_t kPart = std::uint64_t{1} << 20;  // cells: a few milliseconds; a multiple of 8

/// Calls `use(first, cells)` for consecutive ranges of all cells, with a buffer of kPart cells.
template <typename Use>
void for_each_part(std::uint64_t count, ProgressMonitor* monitor, const Use& use) {
  std::vector<std::uint8_t> room(static_cast<std::size_t>(std::min(count, kPart)));
  const ProgressScope call(monitor, count);
  for (std::uint64_t first = 0; first < count; first += kPart) {
    call.check();
    const auto cells = std::span(room).first(static_cast<std::size_t>(std::min(kPart, count - first)));
    call.part(cells.size(), [&] { use(first, cells); });
  }
}

}  // namespace

std::uint32_t FractalEngine::check_bits(std::uint64_t bytes) const {
  const std::uint64_t plane = bytes_of_bits(cell_count());
  if (bytes % plane == 0 && bytes / plane >= 1 && bytes / plane <= 8)
    return static_cast<std::uint32_t>(bytes / plane);
  throw InputError(
      fmt::format("{} bytes for cells as bits; allowed: {}, or two to eight times that for several states",
                  bytes, plane));
}

template <int kDimensions>
std::vector<std::uint64_t> count_states(const CellEngine<kDimensions>& engine) {
  if (engine.states() == 2) {
    const std::uint64_t living = engine.census().population;
    return {engine.cell_count() - living, living};
  }
  std::vector<std::uint64_t> counts(engine.states());
  for_each_part(engine.cell_count(), nullptr, [&](std::uint64_t first, std::span<std::uint8_t> cells) {
    engine.read_cells(first, cells);
    for (const std::uint8_t state : cells) ++counts[state];
  });
  return counts;
}
template std::vector<std::uint64_t> count_states(const CellEngine<2>&);
template std::vector<std::uint64_t> count_states(const CellEngine<3>&);

void FractalEngine::read_bits(std::span<std::uint8_t> bits) const {
  const std::uint32_t planes = check_bits(bits.size());
  const std::uint64_t plane = bytes_of_bits(cell_count());
  std::vector<std::uint8_t> one;
  for_each_part(cell_count(), monitor_, [&](std::uint64_t first, std::span<std::uint8_t> cells) {
    read_cells(first, cells);
    if (planes == 1) return pack_cells(cells, bits.data() + first / 8);
    one.resize(cells.size());
    for (std::uint32_t p = 0; p < planes; ++p) {
      std::ranges::transform(cells, one.begin(), [p](std::uint8_t state) { return state >> p & 1; });
      pack_cells(one, bits.data() + p * plane + first / 8);
    }
  });
}

void FractalEngine::write_bits(std::span<const std::uint8_t> bits) {
  const std::uint32_t planes = check_bits(bits.size());
  const std::uint64_t plane = bytes_of_bits(cell_count());
  std::vector<std::uint8_t> one;
  for_each_part(cell_count(), monitor_, [&](std::uint64_t first, std::span<std::uint8_t> cells) {
    unpack_cells(bits.data() + first / 8, cells);
    for (std::uint32_t p = 1; p < planes; ++p) {
      one.resize(cells.size());
      unpack_cells(bits.data() + p * plane + first / 8, one);
      for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = static_cast<std::uint8_t>(cells[i] | one[i] << p);
    }
    write_cells(first, cells);
  });
}

namespace {

static_assert(std::endian::native == std::endian::little, "eight cells are taken as one number");

/// Packs eight cells, one byte each, into the bits of a byte: the product moves the lowest bit of byte i to
/// bit 56 + i.
std::uint8_t packed(std::uint64_t eight) {
  constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7fu;
  eight = (((eight & kLow) + kLow) | eight) >> 7 & 0x0101010101010101u;
  return static_cast<std::uint8_t>(eight * 0x0102040810204080u >> 56);
}

constexpr std::array<std::uint64_t, 256> kUnpacked = [] {
  std::array<std::uint64_t, 256> all{};
  for (std::uint64_t byte = 0; byte < all.size(); ++byte) {
    for (std::uint64_t bit = 0; bit < 8; ++bit) all[byte] |= (byte >> bit & 1) << (8 * bit);
  }
  return all;
}();

}  // namespace

std::vector<std::uint8_t> living_bits(std::span<const std::uint8_t> bits, std::uint64_t plane) {
  std::vector<std::uint8_t> living(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(plane));
  for (std::uint64_t at = plane; at < bits.size(); ++at)
    living[at % plane] = static_cast<std::uint8_t>(living[at % plane] & ~bits[at]);
  return living;
}

void pack_cells(std::span<const std::uint8_t> cells, std::uint8_t* bits) {
  std::uint64_t eight = 0;
  const std::size_t whole = cells.size() / 8 * 8;
  for (std::size_t at = 0; at < whole; at += 8) {
    std::memcpy(&eight, cells.data() + at, 8);
    *bits++ = packed(eight);
  }
  if (whole == cells.size()) return;
  eight = 0;
  std::memcpy(&eight, cells.data() + whole, cells.size() - whole);
  *bits = packed(eight);
}

void unpack_cells(const std::uint8_t* bits, std::span<std::uint8_t> cells) {
  const std::size_t whole = cells.size() / 8 * 8;
  for (std::size_t at = 0; at < whole; at += 8) std::memcpy(cells.data() + at, &kUnpacked[*bits++], 8);
  if (whole < cells.size()) std::memcpy(cells.data() + whole, &kUnpacked[*bits], cells.size() - whole);
}

FrameReport run_synchronous_frame(FractalEngine& engine, const FrameRequest& request,
                                  ProgressMonitor* monitor) {
  const ProgressScope call(monitor, std::uint64_t{request.generations} + (request.viewport ? 1 : 0));
  FrameReport done;
  const Stopwatch stopwatch;
  done.edited = engine.edit(request.edits);
  done.edit_milliseconds = stopwatch.milliseconds();
  call.part(request.generations, [&] { done.step = engine.run(request.generations, request.work); });
  done.cancelled = done.step.generations < request.generations;
  if (done.cancelled) return done;
  if (request.viewport) {
    try {
      call.part(1, [&] { done.resolve = engine.resolve(*request.viewport, request.space, done.image); });
    } catch (const OperationCancelled&) {
      done.cancelled = true;
      return done;
    }
  }
  if (request.probe) done.probed = engine.cell(*request.probe);
  return done;
}

StepReport work_costs(std::uint64_t cells, Workload workload, std::uint32_t times) {
  StepReport report;
  report.generations = times;
  report.bytes_moved = (workload == Workload::kLife ? 2 : 1) * cells * times;
  return report;
}

GpuLaunch planned_launch(const FractalConfig& config) {
  const TiledFractal fractal = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return gpu_launch(config.method, fractal, launch_shape(config.method, fractal));
}

void check_cell_range(std::uint64_t cells, std::uint64_t first, std::uint64_t count) {
  if (first > cells || count > cells - first) {
    throw InputError(
        fmt::format("cells {} to {} are out of range; the fractal has {}", first, first + count, cells));
  }
}

}  // namespace loom
