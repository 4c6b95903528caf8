#include "app/document/video/video.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "compute/core/error.h"
#include "render/png.h"
#include "sample_scene.h"

namespace loom::app::video {
namespace {

namespace fs = std::filesystem;

TEST(ZoomPath, GoesToAnyDepth) {
  const ComplexView whole{{-0.7, 0.1}, 4};
  const ComplexView deep = typed_view({"-2", "1e-900", "1e-1000"});
  for (const bool inwards : {true, false}) {
    const ZoomPath path({inwards ? whole : deep, inwards ? deep : whole});
    EXPECT_EQ(path.deepest(), deep);
    EXPECT_EQ(path.at(inwards ? 1 : 0), deep);
    EXPECT_EQ(path.at(inwards ? 0 : 1), whole);
    const ComplexView middle = path.at(0.5);
    EXPECT_NEAR(log2_width(middle), (log2_width(whole) + log2_width(deep)) / 2, 1e-3);
    // The point at the same position in both views stays there.
    const DecimalOffset fixed = offset_between(decimal_of(whole), decimal_of(deep));
    for (int i = 1; i < 20; ++i) {
      const DecimalOffset here = offset_between(decimal_of(path.at(i / 20.0)), decimal_of(deep));
      EXPECT_NEAR(here.right, fixed.right, 1e-4) << i;
      EXPECT_NEAR(here.down, fixed.down, 1e-4) << i;
    }
  }
}

TEST(ZoomPath, BeginsAndEndsAtItsStops) {
  const std::vector<ComplexView> keyframes = {{{-0.5, 0}, 3}, {{-0.75, 0.1}, 0.01}, {{0.3, 0.02}, 0.1}};
  const ZoomPath path(keyframes);
  EXPECT_EQ(path.at(0), keyframes[0]);
  EXPECT_EQ(path.at(1), keyframes[2]);
  EXPECT_EQ(path.at(-1), keyframes[0]);
  EXPECT_EQ(path.at(NAN), keyframes[0]);
  double nearest = 1;
  for (int i = 0; i <= 10000; ++i) {
    const ComplexView view = path.at(i / 10000.0);
    nearest = std::min(nearest, std::abs(view.width / keyframes[1].width - 1));
  }
  EXPECT_LT(nearest, 1e-3) << "the path passes through the second keyframe";
  EXPECT_THROW(ZoomPath({}), InputError);
  EXPECT_EQ(ZoomPath({keyframes[1]}).at(0.5), keyframes[1]);
}

// The point that is zoomed into stays in place in every frame, and the width never increases.
TEST(ZoomPath, KeepsAPointInPlaceAndZoomsSteadily) {
  const ComplexView from{{0, 0}, 4};
  const ComplexView to{{1 - 1.0 / 1000, 0},
                       4.0 / 1000};  // both views show 1 a quarter of the width right of the centre
  const ZoomPath path({from, to});
  double before = 5;
  for (int i = 0; i <= 100; ++i) {
    const ComplexView view = path.at(i / 100.0);
    EXPECT_NEAR((1 - view.centre.x) / view.width, 0.25, 1e-9);
    EXPECT_LT(view.width, before);
    before = view.width;
  }
  const ComplexView half = path.at(0.5);
  EXPECT_NEAR(half.width, std::sqrt(4 * 4.0 / 1000), 1e-9);
}

TEST(ZoomPath, TurnsSteadily) {
  for (const char* width : {"0.01", "1e-40"}) {
    const ComplexView from{{-0.5, 0}, 3, nullptr, 10};
    const ComplexView to = typed_view({"-0.75", "0.1", width}, -350);
    const ZoomPath path({from, to});
    EXPECT_EQ(path.at(0), from);
    EXPECT_EQ(path.at(1), to);
    EXPECT_NEAR(path.at(0.5).angle, -170, 1e-9);
    EXPECT_EQ(path.at(0.3).centre, ZoomPath({turned(from, -10), turned(to, 350)}).at(0.3).centre);
  }
  EXPECT_NEAR(ZoomPath({{{0, 0}, 1}, {{0, 0}, 1, nullptr, 90}}).at(0.5).angle, 45, 1e-9);
}

scene::Json place(const ComplexView& view) {
  return to_json(MandelbrotPlace{view, std::nullopt});
}

class VideoTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "bin");
    path_ = std::getenv("PATH");
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  /// Makes this script the ffmpeg on PATH; with an empty script there is no ffmpeg.
  void ffmpeg_is(const std::string& script) {
    if (!script.empty()) {
      std::ofstream(folder_ / "bin/ffmpeg") << "#!/bin/sh\nPATH=" << path_ << "\n" << script;
      fs::permissions(folder_ / "bin/ffmpeg", fs::perms::owner_all);
    }
    setenv("PATH", (folder_ / "bin").c_str(), 1);
  }
  VideoSpec spec(const std::string& name) const {
    VideoSpec spec{.file = folder_ / name, .format = {{64, 48}, 25}, .frames = 7};
    spec.scene = scene::default_scene();
    scene::life_of(spec.scene).settings.config.level = 4;
    spec.backend = {{}, "test"};
    return spec;
  }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& one : fs::directory_iterator(folder_)) {
      if (one.path().filename() != "bin") names.push_back(one.path().filename());
    }
    return names;
  }
  /// Whether the process whose id this file contains, or another process of its group, still runs.
  static bool group_runs(const fs::path& number) {
    const int group = std::stoi(content(number));
    for (const auto& one : fs::directory_iterator("/proc")) {
      const std::string line = content(one.path() / "stat");
      std::istringstream words(line.substr(line.rfind(')') + 1));
      char state = 0;
      int parent = 0;
      int of_group = 0;
      if (words >> state >> parent >> of_group && of_group == group && state != 'Z') return true;
    }
    return false;
  }
  /// Whether the group's processes end soon: a process that was killed runs until the system has ended it.
  static bool group_ends(const fs::path& number) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (group_runs(number)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  /// A script that copies its input to the output file, its last argument.
  static constexpr const char* kKeeps = "for word; do last=$word; done\ncat > \"${last#file:}\"\n";

  const fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("loom-film-{}", getpid());
  std::string path_;
};

