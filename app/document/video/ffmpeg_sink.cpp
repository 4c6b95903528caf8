#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "app/document/video/child_process.h"
#include "app/document/video/frame_sink.h"
#include "app/files/output_file.h"
#include "compute/core/error.h"

namespace loom::app::video {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxErrorText = 600;
/// Time for a child that stopped reading frames to exit and report a reason.
constexpr std::chrono::milliseconds kUntilEnded{1000};
/// The output path as seen by the child, which opens it twice for an MP4.
constexpr const char* kOutputName = "/proc/self/fd/3";
static_assert(ChildProcess::kOutput == 3);

class FfmpegSink final : public FrameSink {
 public:
  FfmpegSink(const fs::path& ffmpeg, const fs::path& file, const FrameFormat& format,
             const ProgressMonitor* watch)
      : file_(file),
        out_(file),
        scratch_(out_.descriptor() ? nullptr : scratch_file(), std::fclose),
        watch_(watch),
        child_(ffmpeg, ffmpeg_arguments(ffmpeg, kOutputName, file, format),
               scratch_ ? fileno(scratch_.get()) : *out_.descriptor()) {}

  void begin_frame() override {}
  void end_frame() override {}

  void rows(std::span<const std::uint8_t> rgb) override {
    if (child_.write(rgb, watch_)) return;
    child_.close_input();
    const auto status = child_.wait(watch_, kUntilEnded);
    if (!status) child_.end();
    fail(status);
  }

  std::string finish() override {
    child_.close_input();
    const auto status = child_.wait(watch_);
    if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) fail(status);
    if (scratch_) copy_scratch();
    out_.commit();
    return {};
  }

 private:
  static std::FILE* scratch_file() {
    std::FILE* const file = std::tmpfile();
    if (file == nullptr)
      throw MachineError(fmt::format("cannot create a temporary file: {}", std::strerror(errno)));
    return file;
  }

  void copy_scratch() {
    std::array<char, 1 << 16> part;
    std::rewind(scratch_.get());
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), scratch_.get()))
      out_.write({part.data(), count});
    if (std::ferror(scratch_.get()) != 0)
      throw MachineError(fmt::format("{}: the video cannot be read back", file_.string()));
  }

  // Reports the last messages of ffmpeg as the reason.
  [[noreturn]] void fail(std::optional<int> status) {
    std::string said = child_.messages();
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
    if (said.size() > kMaxErrorText) {
      const std::size_t line = said.find('\n', said.size() - kMaxErrorText);
      said.erase(0, line == std::string::npos ? said.size() - kMaxErrorText : line + 1);
    }
    if (said.empty()) {
      said = !status                ? std::string("it stopped reading frames and does not exit")
             : WIFSIGNALED(*status) ? fmt::format("terminated by signal: {}", strsignal(WTERMSIG(*status)))
                                    : fmt::format("exit status {}", WEXITSTATUS(*status));
    }
    throw MachineError(fmt::format("{}: ffmpeg failed: {}", file_.string(), said));
  }

  fs::path file_;
  OutputFile out_;
  /// Temporary output file if the target is a pipe or device, in which ffmpeg could not seek.
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> scratch_;
  const ProgressMonitor* watch_;
  ChildProcess child_;
};

}  // namespace

fs::path find_ffmpeg() {
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const fs::path file = fs::path(folders.substr(0, end)) / "ffmpeg";
    std::error_code ignored;
    if (end > 0 && fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return {};
}

std::unique_ptr<FrameSink> make_ffmpeg_sink(const fs::path& ffmpeg, const fs::path& file,
                                            const FrameFormat& format, const ProgressMonitor* watch) {
  return std::make_unique<FfmpegSink>(ffmpeg, file, format, watch);
}

}  // namespace loom::app::video
