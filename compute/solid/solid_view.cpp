#include "compute/solid/solid_view.h"

#include "compute/core/input_text.h"

namespace loom {

std::string_view name_of(SolidColouring by) {
  static constexpr std::array<std::string_view, kSolidColourings.size()> kNames = {"state", "tile", "thread",
                                                                                   "warp", "address"};
  return kNames[static_cast<std::size_t>(by)];
}

SolidColouring parse_solid_colouring(std::string_view name) {
  return parse_choice("colour", name, kSolidColourings);
}

}  // namespace loom
