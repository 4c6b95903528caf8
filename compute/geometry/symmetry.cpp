#include "compute/geometry/symmetry.h"

#include "compute/core/named_choice.h"

namespace loom {

std::string_view name_of(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::kIdentity:
      return "id";
    case Symmetry::kRotate90:
      return "r90";
    case Symmetry::kRotate180:
      return "r180";
    case Symmetry::kRotate270:
      return "r270";
    case Symmetry::kMirrorX:
      return "mx";
    case Symmetry::kMirrorY:
      return "my";
    case Symmetry::kTranspose:
      return "t";
    case Symmetry::kAntitranspose:
      return "at";
  }
  return "unknown";
}

Symmetry parse_symmetry(std::string_view name) {
  return parse_choice("orientation", name, kSymmetries);
}

}  // namespace loom
