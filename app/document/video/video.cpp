#include "app/document/video/video.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"

namespace loom::app::video {
namespace {

bool is_video(const std::filesystem::path& file) {
  return file.extension() == ".mp4" || file.extension() == ".webm";
}

}  // namespace

void check(const VideoSpec& spec) {
  if (!is_video(spec.file) && spec.file.extension() != ".png") {
    throw InputError(fmt::format(
        "{}: unknown video format; allowed: .mp4, .webm, or .png for numbered images", spec.file.string()));
  }
  const glm::ivec2& size = spec.format.size;
  const auto fits = [](int side) { return side >= 2 && side <= kMostSide && side % 2 == 0; };
  if (!fits(size.x) || !fits(size.y)) {
    throw InputError(fmt::format("a video of {}x{} pixels is not allowed; allowed: even sides from 2 to {}",
                                 size.x, size.y, kMostSide));
  }
  if (spec.frames < 1 || spec.frames > kMaxFrames)
    throw InputError(fmt::format("{} frames are not allowed; allowed: 1 to {}", spec.frames, kMaxFrames));
  if (spec.format.frames_per_second < 1 || spec.format.frames_per_second > kMaxFramesPerSecond) {
    throw InputError(fmt::format("{} frames per second are not allowed; allowed: 1 to {}",
                                 spec.format.frames_per_second, kMaxFramesPerSecond));
  }
}

std::string encoder_name(const std::filesystem::path& file) {
  if (!is_video(file)) return "numbered images (.png)";
  return find_ffmpeg().empty() ? "numbered images (ffmpeg is not installed)" : "ffmpeg";
}

std::unique_ptr<FrameSink> make_sink(const VideoSpec& spec, const ProgressMonitor* watch) {
  if (is_video(spec.file)) {
    const auto ffmpeg = find_ffmpeg();
    if (!ffmpeg.empty()) return make_ffmpeg_sink(ffmpeg, spec.file, spec.format, watch);
  }
  return make_image_sequence_sink(spec.file, spec.format);
}

std::string write_video(const VideoSpec& spec, ProgressMonitor* watch) {
  check(spec);
  const ProgressScope call(watch, static_cast<std::uint64_t>(spec.frames));
  const auto picture = spec.scene.shown().renderer({.size = spec.format.size,
                                                    .backend = spec.backend,
                                                    .palette = spec.scene.palette,
                                                    .custom_palettes = spec.scene.custom_palettes,
                                                    .generations_per_frame = spec.generations,
                                                    .keyframes = spec.keyframes},
                                                   watch);
  const auto sink = make_sink(spec, watch);
  std::vector<std::uint8_t> rgb;
  const glm::ivec2 size = spec.format.size;
  const int most = image::rows_of_band(size);
  for (int frame = 0; frame < spec.frames; ++frame) {
    call.check();
    picture->show_frame(frame, spec.frames, watch);
    call.check();
    sink->begin_frame();
    for (int first = 0; first < size.y; first += most) {
      picture->rows().rows(first, std::min(most, size.y - first), rgb, watch);
      call.check();
      sink->rows(rgb);
    }
    sink->end_frame();
    call.advance(1);
  }
  call.check();
  return sink->finish();
}

}  // namespace loom::app::video
