#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compute/engine/watch.h"

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
  /// For a program that writes the content itself: the new file, open; nothing where the target is written
  /// through.
  std::optional<int> descriptor() const { return through_ ? std::nullopt : std::optional(descriptor_); }
  /// Waits until the disk has it all. Nothing is written afterwards.
  void commit();

 private:
  void open_target();
  void open_beside();
  void give_name();
  void keep_permissions();
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path file_;     ///< as it was named
  std::filesystem::path target_;   ///< behind its links
  std::filesystem::path partial_;  ///< the new content's name beside the target; empty while it has none
  int descriptor_ = -1;
  bool through_ = false;  ///< the target itself is open
};

/// All of a file in one go. Throws as OutputFile does, and Cancelled: then what was there before stays.
void write_file(const std::filesystem::path& file, std::string_view bytes, const Watch* watch = nullptr);

/// Asked before anything is computed, so that a mistyped folder or a missing permission costs no time; writes
/// nothing. Throws as OutputFile does, naming the option.
void check_can_be_written(std::string_view option, const std::filesystem::path& file);

/// Throws InputError where the file is there already and may not be replaced; `remedy` is how it could be.
void check_may_replace(const std::filesystem::path& file, bool replace, std::string_view remedy = "--force");

/// Options with the files they name; an empty name is none. Throws InputError where two of them are the same
/// file by whatever spelling, since one would be lost.
void check_different_files(std::initializer_list<std::pair<std::string_view, std::filesystem::path>> outputs);

}  // namespace loom::app
