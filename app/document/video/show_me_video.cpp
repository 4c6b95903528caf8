#include "app/document/video/show_me_video.h"

#include <algorithm>
#include <vector>

#include "app/explain/diagram/show_me_diagram.h"
#include "app/plot/cairo_painter.h"

namespace loom::app::video {

std::string write_show_me(const VideoSpec& spec, const NbbFractal& fractal, ProgressMonitor* watch) {
  check(spec);
  const explain::ShowMe show_me(fractal);
  const ProgressScope call(watch, static_cast<std::uint64_t>(spec.frames));
  const auto sink = make_sink(spec, watch);
  std::vector<std::uint8_t> rgb;
  for (int frame = 0; frame < spec.frames; ++frame) {
    call.check();
    const double seconds = explain::ShowMe::kSeconds * frame / std::max(spec.frames - 1, 1);
    plot::paint_pixels(diagram::show_me_diagram(show_me, seconds, true), spec.format.size, rgb);
    sink->begin_frame();
    sink->rows(rgb);
    sink->end_frame();
    call.advance(1);
  }
  call.check();
  return sink->finish();
}

}  // namespace loom::app::video
