#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/film/frame_sink.h"
#include "app/scene/scene.h"
#include "compute/backend/engine_factory.h"

namespace loom::app::film {

inline constexpr int kMostSide = 8192;
inline constexpr int kMostFramesPerSecond = 120;
inline constexpr int kMostFrames = 100000;

/// The specification of a video: generations of life, or a flight through views of the Mandelbrot set.
struct FilmWish {
  std::filesystem::path file;  ///< .mp4, .webm, or .png for numbered images
  FrameFormat format = {};
  int frames = 300;
  std::uint32_t generations = 1;        ///< life: generations per frame
  std::vector<ComplexView> stops = {};  ///< stops of the flight; empty: the view of the scene does not move
  scene::Scene scene = {};
  BackendSelection backend = {};
};

/// Throws InputError for an invalid specification: unknown ending, odd or too large sides, too many frames.
void check(const FilmWish& wish);

/// "ffmpeg", or a text that says why numbered images are written.
std::string made_by(const std::filesystem::path& file);

/// Creates the video with its own engines. Returns a remark, empty for a video file. Throws InputError,
/// CapacityError, MachineError, Cancelled; no file remains then.
std::string make_film(const FilmWish& wish, Watch* watch = nullptr);

}  // namespace loom::app::film
