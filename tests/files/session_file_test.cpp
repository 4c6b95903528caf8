#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "compute/core/error.h"
#include "temporary_folder.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::string text;
  std::getline(std::ifstream(file), text);
  return text;
}

auto text(const std::string& what) {
  return [what](const fs::path& file) { write_file(file, what); };
}

TEST(SessionFile, NoWindowWritesOverWhatAnotherOneLeft) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder.path() / "state" / "last.loom";
  SessionFile first(file);
  SessionFile second(file);
  SessionFile third(file);
  EXPECT_TRUE(first.save(text("first, early")).empty());
  EXPECT_TRUE(first.save(text("first")).empty()) << "a session must replace its own file";
  EXPECT_EQ(second.save(text("second")), std::vector{file.parent_path() / "last-2.loom"});
  EXPECT_EQ(third.save(text("third")).size(), 2u);
  EXPECT_EQ(text_of(file), "third");
  EXPECT_EQ(text_of(file.parent_path() / "last-2.loom"), "second");
  EXPECT_EQ(text_of(file.parent_path() / "last-3.loom"), "first");
  EXPECT_TRUE(SessionFile(file).save(text("next")).empty())
      << "a session that starts after the others must replace the last file";
  EXPECT_EQ(text_of(file), "next");
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 3) << "no other files may exist";
}

// After a signal, the program has six seconds in total to save and exit.
TEST(SessionFile, ALockThatSomebodyHoldsForLongDelaysItByHalfASecond) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder.path() / "last.loom";
  SessionFile last(file);
  const int held = open(folder.path().c_str(),
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // stands in for a lock of another process
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  const auto begin = std::chrono::steady_clock::now();
  last.save(text("kept"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
  close(held);
  EXPECT_EQ(text_of(file), "kept");
}

TEST(SessionFile, AreNoMoreThanItSays) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder.path() / "last.loom";
  std::vector<std::unique_ptr<SessionFile>> windows;
  for (int i = 0; i <= SessionFile::kMost; ++i) windows.push_back(std::make_unique<SessionFile>(file));
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i]->save(text(std::to_string(i)));
  EXPECT_EQ(text_of(file), std::to_string(SessionFile::kMost));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), SessionFile::kMost);
}

TEST(SessionFile, KeepsWhatWasThereIfThatWasNotTakenOver) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder.path() / "last.loom";
  SessionFile(file).save(text("drawn"));
  SessionFile next(file);
  next.keep_earlier();
  EXPECT_EQ(next.save(text("begun")), std::vector{folder.path() / "last-2.loom"});
  next.keep_earlier();
  EXPECT_TRUE(next.save(text("begun, later")).empty()) << "its own is replaced";
  EXPECT_EQ(text_of(file), "begun, later");
  EXPECT_EQ(text_of(folder.path() / "last-2.loom"), "drawn");
}

TEST(SessionFile, WhatCannotBeWrittenLeavesWhatWasThere) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder.path() / "last.loom";
  SessionFile first(file);
  SessionFile second(file);
  first.save(text("first"));
  EXPECT_THROW(second.save([](const fs::path&) { throw std::runtime_error("full"); }), std::runtime_error);
  EXPECT_EQ(text_of(file), "first");
  EXPECT_TRUE(SessionFile(std::nullopt).save(text("nowhere")).empty());
}

std::string problem_of(SessionFile& file, const std::function<void(const fs::path&)>& write) {
  try {
    file.save(write);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "saved";
}

TEST(SessionFile, SaysWhereItWouldBeAndWhyItIsNot) {
  const tests::TemporaryFolder folder;
  write_file(folder.path() / "file", "no folder");
  const fs::path nowhere = folder.path() / "file" / "fractal-loom" / "last.loom";
  SessionFile in_a_file(nowhere);
  EXPECT_EQ(problem_of(in_a_file, text("lost")), nowhere.string() + ": cannot be written: Not a directory");
  const fs::path file = folder.path() / "last.loom";
  SessionFile last(file);
  EXPECT_EQ(problem_of(last, [](const fs::path& own) { throw InputError(own.string() + ": is full"); }),
            file.string() + ": is full")
      << "its temporary name says nothing to the user";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "no temporary file remains";
}

}  // namespace
}  // namespace loom::app
