#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compute/engine/progress_monitor.h"

namespace loom::app {

/// A file that is being written. Until commit() what was there before stays as it is; then it is replaced in
/// one go, so that whoever reads the file, and a machine that loses power, has the old content or the new
/// one, whole. Where nothing is committed nothing is left behind.
///
/// A symbolic link stays a link: what it points at is replaced. Permissions stay, and so do owner and group
/// where that is allowed; other hard links of the file keep the old content. Character devices, pipes and
/// what /proc names (/dev/stdout) cannot be replaced and are written through; folders, block devices and
/// sockets are refused, and so is a file that may not be written.
///
/// Every call throws InputError where there can be no such file (no folder, no permission, a name too long),
/// MachineError where the machine has no room for it (a full disk, a limit on the size of files), in one
/// line.
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
  /// Replaces the target after the data is on disk. Nothing may be written afterwards.
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
};

/// All of a file in one go. Throws as OutputFile does, and OperationCancelled: then what was there before
/// stays.
void write_file(const std::filesystem::path& file, std::string_view bytes,
                const ProgressMonitor* watch = nullptr);

/// Checks before anything is computed whether the file can be written, so that a mistyped folder or a missing
/// permission is reported immediately; writes nothing. Throws as OutputFile does, and names the option.
void check_can_be_written(std::string_view option, const std::filesystem::path& file);

/// Throws InputError if the file exists and `replace` is false; `remedy` names what allows replacing.
void check_may_replace(const std::filesystem::path& file, bool replace, std::string_view remedy = "--force");

/// Takes options with their files; an empty name is ignored. Throws InputError if two of them name the same
/// file, however it is spelled.
void check_different_files(std::initializer_list<std::pair<std::string_view, std::filesystem::path>> outputs);

}  // namespace loom::app
