#include "app/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "compute/core/error.h"
#include "expect_cancels.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

/// Runs each test in a temporary folder.
class OutputFileTest : public tests::FolderTest {
 protected:
  fs::path old(const char* name = "a") const { return write(name, "old"); }
  static mode_t mode(const fs::path& file) {
    struct stat status {};
    stat(file.c_str(), &status);
    return status.st_mode & 07777;
  }
  template <typename Error, typename Call>
  static std::string message(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    ADD_FAILURE() << "no exception of the expected type was thrown";
    return "";
  }
};

TEST_F(OutputFileTest, TheOldContentStaysUntilTheNewIsWhole) {
  const fs::path file = old();
  {
    OutputFile out(file);
    out.write("new ");
    EXPECT_EQ(tests::content_of(file), "old");
    out.write("content");
    EXPECT_EQ(tests::content_of(file), "old");
    out.commit();
    EXPECT_EQ(tests::content_of(file), "new content");
  }
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(OutputFileTest, ACancelLeavesWhatWasThere) {
  const fs::path file = old();
  const std::string bytes((std::size_t{1} << 24) + 1, 'a');
  tests::expect_cancels(
      [&](ProgressMonitor& watch) {
        write_file(file, "old");
        write_file(file, bytes, &watch);
      },
      3);
  EXPECT_EQ(tests::content_of(file), "old");
  EXPECT_EQ(count_files(), 1u);
}

// An attacker with write access to the folder can guess the name of the temporary file and create a link
// there.
TEST_F(OutputFileTest, ALinkInPlaceOfTheNewContentIsNeverFollowed) {
  const fs::path file = old();
  const fs::path victim = write("victim", "mine");
  const auto guess = [&](int number) {
    return folder_ / fmt::format(".fractal-loom.{}.{}.partial", getpid(), number);
  };
  int planted = 0;
  for (; planted < 3; ++planted) fs::create_symlink(victim, guess(planted));
  write_file(file, "new");
  EXPECT_EQ(tests::content_of(file), "new");
  EXPECT_FALSE(fs::is_symlink(file));
  // A dangling link must not be followed either.
  for (; planted < 100; ++planted) fs::create_symlink(folder_ / "made", guess(planted));
  EXPECT_THROW(write_file(file, "newer"), InputError);
  EXPECT_EQ(tests::content_of(file), "new");
  EXPECT_EQ(tests::content_of(victim), "mine");
  EXPECT_FALSE(fs::exists(folder_ / "made"));
  for (int i = 0; i < planted; ++i) EXPECT_TRUE(fs::is_symlink(guess(i))) << i;
}

TEST_F(OutputFileTest, WhatIsNotCommittedNeverWas) {
  const fs::path file = old();
  {
    OutputFile out(file);
    out.write("new");
    OutputFile other(folder_ / "b");
    other.write("new");
  }
  EXPECT_EQ(tests::content_of(file), "old");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(OutputFileTest, TwoAtATimeDoNotMix) {
  OutputFile one(folder_ / "a");
  OutputFile two(folder_ / "a");
  one.write("one");
  two.write("two");
  one.commit();
  EXPECT_EQ(tests::content_of(folder_ / "a"), "one");
  two.commit();
  EXPECT_EQ(tests::content_of(folder_ / "a"), "two");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(OutputFileTest, PermissionsStay) {
  const fs::path file = old();
  chmod(file.c_str(), 0640);
  write_file(file, "new");
  EXPECT_EQ(mode(file), 0640u);
  const mode_t before = umask(027);
  write_file(folder_ / "b", "new");
  umask(before);
  EXPECT_EQ(mode(folder_ / "b"), 0640u);
}

TEST_F(OutputFileTest, LinksStay) {
  const fs::path file = old();
  fs::create_directory(folder_ / "inner");
  fs::create_symlink("../a", folder_ / "inner" / "link");
  fs::create_symlink("inner/link", folder_ / "link");
  write_file(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "inner" / "link"));
  EXPECT_EQ(tests::content_of(file), "new");

  fs::create_symlink("later", folder_ / "ahead");
  write_file(folder_ / "ahead", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "ahead"));
  EXPECT_EQ(tests::content_of(folder_ / "later"), "new");

  fs::create_symlink("round", folder_ / "round");
  message<InputError>([&] { write_file(folder_ / "round", "new"); });
}

TEST_F(OutputFileTest, ALongNameIsAsGoodAsAnother) {
  const fs::path file = folder_ / std::string(255, 'n');
  write_file(file, "new");
  EXPECT_EQ(tests::content_of(file), "new");
  message<InputError>([&] { write_file(folder_ / std::string(256, 'n'), "new"); });
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(OutputFileTest, DevicesAndPipesAreWrittenThrough) {
  write_file("/dev/null", "new");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_NE(message<MachineError>([] { write_file("/dev/full", "new"); }).find("/dev/full"),
            std::string::npos);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));

  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(message<InputError>([&] { write_file(pipe, "new"); }).find("no reader"), std::string::npos);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  check_can_be_written("--out", pipe);
  {
    OutputFile out(pipe);
    out.write("new");
    char bytes[8] = {};
    EXPECT_EQ(read(reader, bytes, sizeof bytes), 3);
    EXPECT_STREQ(bytes, "new");
    close(reader);
    // Without a reader, a write must fail with an error, not with SIGPIPE.
    message<InputError>([&] { out.write("more"); });
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(OutputFileTest, AnOpenFileOfProcIsWrittenThrough) {
  const fs::path file = folder_ / "a";
  const int opened = open(file.c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
  struct stat before {};
  fstat(opened, &before);
  write_file("/proc/self/fd/" + std::to_string(opened), "new");
  struct stat after {};
  stat(file.c_str(), &after);
  close(opened);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(tests::content_of(file), "new");
}

TEST_F(OutputFileTest, WhatIsNoFileIsRefused) {
  message<InputError>([&] { write_file(folder_, "new"); });
  message<InputError>([&] { write_file(folder_ / "none" / "a", "new"); });
  message<InputError>([&] { write_file(old() / "a", "new"); });
  message<InputError>([&] { write_file("", "new"); });
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strcpy(name.sun_path, "s");
  const fs::path here = fs::current_path();
  fs::current_path(folder_);  // a socket's name must be short
  const int at = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(at, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  fs::current_path(here);
  message<InputError>([&] { write_file(folder_ / "s", "new"); });
  close(at);
  EXPECT_TRUE(fs::is_socket(folder_ / "s"));
  EXPECT_EQ(count_files(), 2u);
}

TEST_F(OutputFileTest, WriteProtectionHolds) {
  const fs::path file = old();
  chmod(file.c_str(), 0440);
  // Root can write everywhere, so drop its privileges for this test.
  constexpr uid_t kSomebody = 65534;
  const bool root = geteuid() == 0;
  if (root) {
    ASSERT_EQ(chown(folder_.c_str(), kSomebody, 0) + chown(file.c_str(), kSomebody, 0), 0);
    ASSERT_EQ(seteuid(kSomebody), 0);
  }
  message<InputError>([&] { write_file(file, "new"); });
  message<InputError>([&] { check_can_be_written("--out", file); });
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  message<InputError>([&] { write_file(folder_ / "b", "new"); });
  message<InputError>([&] { check_can_be_written("--out", folder_ / "b"); });
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(tests::content_of(file), "old");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(OutputFileTest, ASizeLimitLeavesTheOldFile) {
  const fs::path file = old();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{4096, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string said = message<MachineError>([&] { write_file(file, std::string(100'000, 'n')); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(said.find("too large"), std::string::npos) << said;
  EXPECT_EQ(tests::content_of(file), "old");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(OutputFileTest, AFolderThatGoesMeanwhileIsAnInputError) {
  fs::create_directory(folder_ / "inner");
  OutputFile out(folder_ / "inner" / "a");
  out.write("new");
  fs::remove_all(folder_ / "inner");
  EXPECT_NE(message<InputError>([&] { out.commit(); }).find("does not exist"), std::string::npos);
}

TEST_F(OutputFileTest, CheckingWritesNothing) {
  check_can_be_written("--out", folder_ / "a");
  EXPECT_EQ(count_files(), 0u);
  check_can_be_written("--out", old());
  EXPECT_EQ(tests::content_of(folder_ / "a"), "old");
  EXPECT_NE(message<InputError>([&] { check_can_be_written("--out", folder_ / "none" / "a"); }).find("--out"),
            std::string::npos);
}

TEST_F(OutputFileTest, OneFileHasManySpellings) {
  fs::create_directory(folder_ / "inner");
  fs::create_symlink("inner", folder_ / "other");
  fs::create_symlink("../a", folder_ / "inner" / "link");
  const fs::path a = folder_ / "a";
  const auto refused = [&](const fs::path& one, const fs::path& two) {
    const std::string said = message<InputError>([&] {
      check_different_files({{"--x", one}, {"--y", two}});
    });
    EXPECT_NE(said.find("--x and --y"), std::string::npos) << one << " " << two << " " << said;
  };
  for (const bool there : {false, true}) {
    if (there) old();
    refused(a, folder_ / "." / "a");
    refused(a, folder_ / "inner" / ".." / "a");
    refused(a, folder_ / "inner" / "link");
    refused(folder_ / "inner" / "b", folder_ / "other" / "b");
    EXPECT_NO_THROW(check_different_files({{"--x", a}, {"--y", folder_ / "b"}}));
    EXPECT_NO_THROW(check_different_files({{"--x", a}, {"--y", folder_ / "inner" / "a"}}));
  }
  fs::create_hard_link(a, folder_ / "hard");
  refused(a, folder_ / "hard");
  EXPECT_NO_THROW(check_different_files({{"--x", ""}, {"--y", ""}}));
  EXPECT_NO_THROW(check_different_files({{"--x", "/dev/null"}, {"--y", "/dev/null"}}));
}

TEST_F(OutputFileTest, AFileThatIsThereIsReplacedOnlyOnRequest) {
  EXPECT_NO_THROW(check_may_replace(folder_ / "a", false));
  const fs::path file = old();
  EXPECT_NE(message<InputError>([&] { check_may_replace(file, false, "please"); }).find("please"),
            std::string::npos);
  EXPECT_NO_THROW(check_may_replace(file, true));
  EXPECT_NO_THROW(check_may_replace("/dev/null", false));
  EXPECT_THROW(check_may_replace(folder_, true), InputError);
}

}  // namespace
}  // namespace loom::app
