// Parsing a text as a bookmark succeeds or throws an InputError. Writing and reading a view gives the same
// view.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/workspaces/life/scene/life_view.h"
#include "app/workspaces/mandelbrot/document/view_text.h"
#include "compute/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::app;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const ParsedView read = parse_view(text);
    const ComplexView view = read.fitted_to_aspect(1.5);
    // A double need not hold the width of a deep view; its logarithm does.
    if (!std::isfinite(view.centre.x) || !std::isfinite(view.centre.y) || !std::isfinite(log2_width(view)))
      std::abort();
    if (parse_view(text_of(view)).view != view) std::abort();
    for (const char* const file : {"a.kfr", "a.xpf"}) {
      const ComplexView again = parse_view(position_text(file, view, {300, 200}, 1000)).fitted_to_aspect(1.5);
      if (std::abs(log2_width(again) - log2_width(view)) > 1e-9) std::abort();
      if (decimal_of(again).re != decimal_of(view).re || decimal_of(again).im != decimal_of(view).im)
        std::abort();
    }
  } catch (const loom::InputError&) {
  }
  try {
    const loom::render::Rect<double> part = parse_part(text);
    if (!(part.size.x > 0 && part.size.y > 0)) std::abort();
  } catch (const loom::InputError&) {
  }
  return 0;
}
