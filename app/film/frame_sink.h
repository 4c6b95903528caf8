#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "compute/engine/watch.h"
#include "render/extent.h"

namespace loom::app::film {

/// Where a film's frames go, row by row from the top. Where it is not finished nothing of it is left.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void begin_frame() = 0;
  /// Whole rows, 3 bytes a pixel. Throws MachineError where they cannot be taken, and Cancelled.
  virtual void rows(std::span<const std::uint8_t> rgb) = 0;
  virtual void end_frame() = 0;
  /// Ends the film; what was made, in words for the user. Throws as rows().
  virtual std::string finish() = 0;
};

struct FrameFormat {
  render::Extent size;
  int frames_per_second = 30;
};

/// The program ffmpeg in $PATH; empty where there is none.
std::filesystem::path find_ffmpeg();

/// A child process of ffmpeg that makes an MP4 (H.264) or WebM (VP9), by the file's ending; the file appears
/// whole or not at all. What ffmpeg says last is what its failure says. `watch` ends a call that waits for
/// ffmpeg, which may stand still; it must outlive the sink, and may be null. Throws InputError, MachineError.
std::unique_ptr<FrameSink> film_by_ffmpeg(const std::filesystem::path& ffmpeg,
                                          const std::filesystem::path& file, const FrameFormat& format,
                                          const Watch* watch);

/// Numbered pictures in a folder of their own, named after the film: film-frames/00001.png and so on;
/// finish() says the command that joins them. Throws InputError where the folder is there already.
std::unique_ptr<FrameSink> film_as_pictures(const std::filesystem::path& file, const FrameFormat& format);

}  // namespace loom::app::film
