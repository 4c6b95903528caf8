#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace loom::test {

inline std::string content_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace loom::test
