#pragma once

#include <string>
#include <string_view>

#include "render/gl/object.h"

namespace loom::render {

/// A shader's source and its name for error messages.
struct ShaderSource {
  std::string_view name;
  std::string_view text;
};

/// A linked program of a vertex and a fragment shader.
class Program {
 public:
  /// Throws std::runtime_error with the shader's name and the compiler's (or linker's) log.
  Program(ShaderSource vertex, ShaderSource fragment);
  GLuint name() const { return program_.name(); }
  /// Location of an active uniform. Throws std::runtime_error if the program has no uniform of that name.
  GLint uniform(const char* name) const;

 private:
  GlObject<ProgramKind> program_;
  std::string label_;
};

}  // namespace loom::render
