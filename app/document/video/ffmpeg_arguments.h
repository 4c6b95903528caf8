#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/document/video/frame_sink.h"

namespace loom::app::video {

/// The command that encodes a video from raw frames on standard input. `output` is the output file; the
/// ending of `file` selects the format.
std::vector<std::string> ffmpeg_arguments(const std::filesystem::path& ffmpeg,
                                          const std::filesystem::path& output,
                                          const std::filesystem::path& file, const FrameFormat& format);

/// The shell command that joins numbered images to a video.
std::string join_command(const std::filesystem::path& pictures, const std::filesystem::path& file,
                         const FrameFormat& format);

}  // namespace loom::app::video
