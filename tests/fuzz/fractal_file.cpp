// Parsing a text as a fractal of two or three dimensions succeeds or throws an InputError.
#include "app/files/fractal_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/core/error.h"

namespace {

template <typename File>
void read_twice(std::string_view text, File (*parse)(std::string_view, const std::filesystem::path&)) {
  try {
    const File read = parse(text, "fuzz.toml");
    if (read.fractal.shape().k < 2 || read.fractal.max_level() < 1) std::abort();
    const File again = parse(loom::app::fractal_text(read), "again.toml");
    if (again.fractal != read.fractal || again.rule != read.rule) std::abort();
  } catch (const loom::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_twice(text, loom::app::parse_fractal);
  read_twice(text, loom::app::parse_solid);
  return 0;
}
