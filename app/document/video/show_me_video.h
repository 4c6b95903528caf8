#pragma once

#include <string>

#include "app/document/video/video.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app::video {

/// Writes the animation of the maps (explain::ShowMe) of a fractal as a video; the minute is spread over the
/// frames of `spec`, whose scene is not used. Returns a remark, empty for a video file. Throws as
/// write_video(), and InputError as explain::ShowMe does.
std::string write_show_me(const VideoSpec& spec, const NbbFractal& fractal, ProgressMonitor* watch = nullptr);

}  // namespace loom::app::video
