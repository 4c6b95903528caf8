// Reading bytes as a scene succeeds or throws an InputError, or a CapacityError if memory is short. Writing
// and reading a scene gives the same scene.
#include "app/document/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/program/workspace_formats.h"
#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::app::scene;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto room = [](const loom::FractalConfig& config) {
    if (loom::bytes_needed(config) > std::uint64_t{1} << 24) throw loom::CapacityError("no room", 0, 0);
  };
  try {
    const std::string written = bytes_of(read_bytes(bytes, loom::app::workspace_formats(), room));
    if (bytes_of(read_bytes(written, loom::app::workspace_formats(), room)) != written) std::abort();
  } catch (const loom::InputError&) {
  } catch (const loom::CapacityError&) {
  }
  return 0;
}
