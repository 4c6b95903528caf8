#include "app/document/video/video.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "app/explain/diagram/diagrams.h"
#include "app/files/file_kind.h"
#include "app/files/output_file.h"
#include "app/plot/diagram_file.h"
#include "app/text/text.h"
#include "compute/core/error.h"
#include "render/png.h"

namespace loom::app::video {
namespace {

using Words = std::vector<std::string>;

/// The options of ffmpeg for the ending of the file, with blanks between them; empty if it is no video's.
std::string encoder_options(const std::filesystem::path& file) {
  // 4:2:0 chroma subsampling, with explicit colour metadata, for wide compatibility.
  const std::string colours =
      "-vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p -colorspace bt709 -color_trc bt709 "
      "-color_primaries bt709 ";
  const std::string h264 = colours + "-c:v libx264 -preset medium -crf 18 ";
  const std::string extension = lower_extension(file);
  if (extension == ".mp4") return h264 + "-movflags +faststart -f mp4";
  if (extension == ".mkv") return h264 + "-f matroska";
  if (extension == ".webm") return colours + "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -cpu-used 4 -f webm";
  // A palette per frame: one of the whole video would keep all its frames in memory.
  if (extension == ".gif")
    return "-vf split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1 -f gif";
  return {};
}

bool is_video(const std::filesystem::path& file) {
  return !encoder_options(file).empty();
}

}  // namespace

void check(const VideoSpec& spec) {
  if (!is_video(spec.file) && lower_extension(spec.file) != ".png") {
    throw InputError(
        fmt::format("{}: unknown video format; allowed: .mp4, .mkv, .webm, .gif, or .png for numbered images",
                    spec.file.string()));
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

namespace {

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

void append_encoding(Words& words, const std::filesystem::path& file) {
  const std::string options = encoder_options(file);
  for (const std::string_view word : split_words(options, " ")) words.emplace_back(word);
}

/// The name of a file as ffmpeg takes it: not for an option, nor for a protocol.
std::string file_argument(const std::filesystem::path& file) {
  const std::string name = file.string();
  return name.starts_with('-') || (file.is_relative() && name.find(':') != std::string::npos) ? "./" + name
                                                                                              : name;
}

}  // namespace

Words ffmpeg_arguments(const std::filesystem::path& ffmpeg, const std::filesystem::path& output,
                       const std::filesystem::path& file, const FrameFormat& format) {
  Words words = {ffmpeg.string(), "-hide_banner", "-nostats", "-loglevel", "error"};
  append(words, {"-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
                 fmt::format("{}x{}", format.size.x, format.size.y), "-framerate",
                 std::to_string(format.frames_per_second), "-i", "pipe:0"});
  append_encoding(words, file);
  // A file name that begins with - would be parsed as an option.
  append(words, {"-y", "file:" + std::filesystem::absolute(output).string()});
  return words;
}

std::string join_command(const std::filesystem::path& pictures, const std::filesystem::path& file,
                         const FrameFormat& format) {
  std::string pattern = file_argument(pictures);
  // In a name of numbered images %% is a percent sign.
  for (std::size_t at = 0; (at = pattern.find('%', at)) != std::string::npos; at += 2)
    pattern.insert(at, 1, '%');
  Words words = {"ffmpeg", "-framerate", std::to_string(format.frames_per_second), "-i",
                 pattern + "/%05d.png"};
  append_encoding(words, file);
  words.push_back(file_argument(file));
  std::string command;
  for (const std::string& word : words) {
    if (!command.empty()) command += ' ';
    command += quoted_for_shell(word);
  }
  return command;
}

namespace {

namespace fs = std::filesystem;

class ImageSequenceSink final : public FrameSink {
 public:
  ImageSequenceSink(const fs::path& file, const FrameFormat& format)
      : file_(file), format_(format), folder_(file.parent_path() / (file.stem().string() + "-frames")) {
    std::error_code failure;
    if (!fs::create_directory(folder_, failure)) {
      throw InputError(fmt::format("{}: the folder for its images, {}, {}; allowed: another name",
                                   file.string(), folder_.string(),
                                   failure ? "cannot be created: " + failure.message() : "already exists"));
    }
  }

  ~ImageSequenceSink() override {
    if (finished_) return;
    picture_.reset();
    out_.reset();
    std::error_code ignored;
    for (const fs::path& one : written_) fs::remove(one, ignored);
    fs::remove(folder_, ignored);
  }

  void begin_frame() override {
    written_.push_back(folder_ / fmt::format("{:05}.png", written_.size() + 1));
    out_.emplace(written_.back());
    picture_.emplace(
        format_.size, [this](std::string_view bytes) { out_->write(bytes); },
        render::PngText{"Software", "Fractal Loom"});
  }
  void rows(std::span<const std::uint8_t> rgb) override { picture_->rows(rgb); }
  void end_frame() override {
    picture_->finish();
    out_->commit();
    picture_.reset();
    out_.reset();
  }

  std::string finish() override {
    finished_ = true;
    const fs::path video = !is_video(file_) ? fs::path(file_).replace_extension(".mp4") : file_;
    return fmt::format("{} images in {}; this command joins them: {}", written_.size(), folder_.string(),
                       join_command(folder_, video, format_));
  }

 private:
  fs::path file_;
  FrameFormat format_;
  fs::path folder_;
  std::vector<fs::path> written_;
  std::optional<OutputFile> out_;
  std::optional<render::PngWriter> picture_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<FrameSink> make_image_sequence_sink(const fs::path& file, const FrameFormat& format) {
  return std::make_unique<ImageSequenceSink>(file, format);
}

std::string write_show_me(const VideoSpec& spec, const NbbFractal& fractal, ProgressMonitor* watch) {
  check(spec);
  const explain::ShowMe show_me(fractal);
  const ProgressScope call(watch, static_cast<std::uint64_t>(spec.frames));
  const auto sink = make_sink(spec, watch);
  std::vector<std::uint8_t> rgb;
  for (int frame = 0; frame < spec.frames; ++frame) {
    call.check();
    const double seconds = explain::ShowMe::kSeconds * frame / std::max(spec.frames - 1, 1);
    plot::paint_pixels(diagram::show_me_diagram(show_me, seconds, true), spec.format.size, rgb);
    sink->begin_frame();
    sink->rows(rgb);
    sink->end_frame();
    call.advance(1);
  }
  call.check();
  return sink->finish();
}

}  // namespace loom::app::video
