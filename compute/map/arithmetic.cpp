#include "compute/map/arithmetic.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom {

std::string_view name_of(MapArithmetic arithmetic) {
  switch (arithmetic) {
    case MapArithmetic::kLoop:
      return "loop";
    case MapArithmetic::kTable:
      return "table";
  }
  return "unknown";
}

MapArithmetic parse_arithmetic(std::string_view name) {
  for (MapArithmetic arithmetic : kMapArithmetics) {
    if (name_of(arithmetic) == name) return arithmetic;
  }
  throw InputError(fmt::format("unknown arithmetic '{}'; allowed: loop, table", name));
}

std::string_view name_of(IntraBlock intra_block) {
  switch (intra_block) {
    case IntraBlock::kSubBox:
      return "sub-box";
    case IntraBlock::kUnrolled:
      return "unrolled";
    case IntraBlock::kLookup:
      return "lookup";
  }
  return "unknown";
}

IntraBlock parse_intra_block(std::string_view name) {
  for (IntraBlock intra_block : kIntraBlocks) {
    if (name_of(intra_block) == name) return intra_block;
  }
  throw InputError(fmt::format("unknown intra-block mapping '{}'; allowed: sub-box, unrolled, lookup", name));
}

}  // namespace loom
