#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The cells of a field by canonical index, a bit each: cell i is bit i % 8 of byte i / 8. Bits behind the
/// last cell are 0. The same whatever the map, the storage and the backend.
struct CellBits {
  std::uint64_t count = 0;
  std::vector<std::uint8_t> bytes;
  bool alive(std::uint64_t index) const { return (bytes[index / 8] >> (index % 8) & 1) != 0; }
  friend bool operator==(const CellBits&, const CellBits&) = default;
};

/// Bytes that so many cells take.
constexpr std::uint64_t bytes_of_bits(std::uint64_t cells) {
  return cells / 8 + (cells % 8 != 0 ? 1 : 0);
}

/// Carries cells between engines and bits, a part at a time; what it works in stays for the next time.
class BitCarrier {
 public:
  /// All cells of the engine. Throws Cancelled, std::bad_alloc; `into` is then of no use.
  void read(const FractalEngine& engine, CellBits& into, Watch* watch = nullptr);
  /// `bits` must have as many cells as the engine. Throws Cancelled, with a part written.
  void write(const CellBits& bits, FractalEngine& engine, Watch* watch = nullptr);

 private:
  std::vector<std::uint8_t> cells_;  ///< of a part, a byte each
};

/// As FractalEngine::census() has it.
Census census_of(const CellBits& bits);

}  // namespace loom::app
