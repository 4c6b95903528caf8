#include "app/files/new_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace loom::app {

std::string plain_file_name(std::string_view text) {
  constexpr std::string_view kPunctuation = "._-";
  const auto is_plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPunctuation.find(c) != std::string_view::npos;
  };
  std::string name;
  bool left_out = false;
  for (const char c : text) {
    if (!is_plain(c)) {
      left_out = true;
      continue;
    }
    if (name.empty() && (c == '.' || c == '-')) continue;
    if (std::exchange(left_out, false) && !name.empty()) name += '-';
    name += c;
    if (name.size() >= kMaxPlainName) break;
  }
  return name.empty() ? "unnamed" : name;
}

std::string new_file_name(std::string_view stem, std::string_view extension) {
  constexpr int kMost = 100000;
  std::string name = std::string(stem) + std::string(extension);
  std::error_code ignored;
  for (int i = 2; i < kMost && std::filesystem::exists(std::filesystem::symlink_status(name, ignored)); ++i)
    name = std::string(stem) + "-" + std::to_string(i) + std::string(extension);
  return name;
}

}  // namespace loom::app
