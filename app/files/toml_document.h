#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {

/// Parses TOML of limited nesting. Throws InputError "FILE:LINE: not TOML: why; allowed: `allowed`".
inline toml::table parse_toml(std::string_view text, const std::string& file, std::string_view allowed) {
  check_toml_nesting(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: not TOML: {}; allowed: {}", file, error.source().begin.line,
                                 shown(error.description()), allowed));
  }
}

/// Reads the tables of a document. Its errors are InputError "FILE:LINE: what is wrong".
class TomlReader {
 protected:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }
  static std::size_t line_of(const toml::node& node) { return node.source().begin.line; }
  [[noreturn]] void fail(std::size_t line, std::string_view what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line, what));
  }
  [[noreturn]] void fail(const toml::node& node, std::string_view what) const { fail(line_of(node), what); }
  /// The result of `read`, whose InputError is one of this node.
  template <typename Read>
  auto read_at(const toml::node& node, const Read& read) const {
    try {
      return read();
    } catch (const InputError& error) {
      fail(node, error.what());
    }
  }
  /// Fails at the first unknown key in the file. `where`: "a lesson".
  void allow(const toml::table& table, const std::vector<std::string_view>& keys,
             std::string_view where) const {
    const toml::key* first = nullptr;  // tables are sorted by key
    for (const auto& [key, value] : table) {
      if (std::ranges::find(keys, key.str()) != keys.end()) continue;
      if (first == nullptr || key.source().begin.line < first->source().begin.line) first = &key;
    }
    if (first != nullptr)
      fail(first->source().begin.line, fmt::format("unknown key '{}' in {}; allowed: {}", shown(first->str()),
                                                   where, fmt::join(keys, ", ")));
  }
  /// A key that is true or false; `missing`, if the table lacks it.
  bool flag(const toml::table& table, std::string_view key, bool missing) const {
    const toml::node* const node = table.get(key);
    if (node != nullptr && !node->is_boolean())
      fail(*node, fmt::format("{} is not allowed; allowed: true, false", key));
    return node == nullptr ? missing : *node->value<bool>();
  }

 private:
  std::string file_;
};

}  // namespace loom::app
