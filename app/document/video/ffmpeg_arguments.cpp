#include "app/document/video/ffmpeg_arguments.h"

#include <fmt/format.h>

#include "app/text/shell_word.h"

namespace loom::app::video {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// Encoding for wide compatibility: 4:2:0 chroma subsampling, with explicit colour metadata.
Words encoding(const std::filesystem::path& file) {
  Words words = {"-vf",
                 "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
                 "-colorspace",
                 "bt709",
                 "-color_trc",
                 "bt709",
                 "-color_primaries",
                 "bt709"};
  if (file.extension() == ".webm") {
    append(words,
           {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4", "-f", "webm"});
  } else {
    append(words,
           {"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"});
  }
  return words;
}

}  // namespace

Words ffmpeg_arguments(const std::filesystem::path& ffmpeg, const std::filesystem::path& output,
                       const std::filesystem::path& file, const FrameFormat& format) {
  Words words = {ffmpeg.string(), "-hide_banner", "-nostats", "-loglevel", "error"};
  append(words, {"-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
                 fmt::format("{}x{}", format.size.x, format.size.y), "-framerate",
                 std::to_string(format.frames_per_second), "-i", "pipe:0"});
  append(words, encoding(file));
  // A file name that begins with - would be parsed as an option.
  append(words, {"-y", "file:" + std::filesystem::absolute(output).string()});
  return words;
}

std::string join_command(const std::filesystem::path& pictures, const std::filesystem::path& file,
                         const FrameFormat& format) {
  Words words = {"ffmpeg", "-framerate", std::to_string(format.frames_per_second), "-i", pictures.string()};
  append(words, encoding(file));
  words.push_back(file.string());
  std::string command;
  for (const std::string& word : words) {
    if (!command.empty()) command += ' ';
    command += quoted_for_shell(word);
  }
  return command;
}

}  // namespace loom::app::video
