#include "compute/geometry/cell_storage.h"

#include "compute/core/named_choice.h"

namespace loom {

std::string_view name_of(CellStorage storage) {
  switch (storage) {
    case CellStorage::kBytes:
      return "bytes";
  }
  return "unknown";
}

CellStorage parse_storage(std::string_view name) {
  return parse_choice("storage", name, kCellStorages);
}

std::uint64_t bytes_of(CellStorage storage, std::uint64_t places) {
  switch (storage) {
    case CellStorage::kBytes:
      break;
  }
  return places;
}

}  // namespace loom
