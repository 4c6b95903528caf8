// Parsing a text as a fractal succeeds or throws an InputError.
#include "app/files/fractal_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const loom::app::FractalFile read = loom::app::parse_fractal(text, "fuzz.toml");
    if (read.fractal.shape().k < 2 || read.fractal.max_level() < 1) std::abort();
    const loom::app::FractalFile again =
        loom::app::parse_fractal(loom::app::fractal_text(read), "again.toml");
    if (again.fractal != read.fractal || again.rule != read.rule) std::abort();
  } catch (const loom::InputError&) {
  }
  return 0;
}
