#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/film/frame_sink.h"

namespace loom::app::film {

/// The words of a command that makes a film of raw frames on standard input. `output` is what it writes,
/// `file` says by its ending what.
std::vector<std::string> ffmpeg_arguments(const std::filesystem::path& ffmpeg,
                                          const std::filesystem::path& output,
                                          const std::filesystem::path& file, const FrameFormat& format);

/// The command that makes the film of numbered pictures, for a shell.
std::string joining_command(const std::filesystem::path& pictures, const std::filesystem::path& file,
                            const FrameFormat& format);

}  // namespace loom::app::film
