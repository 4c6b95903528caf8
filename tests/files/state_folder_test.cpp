#include "app/files/state_folder.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "compute/core/error.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

/// Redirects the three state folders to a temporary folder.
class StateFolderTest : public testing::Test {
 protected:
  void SetUp() override { use(folder_.path()); }
  void TearDown() override {
    for (const char* const name : kNames) unsetenv(name);
  }
  void use(const std::filesystem::path& home) {
    for (const char* const name : kNames) setenv(name, home.c_str(), 1);
  }

  static constexpr const char* kNames[] = {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"};
  tests::TemporaryFolder folder_;
};

TEST_F(StateFolderTest, DialogsBeginWhereTheLastOneEnded) {
  const std::filesystem::path home = folder_.path() / "home";
  const std::filesystem::path last = folder_.path() / "last";
  std::filesystem::create_directories(home);
  std::filesystem::create_directories(last);
  setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(dialog_folder(), home);
  std::filesystem::create_directories(home / "Documents");
  EXPECT_EQ(dialog_folder(), home / "Documents");
  remember_folder(last / "scene.loom");
  EXPECT_EQ(dialog_folder(), last);
  std::filesystem::remove(last);
  EXPECT_EQ(dialog_folder(), home / "Documents") << "that folder is gone";
}

TEST_F(StateFolderTest, HasNoProblemWhereFoldersCanBeMade) {
  use(folder_.path() / "not" / "made" / "yet");
  EXPECT_EQ(saving_problem(), "");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "not")) << "the check must not create folders";
}

TEST_F(StateFolderTest, NamesWhatCannotBeSaved) {
  const std::filesystem::path file = folder_.path() / "file";
  std::ofstream(file) << "no folder";
  setenv("XDG_CONFIG_HOME", file.c_str(), 1);
  EXPECT_EQ(saving_problem(), "Not saved in this session: settings (" + file.string() + ": is not a folder)");
  use(file);
  EXPECT_EQ(saving_problem(),
            "Not saved in this session: settings, bookmarks and palettes, last scene and lesson progress (" +
                file.string() + ": is not a folder)");
}

TEST_F(StateFolderTest, AFullDiskIsFoundBeforeSomethingIsLost) {
  EXPECT_EQ(write_problem(folder_.path()), "");
  // A limit of file sizes makes the same call fail as a full disk does.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit none{0, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &none);
  const std::string why = write_problem(folder_.path());
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(why, folder_.path().string() + ": File too large");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "the check must leave nothing";
}

TEST_F(StateFolderTest, WithoutHomeItIsThatOfTheUser) {
  for (const char* const name : kNames) unsetenv(name);
  const char* const home = std::getenv("HOME");
  const std::string before = home != nullptr ? home : "";
  unsetenv("HOME");
  const auto folder = state_folder();
  if (home != nullptr) setenv("HOME", before.c_str(), 1);
  const passwd* const user = getpwuid(geteuid());
  const std::filesystem::path wanted = user != nullptr ? user->pw_dir : "/";
  EXPECT_EQ(folder, wanted / ".local/state/fractal-loom");
}

TEST_F(StateFolderTest, SaysWhyAFolderCannotBeMade) {
  const std::filesystem::path file = folder_.path() / "file";
  std::ofstream(file) << "no folder";
  try {
    write_state_file(file / "fractal-loom" / "places.json", "{}");
    FAIL() << "the file was written";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), (file / "fractal-loom").string() + ": Not a directory");
  }
}

TEST_F(StateFolderTest, NamesTheSizeOfAFileThatIsTooLarge) {
  const std::filesystem::path file = folder_.path() / "large";
  std::ofstream(file) << std::string(11, 'x');
  EXPECT_EQ(read_state_file(file, 11)->size(), 11u);
  try {
    read_state_file(file, 10);
    FAIL() << "the file was read";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), file.string() + ": has 11 bytes; allowed: up to 10");
  }
}

}  // namespace
}  // namespace loom::app
