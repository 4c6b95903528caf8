#include "compute/geometry/storage.h"

#include "compute/core/input_text.h"

namespace loom {

std::string_view name_of(CellStorage storage) {
  switch (storage) {
    case CellStorage::kBytes:
      return "bytes";
    case CellStorage::kBits:
      return "bits";
  }
  return "unknown";
}

CellStorage parse_storage(std::string_view name) {
  return parse_choice("storage", name, kCellStorages);
}

}  // namespace loom