TEST_F(VideoTest, FramesReachTheChildInOrder) {
  ffmpeg_is(kKeeps);
  VideoSpec video = spec("a film.mp4");
  EXPECT_EQ(encoder_name(video.file), "ffmpeg");
  EXPECT_EQ(write_video(video), "");
  EXPECT_EQ(left(), std::vector<std::string>{"a film.mp4"});
  const std::string bytes = content(video.file);
  constexpr std::size_t kFrame = 64 * 48 * 3;
  ASSERT_EQ(bytes.size(), 7 * kFrame);
  EXPECT_NE(bytes.substr(0, kFrame), bytes.substr(kFrame, kFrame)) << "the frames show different generations";
  video.generations = 0;
  video.frames = 2;
  write_video(video);
  EXPECT_EQ(content(video.file), bytes.substr(0, kFrame) + bytes.substr(0, kFrame));
}

TEST_F(VideoTest, AFlightEndsAtItsLastStop) {
  ffmpeg_is(kKeeps);
  VideoSpec video = spec("flight.webm");
  video.scene.workspace = "mandelbrot";
  video.frames = 3;
  video.keyframes = {place({{-0.5, 0}, 3}), place({{-0.75, 0.1}, 0.1})};
  write_video(video);
  const std::string flight = content(video.file);
  video.frames = 1;
  video.keyframes = {place({{-0.75, 0.1}, 0.1})};
  write_video(video);
  EXPECT_EQ(flight.substr(flight.size() / 3 * 2), content(video.file));
}

