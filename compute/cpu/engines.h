#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compute/distributed/fractal_partition.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/engine/map_samples.h"
#include "compute/solid/solid_engine.h"
#include "compute/solid/volume_engine.h"

namespace loom::cpu {

// Engines on this process's threads, of valid configurations. Each throws std::bad_alloc.

/// Life with a byte per cell.
std::unique_ptr<FractalEngine> make_byte_engine(const FractalConfig& config);
/// Life in bit planes (geometry/bit_planes.h): the compact map with bit-packed storage.
std::unique_ptr<FractalEngine> make_plane_engine(const FractalConfig& config);
/// Life on the whole square with one bit per point (geometry/stored_cells.h): the bounding box with
/// bit-packed storage.
std::unique_ptr<FractalEngine> make_row_engine(const FractalConfig& config);
/// Partition `number` of life on the compact map in bytes, or in bit planes.
std::unique_ptr<FractalPartition> make_byte_partition(const FractalConfig& config,
                                                      const std::vector<TileRows>& parts,
                                                      std::uint32_t number);
std::unique_ptr<FractalPartition> make_plane_partition(const FractalConfig& config,
                                                       const std::vector<GroupRange>& parts,
                                                       std::uint32_t number);
std::unique_ptr<SolidEngine> make_solid_engine(const SolidConfig& config);
/// The results of a method for sampled tiles, computed as the engine does.
MappedSamples map_samples(const FractalConfig& config, const MapSamples& samples);
/// The result of FractalEngine::census() for cells as bits.
Census census_of_bits(std::span<const std::uint8_t> bits);
/// Dwells of this partition of the rows of every image.
std::unique_ptr<MandelbrotPartition> make_mandelbrot_engine(const RowPartition& share);
/// Dwells in space.
std::unique_ptr<VolumeEngine> make_volume_engine();

}  // namespace loom::cpu
