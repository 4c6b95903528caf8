#include <array>

#include "compute/backend/engine_factory.h"
#include "compute/core/named_choice.h"

namespace loom {

BackendChoice parse_backend(std::string_view name) {
  constexpr std::array kChoices = {BackendChoice::kAuto, BackendChoice::kCuda, BackendChoice::kCpu};
  return parse_choice("backend", name, kChoices);
}

std::string_view name_of(BackendChoice choice) {
  switch (choice) {
    case BackendChoice::kAuto:
      return "auto";
    case BackendChoice::kCuda:
      return "cuda";
    case BackendChoice::kCpu:
      return "cpu";
  }
  return "unknown";
}

std::string_view name_of(BackendKind kind) {
  return kind == BackendKind::kCuda ? "cuda" : "cpu";
}

}  // namespace loom
