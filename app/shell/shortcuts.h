#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/gui/input_queue.h"
#include "app/shell/shell_settings.h"

namespace loom::app {

/// A key or mouse gesture and its action, for the list of keys.
struct KeyHelp {
  const char* keys;
  const char* meaning;
};

using KeyMatcher = std::function<bool(const KeyPress&)>;

/// A table of shortcuts that act on an edit. The same table handles key presses and fills the list of keys.
template <typename Edit>
class Shortcuts {
 public:
  void add(const char* keys, const char* meaning, KeyMatcher matches, std::function<void(Edit&)> act) {
    help_.push_back({keys, meaning});
    keys_.push_back({std::move(matches), std::move(act)});
  }
  std::span<const KeyHelp> help() const { return help_; }
  /// Runs the action of the first matching key; returns false if there is none.
  bool press(const KeyPress& press, Edit& edit) const {
    const auto at = index_of(press);
    if (at) keys_[*at].act(edit);
    return at.has_value();
  }
  /// The first matching entry of the list of keys; null if there is none.
  const KeyHelp* find(const KeyPress& press) const {
    const auto at = index_of(press);
    return at ? &help_[*at] : nullptr;
  }

 private:
  std::optional<std::size_t> index_of(const KeyPress& press) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].matches(press)) return i;
    }
    return std::nullopt;
  }
  struct Key {
    KeyMatcher matches;
    std::function<void(Edit&)> act;
  };
  std::vector<KeyHelp> help_;
  std::vector<Key> keys_;
};

/// The keys with the same meaning in every workspace. `workspaces`: number of workspaces to cycle through.
Shortcuts<ShellEdit> shell_shortcuts(std::size_t workspaces);

}  // namespace loom::app
