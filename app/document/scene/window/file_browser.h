#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/document/scene/scene.h"
#include "app/gui/layout.h"

namespace loom::app::scene {

/// A dialog that selects a file: folders and files to click, and a name field with completion by Tab.
class FileBrowser {
 public:
  enum class Mode { kOpen, kSave };
  /// Texts of the dialog.
  struct Labels {
    const char* open = "Open";
    const char* save = "Save the scene";
    const char* nothing = "No scenes in this folder";
  };
  FileBrowser() = default;
  explicit FileBrowser(const Labels& words) : labels_(words) {}

  /// Opens the dialog with a suggested name. `folder`: empty for dialog_folder().
  void open(Mode what, const std::string& name, const std::vector<std::string>& extensions,
            const std::filesystem::path& folder = {});
  bool is_open() const { return open_; }
  Mode what() const { return what_; }
  /// Draws a frame. Returns the selected file once: an existing one, or one that can be written, after
  /// confirmation if it replaces a file.
  std::optional<std::filesystem::path> show();
  /// The same, and uses the file: the dialog then closes, or stays and shows why `use` failed. Returns
  /// whether it closed.
  template <typename Use>
  bool show(const Use& use) {
    const auto file = show();
    try {
      if (file) use(*file);
      if (file) close();
      return file.has_value();
    } catch (const std::runtime_error& error) {  // an invalid file, or a full disk
      show_problem(error.what());
      return false;
    }
  }
  /// Keeps the dialog open and shows a problem with the selected file.
  void show_problem(const std::string& problem);
  void close() { close_ = true; }

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& name() const { return name_; }
  const std::string& problem() const { return problem_; }
  /// Areas of the controls, for tests; empty while closed.
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }

 private:
  void enter(const std::filesystem::path& folder);
  const char* title() const { return what_ == Mode::kOpen ? labels_.open : labels_.save; }
  void name_row();
  std::optional<std::string> entry_list();
  std::optional<std::filesystem::path> choose();

  Labels labels_;
  Mode what_ = Mode::kOpen;
  bool open_ = false;
  bool begin_ = false;
  bool close_ = false;
  bool select_name_ = false;
  bool focus_name_ = false;
  bool may_replace_ = false;  ///< the file exists and the user was warned
  bool entered_ = false;      ///< Enter was pressed in the name field
  std::filesystem::path folder_;
  std::string name_;
  std::vector<std::string> extensions_;
  std::vector<FolderEntry> entries_;
  std::string problem_;
  std::map<std::string, Area, std::less<>> areas_;
};

}  // namespace loom::app::scene
