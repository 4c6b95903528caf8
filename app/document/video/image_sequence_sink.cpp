#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <system_error>
#include <vector>

#include "app/document/video/ffmpeg_arguments.h"
#include "app/document/video/frame_sink.h"
#include "app/files/output_file.h"
#include "compute/core/error.h"
#include "render/png_writer.h"

namespace loom::app::video {
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
    const fs::path video = file_.extension() == ".png" ? fs::path(file_).replace_extension(".mp4") : file_;
    return fmt::format("{} images in {}; this command joins them: {}", written_.size(), folder_.string(),
                       join_command(folder_ / "%05d.png", video, format_));
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

}  // namespace loom::app::video
