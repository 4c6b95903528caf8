#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/document/scene/scene.h"
#include "app/document/video/frame_sink.h"
#include "compute/device/device.h"

namespace loom::app::video {

inline constexpr int kMostSide = 8192;
inline constexpr int kMaxFramesPerSecond = 120;
inline constexpr int kMaxFrames = 100000;

/// The specification of a video of the shown workspace.
struct VideoSpec {
  std::filesystem::path file;  ///< .mp4, .webm, or .png for numbered images
  FrameFormat format = {};
  int frames = 300;
  std::uint32_t generations = 1;  ///< per frame, as in scene::RenderRequest
  std::vector<scene::Json> keyframes = {};
  scene::Scene scene = {};
  BackendSelection backend = {};
};

/// Throws InputError for an invalid specification: unknown ending, odd or too large sides, too many frames.
void check(const VideoSpec& spec);

/// "ffmpeg", or a text that says why numbered images are written.
std::string encoder_name(const std::filesystem::path& file);

/// ffmpeg, or numbered images without it. Throws InputError, MachineError.
std::unique_ptr<FrameSink> make_sink(const VideoSpec& spec, const ProgressMonitor* watch);

/// Creates the video with its own engines. Returns a remark, empty for a video file. Throws InputError,
/// CapacityError, MachineError, OperationCancelled; no file remains then.
std::string write_video(const VideoSpec& spec, ProgressMonitor* watch = nullptr);

}  // namespace loom::app::video
