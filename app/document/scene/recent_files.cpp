#include "app/document/scene/recent_files.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

#include "app/files/folder_lock.h"
#include "app/files/output_file.h"
#include "app/files/state_folder.h"

namespace loom::app::scene {
namespace {

constexpr const char* kRecent = "recent-scenes";
constexpr const char* kLast = "last.loom";
constexpr std::size_t kMaxPath = 4096;

}  // namespace

std::vector<std::filesystem::path> recent_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = state_folder();
  if (!folder) return files;
  std::ifstream list(*folder / kRecent);
  std::string line;
  while (files.size() < kMaxRecent && std::getline(list, line) && line.size() < kMaxPath) {
    if (line.starts_with('/')) files.emplace_back(line);
  }
  return files;
}

void add_recent_file(const std::filesystem::path& file) {
  const auto folder = state_folder();
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::absolute(file, failure).lexically_normal();
  if (!folder || failure || whole.string().find('\n') != std::string::npos) return;
  std::filesystem::create_directories(*folder, failure);
  const FolderLock lock(*folder);
  auto files = recent_files();
  std::erase(files, whole);
  files.insert(files.begin(), whole);
  files.resize(std::min(files.size(), kMaxRecent));
  std::string text;
  for (const auto& one : files) text += one.string() + "\n";
  try {
    write_file(*folder / kRecent, text);
  } catch (const std::exception&) {  // the list is optional; the program continues
  }
}

std::optional<std::filesystem::path> last_scene_file() {
  const auto folder = state_folder();
  if (!folder) return std::nullopt;
  return *folder / kLast;
}

}  // namespace loom::app::scene
