// Parsing a text as a palette of any format gives ordered stops or throws an InputError. Writing and reading
// a palette gives the same palette.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/files/fractal_file.h"
#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::app;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const PaletteFormat format : {PaletteFormat::kGimp, PaletteFormat::kFractint, PaletteFormat::kGmt}) {
    try {
      const FilePalette palette = parse_palette_file(text, format, "fuzz.gpl");
      if (palette.name.empty() || palette.name.size() > 64) std::abort();
      if (palette.stops.size() < 2 || palette.stops.size() > kMaxFileColours) std::abort();
      double before = 0;
      for (const FilePalette::Stop& stop : palette.stops) {
        if (!(stop.at >= before && stop.at <= 1)) std::abort();
        before = stop.at;
      }
      FilePalette again = parse_palette_file(cpt_text(palette), PaletteFormat::kGmt, "fuzz.cpt");
      again.name = palette.name;  // leading and trailing blanks of the name are lost
      if (again != palette) std::abort();
    } catch (const loom::InputError&) {
    }
  }
  return 0;
}
