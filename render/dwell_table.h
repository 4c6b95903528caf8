#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace loom::render {

/// Which entry of a table a dwell has. The last entry is that of the dwell limit, the interior.
struct DwellScale {
  std::uint32_t limit = 0;  ///< dwell limit; that and all higher dwells have the last entry
  std::uint32_t first = 0;  ///< the dwell where entry 0 begins; lower ones have it too
  std::uint32_t shift = 0;  ///< each entry covers 2^shift dwells
  std::uint32_t cycle = 0;  ///< if not 0: entry `dwell` % `cycle` instead, for a table of `cycle` + 1 entries
  friend bool operator==(const DwellScale&, const DwellScale&) = default;

  /// The entry of a dwell in a table of `size` > 0 entries.
  std::uint32_t entry(std::uint32_t dwell, std::size_t size) const {
    const auto last = static_cast<std::uint32_t>(size - 1);
    if (dwell >= limit || last == 0) return last;
    if (cycle > 0) return dwell % cycle;
    const std::uint32_t found = dwell < first ? 0 : (dwell - first) >> shift;
    return found < last ? found : last - 1;
  }
};

/// A table of colours; by default one for each dwell.
struct DwellTable {
  std::span<const glm::u8vec3> colours;
  DwellScale scale;

  DwellTable() = default;
  DwellTable(std::span<const glm::u8vec3> of_dwells)
      : colours(of_dwells), scale{.limit = static_cast<std::uint32_t>(of_dwells.size()) - 1} {}
  DwellTable(const std::vector<glm::u8vec3>& of_dwells)
      : DwellTable(std::span<const glm::u8vec3>(of_dwells)) {}
  DwellTable(std::span<const glm::u8vec3> of_entries, const DwellScale& of_scale)
      : colours(of_entries), scale(of_scale) {}
  bool empty() const { return colours.empty(); }
};

}  // namespace loom::render
