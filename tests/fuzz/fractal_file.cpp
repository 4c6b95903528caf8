// A text is a fractal or an InputError, never anything else.
#include "compute/geometry/fractal_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const loom::NbbFractal fractal = loom::parse_fractal(text, "fuzz.toml");
    if (fractal.shape().k < 2 || fractal.max_level() < 1) std::abort();
  } catch (const loom::InputError&) {
  }
  return 0;
}
