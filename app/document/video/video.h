#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/document/scene/scene.h"
#include "compute/device/device.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app::video {

/// Receives the frames of a video, row by row from the top. Without finish(), no file remains.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void begin_frame() = 0;
  /// Takes complete rows, 3 bytes per pixel. Throws MachineError if they cannot be written, and
  /// OperationCancelled.
  virtual void rows(std::span<const std::uint8_t> rgb) = 0;
  virtual void end_frame() = 0;
  /// Completes the video and returns a remark for the user. Throws as rows().
  virtual std::string finish() = 0;
};

struct FrameFormat {
  glm::ivec2 size{0};
  int frames_per_second = 30;
};

/// The path of ffmpeg in $PATH; empty if there is none.
std::filesystem::path find_ffmpeg();

/// Encodes MP4 or MKV (H.264), WebM (VP9) or GIF, by the ending of the file, with ffmpeg in a child process;
/// the file appears complete or not at all. A failure contains the last messages of ffmpeg. `watch` cancels
/// calls that wait for ffmpeg, which may hang; it must outlive the sink and may be null. Throws InputError,
/// MachineError.
std::unique_ptr<FrameSink> make_ffmpeg_sink(const std::filesystem::path& ffmpeg,
                                            const std::filesystem::path& file, const FrameFormat& format,
                                            const ProgressMonitor* watch);

/// Writes numbered images to a folder named after the video: video-frames/00001.png and so on. finish()
/// returns the command that joins them. Throws InputError if the folder already exists.
std::unique_ptr<FrameSink> make_image_sequence_sink(const std::filesystem::path& file,
                                                    const FrameFormat& format);

/// The command that encodes a video from raw frames on standard input. `output` is the output file; the
/// ending of `file` selects the format.
std::vector<std::string> ffmpeg_arguments(const std::filesystem::path& ffmpeg,
                                          const std::filesystem::path& output,
                                          const std::filesystem::path& file, const FrameFormat& format);

/// The shell command that joins the numbered images in the folder `pictures` to a video.
std::string join_command(const std::filesystem::path& pictures, const std::filesystem::path& file,
                         const FrameFormat& format);

inline constexpr int kMostSide = 8192;
inline constexpr int kMaxFramesPerSecond = 120;
inline constexpr int kMaxFrames = 100000;

/// The specification of a video of the shown workspace.
struct VideoSpec {
  std::filesystem::path file;  ///< .mp4, .mkv, .webm, .gif, or .png for numbered images
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

/// Writes the animation of the maps (explain::ShowMe) of a fractal as a video; the minute is spread over the
/// frames of `spec`, whose scene is not used. Returns a remark, empty for a video file. Throws as
/// write_video(), and InputError as explain::ShowMe does.
std::string write_show_me(const VideoSpec& spec, const NbbFractal& fractal, ProgressMonitor* watch = nullptr);

}  // namespace loom::app::video
