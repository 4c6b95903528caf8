#include "compute/geometry/storage.h"

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

}  // namespace loom
