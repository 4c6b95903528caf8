#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/engine/progress_monitor.h"

namespace loom::app {

/// Writes a file atomically. Until commit() the previous content stays; commit() replaces it in one step, so
/// that a reader, or a machine that loses power, has either the old or the new content, complete. Without
/// commit() nothing is left behind.
///
/// A symbolic link stays a link: its target is replaced. Permissions are kept, and so are owner and group if
/// allowed; other hard links of the file keep the old content. Character devices, pipes and links in /proc
/// (/dev/stdout) cannot be replaced and are written through. Folders, block devices, sockets and
/// write-protected files are rejected.
///
/// Every call throws InputError if the file cannot exist (no folder, no permission, a name too long), and
/// MachineError if the machine has no room for it (full disk, limit on file sizes). Messages have one line.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& file);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// The descriptor of the new file, for a program that writes the content itself; empty if the target is
  /// written through.
  std::optional<int> descriptor() const {
    return writes_through_ ? std::nullopt : std::optional(descriptor_);
  }
  /// Brings the new content to the disk, beside the target: afterwards there is room for it. Nothing may be
  /// written afterwards.
  void finish();
  /// Replaces the target, after finish().
  void commit();

 private:
  void open_target();
  void open_temporary();
  void name_temporary();
  void copy_permissions();
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path file_;     ///< name as given
  std::filesystem::path target_;   ///< after resolving links
  std::filesystem::path partial_;  ///< temporary name next to the target; empty while it has none
  int descriptor_ = -1;
  bool writes_through_ = false;  ///< the target itself is open and written through
  bool finished_ = false;
};

/// Writes a whole file atomically. Throws as OutputFile does, and OperationCancelled; the previous content
/// then stays.
void write_file(const std::filesystem::path& file, std::string_view bytes,
                const ProgressMonitor* watch = nullptr);

/// Writes all of these files, or none if there is no room for one of them. Throws as OutputFile does.
void write_files(const std::vector<std::pair<std::filesystem::path, std::string>>& files);

/// Checks before anything is computed whether the file can be written, so that a mistyped folder or a missing
/// permission is reported immediately; writes nothing. Throws as OutputFile does, and names the option.
void check_can_be_written(std::string_view option, const std::filesystem::path& file);

/// Throws InputError if the file exists and `replace` is false; `remedy` names the option that allows
/// replacing; empty: a button beside the message does.
void check_may_replace(const std::filesystem::path& file, bool replace, std::string_view remedy = "--force");

/// Takes options with their files; an empty name is ignored. Throws InputError if two of them name the same
/// file, however it is spelled.
void check_different_files(std::initializer_list<std::pair<std::string_view, std::filesystem::path>> outputs);

/// Makes a text usable as part of a file name: letters, digits, '.', '_' and '-' stay, a run of other
/// characters becomes one '-'. The result begins with neither a dot nor a dash, has 1 to kMaxPlainName bytes
/// and contains no folder.
std::string plain_file_name(std::string_view text);
inline constexpr std::size_t kMaxPlainName = 120;

/// A name that does not exist in the current folder: "stem.png", otherwise "stem-2.png" and so on.
std::string new_file_name(std::string_view stem, std::string_view extension);

/// Converts a typed name to a path: "~" is the home folder; relative names are relative to `folder`.
std::filesystem::path typed_path(const std::filesystem::path& folder, const std::string& text);

/// The same, relative to dialog_folder().
std::filesystem::path typed_path(const std::string& text);

/// The text on one line of at most `most` >= 3 bytes: control characters become blanks.
std::string one_line(std::string_view text, std::size_t most = std::string_view::npos);
/// A text as a cell of CSV, on one line. It is quoted where a spreadsheet would find a separator in it (, or
/// ;), and begins with ' where a spreadsheet would take it for a formula.
std::string csv_cell(std::string_view text);

}  // namespace loom::app
