#include "app/document/scene/folder_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "app/files/typed_path.h"
#include "compute/core/error.h"

namespace loom::app::scene {

std::vector<FolderEntry> list_folder(const std::filesystem::path& folder,
                                     const std::vector<std::string>& extensions) {
  std::error_code failure;
  std::filesystem::directory_iterator entries(folder, failure);
  if (failure) throw InputError(fmt::format("{}: cannot be listed: {}", folder.string(), failure.message()));
  std::vector<FolderEntry> all;
  while (entries != std::filesystem::directory_iterator() && all.size() < kMaxFolderEntries) {
    std::string name = entries->path().filename().string();
    std::error_code ignored;
    const bool is_folder = entries->is_directory(ignored);
    const bool wanted =
        is_folder || extensions.empty() || std::ranges::any_of(extensions, [&](const std::string& extension) {
          return name.ends_with(extension);
        });
    if (wanted && !name.starts_with('.')) all.push_back({std::move(name), is_folder});
    entries.increment(failure);
    if (failure) break;
  }
  std::ranges::sort(all, [](const FolderEntry& a, const FolderEntry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return all;
}

std::string complete_name(const std::filesystem::path& folder, const std::string& text,
                          const std::vector<std::string>& extensions) {
  const std::size_t slash = text.rfind('/');
  const std::string before = slash == std::string::npos ? "" : text.substr(0, slash + 1);
  const std::string begun = text.substr(before.size());
  std::vector<FolderEntry> entries;
  try {
    entries = list_folder(before.empty() ? folder : typed_path(folder, before), extensions);
  } catch (const InputError&) {
    return text;
  }
  std::erase_if(entries, [&](const FolderEntry& entry) { return !entry.name.starts_with(begun); });
  if (entries.empty()) return text;
  if (entries.size() == 1) return before + entries[0].name + (entries[0].is_folder ? "/" : "");
  std::string common = entries[0].name;
  for (const FolderEntry& entry : entries) {
    const auto [end, other] = std::ranges::mismatch(common, entry.name);
    common.erase(end, common.end());
  }
  return before + common;
}

}  // namespace loom::app::scene
