#include <gtest/gtest.h>

#include <cstdlib>

#include "app/files/output_file.h"

namespace loom::app {
namespace {

TEST(TypedPath, IsRelativeToTheFolderAndKnowsTheHome) {
  setenv("HOME", "/home/of/this/test", 1);
  EXPECT_EQ(typed_path("/a/b", "c.loom"), "/a/b/c.loom");
  EXPECT_EQ(typed_path("/a/b", "../c.loom"), "/a/c.loom");
  EXPECT_EQ(typed_path("/a/b", "/c.loom"), "/c.loom");
  EXPECT_EQ(typed_path("/a/b", "~/c.loom"), "/home/of/this/test/c.loom");
  EXPECT_EQ(typed_path("/a/b", "~c.loom"), "/a/b/~c.loom") << "a file name that only starts with ~";
  setenv("XDG_STATE_HOME", "/none", 1);
  EXPECT_EQ(typed_path("c.loom"), "/home/of/this/test/c.loom") << "not in the working directory";
}

}  // namespace
}  // namespace loom::app
