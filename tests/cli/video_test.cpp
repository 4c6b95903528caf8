#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

namespace fs = std::filesystem;

/// Images and videos of the real program, in a temporary folder.
class FilmProgram : public tests::FolderTest {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::recursive_directory_iterator(folder_), {}));
  }
  static Outcome without_ffmpeg(const std::string& line) {
    return run_program_in([] { setenv("PATH", "/nowhere", 1); }, words(line));
  }
  void refused(const std::string& line, const std::string& wanted) const {
    const Outcome outcome = run_program(words(line));
    EXPECT_EQ(outcome.status, 2) << line;
    EXPECT_EQ(outcome.err_lines().size(), 1u);
    EXPECT_NE(outcome.err.find(wanted), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), 0u);
  }
};

TEST_F(FilmProgram, PlainPicturesCarryTheirScene) {
  const Outcome shot = run_program(
      words("shot --plain --backend cpu --level 7 --steps 5 --seed 3 --size 300x200 --json --out " +
            path("a.png")));
  ASSERT_EQ(shot.status, 0) << shot.err;
  EXPECT_EQ(shot.json()["generation"], 5);
  EXPECT_EQ(shot.json()["bytes"], fs::file_size(path("a.png")));
  const Outcome life = run_program(words("life --backend cpu --level 7 --steps 5 --seed 3 --json"));
  const Outcome opened = run_program(words("life --backend cpu --steps 0 --json --open " + path("a.png")));
  ASSERT_EQ(opened.status, 0) << opened.err;
  EXPECT_EQ(opened.json()["hash"], life.json()["hash"]);
}

// 134 million pixels, which the program must render in parts.
TEST_F(FilmProgram, PlainPicturesTakeLittleMemory) {
  const Outcome shot = run_program(
      words("shot --plain --backend cpu --level 4 --steps 0 --size 32768x4096 --out " + path("wide.png")));
  EXPECT_EQ(shot.status, 0) << shot.err;
  std::ifstream file(path("wide.png"), std::ios::binary);
  std::string head(24, ' ');
  file.read(head.data(), 24);
  EXPECT_EQ(head.substr(16), std::string("\0\0\x80\0\0\0\x10\0", 8));
}

TEST_F(FilmProgram, WhatIsNoPictureIsRefused) {
  const std::string shot = "shot --backend cpu --level 5 --out " + path("a.png") + " ";
  refused(shot + "--plain --size 32769x10", "32768");
  refused(shot + "--size 16385x10", "16384");
  refused(shot + "--plain --region 4,4,4,9", "X less than X2");
  refused(shot + "--plain --region 1,2,3", "--region");
  refused(shot + "--plain --region 1,2,3,9 --zoom 2", "--zoom");
  refused(shot + "--plain --zoom 0", "--zoom");
}

TEST_F(FilmProgram, WithoutFfmpegTheFramesAreNumbered) {
  const Outcome film = without_ffmpeg(
      "video --backend cpu --level 5 --size 64x48 --fps 10 --seconds 0.5 --json --out " + path("life.mp4"));
  ASSERT_EQ(film.status, 0) << film.err;
  EXPECT_EQ(film.json()["frames"], 5);
  EXPECT_NE(film.json()["made_by"].get<std::string>().find("not installed"), std::string::npos);
  EXPECT_TRUE(fs::exists(path("life-frames/00005.png")));
  EXPECT_FALSE(fs::exists(path("life-frames/00006.png")));
}

// The command that is printed, as a shell passes it on. In ffmpeg's names of numbered images %% is a percent
// sign and %05d the number; a name that begins with a dash is an option, one with a colon a protocol.
TEST_F(FilmProgram, TheCommandThatJoinsTheFramesTakesAnyName) {
  write("ffmpeg", "#!/bin/sh\nfor word; do echo \"$word\"; done\n");
  fs::permissions(path("ffmpeg"), fs::perms::owner_all);
  struct Names {
    std::string out, images, video;
  };
  for (const Names& names : {Names{"100%.mp4", "100%%-frames/%05d.png", "100%.mp4"},
                             Names{"50%d.png", "50%%d-frames/%05d.png", "50%d.mp4"},
                             Names{"-x.mp4", "./-x-frames/%05d.png", "./-x.mp4"},
                             Names{"a:b.MKV", "./a:b-frames/%05d.png", "./a:b.MKV"},
                             Names{"two words.gif", "two words-frames/%05d.png", "two words.gif"}}) {
    std::vector<std::string> line =
        words("video --backend cpu --level 4 --seconds 0.4 --fps 10 --size 64x64");
    line.push_back("--out=" + names.out);
    const Outcome film = run_program_in(
        [&] {
          setenv("PATH", "/nowhere", 1);
          if (chdir(folder_.c_str()) != 0) _exit(99);
        },
        line);
    ASSERT_EQ(film.status, 0) << film.err;
    const std::string command = film.out.substr(film.out.find(": ffmpeg ") + 2);
    ASSERT_EQ(std::system(("cd " + folder_.string() + " && PATH=.:$PATH && " +
                           command.substr(0, command.size() - 1) + " > said")
                              .c_str()),
              0)
        << command;
    const std::string said = tests::content_of(path("said"));
    EXPECT_NE(said.find("\n-i\n" + names.images + "\n"), std::string::npos) << said;
    EXPECT_TRUE(said.ends_with("\n" + names.video + "\n")) << said;
  }
}

