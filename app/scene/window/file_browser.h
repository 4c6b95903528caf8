#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/scene/folder_list.h"

namespace loom::app::scene {

/// A dialog in which a file is chosen: folders and files to click on, a name to type with Tab to complete it.
class FileBrowser {
 public:
  enum class For { kOpen, kSave };
  /// What it says it is about.
  struct Words {
    const char* open = "Open a scene";
    const char* save = "Save the scene";
    const char* nothing = "No scenes in this folder";
  };
  FileBrowser() = default;
  explicit FileBrowser(const Words& words) : words_(words) {}

  /// Opens it; `name` is suggested.
  void open(For what, const std::filesystem::path& folder, const std::string& name,
            const std::vector<std::string>& endings);
  bool is_open() const { return open_; }
  For what() const { return what_; }
  /// One frame of it. The file that was chosen, once: one that is there, or that can be written; where it
  /// would replace another one, that was asked about.
  std::optional<std::filesystem::path> show();
  /// It stays open and says why what is in the file will not do.
  void refuse(const std::string& problem);
  void close() { close_ = true; }

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& name() const { return name_; }
  const std::string& problem() const { return problem_; }
  /// Where things are, for tests; empty while it is closed.
  const std::map<std::string, Area, std::less<>>& places() const { return places_; }

 private:
  void enter(const std::filesystem::path& folder);
  const char* title() const { return what_ == For::kOpen ? words_.open : words_.save; }
  void name_row();
  std::optional<std::string> entry_list();
  std::optional<std::filesystem::path> choose();

  Words words_;
  For what_ = For::kOpen;
  bool open_ = false;
  bool begin_ = false;
  bool close_ = false;
  bool select_name_ = false;
  bool focus_name_ = false;
  bool may_replace_ = false;  ///< the file is there, and that was said
  bool entered_ = false;      ///< Enter was pressed in the name
  std::filesystem::path folder_;
  std::string name_;
  std::vector<std::string> endings_;
  std::vector<FolderEntry> entries_;
  std::string problem_;
  std::map<std::string, Area, std::less<>> places_;
};

}  // namespace loom::app::scene