TEST_F(VideoTest, WhatFfmpegComplainsAboutIsSaid) {
  const auto problem = [&](const char* script) {
    ffmpeg_is(script);
    try {
      write_video(spec("film.mp4"));
    } catch (const MachineError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(problem("echo 'Unknown encoder libx264' >&2\nexit 1\n").find("Unknown encoder libx264"),
            std::string::npos);
  EXPECT_NE(problem("cat > /dev/null\nexit 3\n").find("status 3"), std::string::npos);
  EXPECT_NE(problem("kill -9 $$\n").find("signal"), std::string::npos);
  EXPECT_TRUE(left().empty());
}

// The error message ends with the last line of ffmpeg's output and stays short, however long the output is.
TEST_F(VideoTest, MessagesWithoutNumberAreBounded) {
  ffmpeg_is("yes 'one more message' | head -c 20000000 >&2\necho 'the reason' >&2\nexit 1\n");
  try {
    write_video(spec("film.mp4"));
    FAIL();
  } catch (const MachineError& error) {
    const std::string said = error.what();
    EXPECT_LT(said.size(), 1000u);
    EXPECT_TRUE(said.ends_with("the reason")) << said;
    EXPECT_NE(said.find("ffmpeg failed: one more message\n"), std::string::npos)
        << "the message quotes whole lines";
  }
}

TEST_F(VideoTest, AChildThatTakesNoMoreFramesIsEnded) {
  const auto problem = [&](const std::string& script) {
    ffmpeg_is("echo $$ > '" + (folder_ / "bin/number").string() + "'\n" + script);
    VideoSpec video = spec("film.mp4");
    video.frames = 100;  // more data than the socket buffer holds
    try {
      write_video(video);
    } catch (const MachineError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(problem("exec <&-\nsleep 1000\n").find("stopped reading frames and does not exit"),
            std::string::npos);
  EXPECT_NE(problem("exec <&-\necho 'no room' >&2\nsleep 0.1\nexit 1\n").find("no room"), std::string::npos);
  EXPECT_TRUE(group_ends(folder_ / "bin/number"));
  EXPECT_TRUE(left().empty());
}

// Cancelling ends ffmpeg and its child processes, even if it blocks or ignores SIGTERM.
TEST_F(VideoTest, AChildThatStandsStillEndsWhenTheFilmIsCancelled) {
  const fs::path number = folder_ / "bin/number";
  const std::string begin =
      "echo $$ > '" + number.string() + ".new'\nmv '" + number.string() + ".new' '" + number.string() + "'\n";
  for (const std::string script : {"sleep 1000\n", "trap '' TERM\nsleep 1000 & sleep 1000\n",
                                   "cat > /dev/null\nsleep 1000\n", "yes 'one more message' >&2\n"}) {
    fs::remove(number);
    ffmpeg_is((script.starts_with("trap") ? "trap '' TERM\n" : "") + begin + script);
    VideoSpec video = spec("film.mp4");
    video.frames = script.starts_with("cat") ? 1 : 100;  // the others do not read their input
    ProgressMonitor watch;
    std::jthread cancels([&](const std::stop_token& ended) {
      while (!fs::exists(number) && !ended.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // ffmpeg is blocked by now
      watch.cancel();
    });
    const auto begin_of = std::chrono::steady_clock::now();
    EXPECT_THROW(write_video(video, &watch), OperationCancelled) << script;
    EXPECT_LT(std::chrono::steady_clock::now() - begin_of, std::chrono::seconds(10)) << script;
    EXPECT_TRUE(group_ends(number)) << script;
    EXPECT_TRUE(left().empty()) << script;
  }
}

TEST_F(VideoTest, LinksModesAndPipesStay) {
  ffmpeg_is(kKeeps);
  VideoSpec video = spec("film.mp4");
  write_video(video);
  const std::string bytes = content(video.file);
  fs::permissions(video.file, fs::perms::owner_read | fs::perms::owner_write);
  std::ofstream(video.file, std::ios::trunc) << "old";
  const fs::path link = folder_ / "link.mp4";
  fs::create_symlink("film.mp4", link);
  write_video(spec("link.mp4"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(video.file), bytes);
  EXPECT_EQ(fs::status(video.file).permissions(), fs::perms::owner_read | fs::perms::owner_write);

  const fs::path pipe = folder_ / "pipe.mp4";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(write_video(spec("pipe.mp4")), InputError) << "the pipe has no reader";
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_video(spec("pipe.mp4"));  // fits into the pipe's buffer
  std::string read(bytes.size() + 1, ' ');
  const ssize_t count = ::read(reader, read.data(), read.size());
  close(reader);
  read.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(read, bytes);
}

TEST_F(VideoTest, CancelledLeavesNothing) {
  for (const char* script : {kKeeps, ""}) {
    fs::remove(folder_ / "bin/ffmpeg");
    ffmpeg_is(script);
    ProgressMonitor watch;
    watch.cancel();
    EXPECT_THROW(write_video(spec("film.mp4"), &watch), OperationCancelled);
    EXPECT_TRUE(left().empty());
  }
}

TEST_F(VideoTest, WithoutFfmpegThereAreNumberedPictures) {
  ffmpeg_is("");
  const VideoSpec video = spec("my film.mp4");
  EXPECT_NE(encoder_name(video.file).find("ffmpeg is not installed"), std::string::npos);
  const std::string said = write_video(video);
  EXPECT_NE(said.find("7 images"), std::string::npos) << said;
  EXPECT_NE(said.find("ffmpeg -framerate 25 -i '"), std::string::npos) << said;
  EXPECT_NE(said.find("my film-frames/%05d.png'"), std::string::npos) << said;
  for (int i = 1; i <= 7; ++i) {
    const auto image = render::read_png(folder_ / fmt::format("my film-frames/{:05}.png", i));
    EXPECT_EQ(image.size, (glm::ivec2{64, 48}));
  }
  EXPECT_THROW(write_video(video), InputError) << "the folder already exists";
  EXPECT_TRUE(fs::exists(folder_ / "my film-frames/00007.png"));
}

TEST_F(VideoTest, WhatIsNoFilmIsRefused) {
  for (const char* name : {"film", "film.avi", "film.mp4.txt"})
    EXPECT_THROW(check(spec(name)), InputError) << name;
  for (const char* name : {"film.MP4", "film.mkv", "film.GIF", "film.PNG"})
    EXPECT_NO_THROW(check(spec(name))) << name;
  VideoSpec video = spec("film.mp4");
  video.format.size = {63, 48};
  EXPECT_THROW(check(video), InputError);
  video.format.size = {8194, 48};
  EXPECT_THROW(check(video), InputError);
  video = spec("film.mp4");
  video.frames = 0;
  EXPECT_THROW(check(video), InputError);
  video = spec("film.mp4");
  video.format.frames_per_second = 121;
  EXPECT_THROW(check(video), InputError);
}

}  // namespace
}  // namespace loom::app::video