TEST_F(FilmProgram, FfmpegMakesWhatItsNameSays) {
  const char* const folders = std::getenv("PATH");
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0 || folders == nullptr)
    GTEST_SKIP() << "ffmpeg is not installed";
  for (const char* name : {"flight.MP4", "flight.webm", "flight.mkv", "flight.gif"}) {
    const Outcome film = run_program(
        words("video --backend cpu --workspace mandelbrot --dwell 64 --size 96x64 --fps 10 --seconds 0.6 "
              "--to -0.75,0.1,0.1 --to 0.3,0,0.5 --json --out " +
              path(name)));
    ASSERT_EQ(film.status, 0) << film.err;
    EXPECT_EQ(film.json()["made_by"], "ffmpeg");
    const std::string probe =
        "test \"$(ffprobe -v error -count_frames -select_streams v -show_entries "
        "stream=width,height,nb_read_frames -of csv=p=0 " +
        path(name) + ")\" = 96,64,6";
    EXPECT_EQ(std::system(probe.c_str()), 0) << name;
  }
  EXPECT_EQ(files(), 4u);
  const Outcome again = run_program(words("video --backend cpu --level 3 --out " + path("flight.MP4")));
  EXPECT_EQ(again.status, 2) << "an existing file must not be overwritten";
}

// A fake ffmpeg sends the signal to the program and then hangs.
TEST_F(FilmProgram, ASignalEndsAFilmWhoseFfmpegStandsStill) {
  fs::create_directories(path("bin"));
  const auto film_with = [&](const std::string& script) {
    std::ofstream(path("bin/ffmpeg")) << "#!/bin/sh\necho $$ > " << path("bin/number") << "\n" << script;
    fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
    const std::string folder = path("bin");
    return run_program_in(
        [&] {
          setenv("PATH", (folder + ":/usr/bin:/bin").c_str(), 1);
          alarm(60);
        },
        words("video --backend cpu --level 5 --size 640x480 --seconds 2 --out " + path("life.mp4")));
  };
  EXPECT_EQ(film_with("kill -TERM $PPID\nexec sleep 1000\n").status, 143);
  EXPECT_EQ(film_with("kill -INT $PPID\nexec sleep 1000\n").status, 130);
  EXPECT_EQ(film_with("kill -TERM $PPID\nexec yes >&2\n").status, 143);
  pid_t number = 0;
  std::ifstream(path("bin/number")) >> number;
  ASSERT_GT(number, 0);
  EXPECT_NE(kill(number, 0), 0) << "ffmpeg still runs";
  const Outcome failed = film_with("exec <&-\necho 'no such encoder' >&2\nexit 1\n");
  EXPECT_EQ(failed.status, 3);
  EXPECT_NE(failed.err.find("no such encoder"), std::string::npos) << failed.err;
  fs::remove_all(path("bin"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(FilmProgram, WhatIsNoFilmIsRefused) {
  const std::string film = "video --backend cpu --level 5 --out " + path("a.mp4") + " ";
  refused(film + "--size 63x64", "even sides");
  refused(film + "--size 8194x64", "8192");
  refused(film + "--fps 0", "--fps");
  refused(film + "--to 0,0,1", "--workspace mandelbrot");
  refused(film + "--workspace mandelbrot", "--level has no effect here");
  refused("video --backend cpu --workspace mandelbrot --to 0,0 --out " + path("a.mp4"), "--to");
  refused("video --backend cpu --level 5 --out " + path("a.avi"),
          "allowed: .mp4, .mkv, .webm, .gif, or .png");
  refused("video --backend cpu --level 5 --out " + path("none/a.mp4"), "--out");
}

}  // namespace
}  // namespace loom::test
