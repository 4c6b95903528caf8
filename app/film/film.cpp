#include "app/film/film.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/film/zoom_path.h"
#include "app/picture/scene_picture.h"
#include "compute/core/error.h"

namespace loom::app::film {
namespace {

bool is_film(const std::filesystem::path& file) {
  return file.extension() == ".mp4" || file.extension() == ".webm";
}

std::unique_ptr<FrameSink> sink_of(const FilmWish& wish, const Watch* watch) {
  if (is_film(wish.file)) {
    const auto ffmpeg = find_ffmpeg();
    if (!ffmpeg.empty()) return film_by_ffmpeg(ffmpeg, wish.file, wish.format, watch);
  }
  return film_as_pictures(wish.file, wish.format);
}

}  // namespace

void check(const FilmWish& wish) {
  if (!is_film(wish.file) && wish.file.extension() != ".png") {
    throw InputError(fmt::format(
        "{}: unknown video format; allowed: .mp4, .webm, or .png for numbered images", wish.file.string()));
  }
  const render::Extent& size = wish.format.size;
  const auto fits = [](int side) { return side >= 2 && side <= kMostSide && side % 2 == 0; };
  if (!fits(size.width) || !fits(size.height)) {
    throw InputError(fmt::format("a video of {}x{} pixels is not allowed; allowed: even sides from 2 to {}",
                                 size.width, size.height, kMostSide));
  }
  if (wish.frames < 1 || wish.frames > kMostFrames)
    throw InputError(fmt::format("{} frames are not allowed; allowed: 1 to {}", wish.frames, kMostFrames));
  if (wish.format.frames_per_second < 1 || wish.format.frames_per_second > kMostFramesPerSecond) {
    throw InputError(fmt::format("{} frames per second are not allowed; allowed: 1 to {}",
                                 wish.format.frames_per_second, kMostFramesPerSecond));
  }
}

std::string made_by(const std::filesystem::path& file) {
  if (!is_film(file)) return "numbered images (.png)";
  return find_ffmpeg().empty() ? "numbered images (ffmpeg is not installed)" : "ffmpeg";
}

std::string make_film(const FilmWish& wish, Watch* watch) {
  check(wish);
  const bool life = wish.scene.workspace == 0;
  if (life) check_fits(wish.scene.life.config, wish.backend);
  const WatchedCall call(watch, static_cast<std::uint64_t>(wish.frames));
  picture::ScenePicture picture(wish.scene, wish.format.size, wish.backend, watch);
  std::vector<ComplexView> stops = wish.stops;
  if (stops.empty()) stops.push_back(picture::view_in(wish.scene, wish.format.size));
  const ZoomPath path(std::move(stops));
  // A view that has no room is told before the first frame.
  if (!life) {
    for (const double time : {1.0, 0.0}) picture.look_at(path.at(time));
  }
  const auto sink = sink_of(wish, watch);
  std::vector<std::uint8_t> rgb;
  const render::Extent size = wish.format.size;
  const int most = picture::rows_of_band(size);
  for (int frame = 0; frame < wish.frames; ++frame) {
    call.check();
    if (!life) picture.look_at(path.at(wish.frames > 1 ? static_cast<double>(frame) / (wish.frames - 1) : 0));
    if (life && frame > 0) {
      picture.step(wish.generations, watch);
      call.check();
    }
    sink->begin_frame();
    for (int first = 0; first < size.height; first += most) {
      picture.rows().rows(first, std::min(most, size.height - first), rgb, watch);
      call.check();
      sink->rows(rgb);
    }
    sink->end_frame();
    call.advance(1);
  }
  call.check();
  return sink->finish();
}

}  // namespace loom::app::film
