#include "app/files/state_folder.h"

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

namespace loom::app {
namespace {

constexpr const char* kVisited = "visited";

std::optional<std::filesystem::path> folder_named_by(const char* variable) {
  const char* const value = std::getenv(variable);
  // A relative one is not valid (XDG Base Directory Specification).
  if (value == nullptr || !std::string_view(value).starts_with('/')) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::filesystem::path> state_folder() {
  if (const auto state = folder_named_by("XDG_STATE_HOME")) return *state / "fractal-loom";
  if (const auto home = folder_named_by("HOME")) return *home / ".local/state/fractal-loom";
  return std::nullopt;
}

bool was_here_before() {
  const auto folder = state_folder();
  std::error_code ignored;
  return !folder || std::filesystem::exists(*folder / kVisited, ignored);
}

void remember_visit() {
  const auto folder = state_folder();
  if (!folder) return;
  std::error_code ignored;
  std::filesystem::create_directories(*folder, ignored);
  std::ofstream(*folder / kVisited);
}

}  // namespace loom::app
