#include <stdexcept>

#include "gl_fixture.h"
#include "render/gl/object.h"

namespace loom::render {
namespace {

constexpr std::string_view kVertex = "#version 450 core\nvoid main() { gl_Position = vec4(0); }\n";
constexpr std::string_view kFragment =
    "#version 450 core\nuniform vec4 tint;\nout vec4 colour;\nvoid main() { colour = tint; }\n";

std::string message_of(ShaderSource vertex, ShaderSource fragment) {
  try {
    Program program(vertex, fragment);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST_F(GlTest, ProgramFindsItsUniformsAndNoOthers) {
  const Program program({"a.vert", kVertex}, {"a.frag", kFragment});
  EXPECT_GE(program.uniform("tint"), 0);
  EXPECT_THROW(program.uniform("hue"), std::runtime_error);
}

TEST_F(GlTest, ShaderThatDoesNotCompileIsNamedWithItsLog) {
  const std::string message =
      message_of({"a.vert", kVertex}, {"broken.frag", "#version 450 core\nvoid main() { x = 1; }"});
  EXPECT_EQ(message.rfind("shader broken.frag does not compile: ", 0), 0u) << message;
  EXPECT_NE(message.find('x'), std::string::npos) << message;
  take_gl_messages();
}

TEST_F(GlTest, ShadersThatDoNotLinkAreNamed) {
  const std::string message =
      message_of({"a.vert", "#version 450 core\nvoid f();\nvoid main() { f(); }"}, {"a.frag", kFragment});
  EXPECT_NE(message.find("a.vert"), std::string::npos) << message;
  take_gl_messages();
}

}  // namespace
}  // namespace loom::render
