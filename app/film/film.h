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

/// A film: the generations of a scene's life, or a flight through views of the Mandelbrot set.
struct FilmWish {
  std::filesystem::path file;  ///< .mp4, .webm, or .png for numbered pictures
  FrameFormat format = {};
  int frames = 300;
  std::uint32_t generations = 1;        ///< of life, from one frame to the next
  std::vector<ComplexView> stops = {};  ///< of the flight; none: the scene's view stands still
  scene::Scene scene = {};
  BackendSelection backend = {};
};

/// Throws InputError where the wish is none: an unknown ending, odd or too large sides, too many frames.
void check(const FilmWish& wish);

/// What will make it: "ffmpeg", or in words why numbered pictures are made.
std::string made_by(const std::filesystem::path& file);

/// Makes it, with engines of its own. Returns what was made, in words; empty where the film's file says it
/// all. Throws InputError, CapacityError, MachineError, Cancelled; then nothing of it is left.
std::string make_film(const FilmWish& wish, Watch* watch = nullptr);

}  // namespace loom::app::film
