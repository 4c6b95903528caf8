#include "app/document/scene/long_strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "app/bench/json_document.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;

/// Position of the quote that ends the string starting at `begin`, or the end of the text if there is none.
std::size_t end_of_text(std::string_view text, std::size_t begin) {
  for (std::size_t end = text.find('"', begin); end != std::string_view::npos;
       end = text.find('"', end + 1)) {
    std::size_t escapes = 0;
    while (end - escapes > begin && text[end - escapes - 1] == '\\') ++escapes;
    if (escapes % 2 == 0) return end;
  }
  return text.size();
}

/// Whether the list at `place` contains the marks of all parts in order.
bool all_words_found(const Json& document, const char* place, std::size_t parts) {
  const Json::json_pointer list(place);
  if (!document.contains(list) || !document[list].is_array()) return false;
  std::size_t next = 0;
  for (const Json& one : document[list]) {
    const auto part =
        one.is_string() ? index_of_placeholder(one.get_ref<const std::string&>()) : std::nullopt;
    if (part && *part != next++) return false;
  }
  return next == parts;
}

}  // namespace

ExtractedStrings extract_long_strings(std::string_view text, const ProgressMonitor* watch) {
  ExtractedStrings extracted;
  std::size_t kept = 0;  // text before this index is already in the rest
  for (std::size_t at = text.find('"'); at != std::string_view::npos;) {
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    const std::size_t begin = at + 1;
    const std::size_t end = end_of_text(text, begin);
    const std::string_view inside = text.substr(begin, end - begin);
    if (end < text.size() && inside.size() >= kLongString && inside.find('\\') == std::string_view::npos) {
      extracted.rest += text.substr(kept, begin - kept);
      extracted.rest += fmt::format("\\u0000{}", extracted.parts.size());
      extracted.parts.push_back(inside);
      kept = end;
    }
    at = end < text.size() ? text.find('"', end + 1) : std::string_view::npos;
  }
  extracted.rest += text.substr(kept);
  return extracted;
}

Json parse_with_extracted(std::string_view text, const char* place, ExtractedStrings& extracted,
                          const ProgressMonitor* watch) {
  constexpr bench::JsonLimits kLimits;
  extracted = extract_long_strings(text, watch);
  try {
    Json document = bench::parse_json(extracted.rest, kLimits, watch);
    if (extracted.parts.empty() || all_words_found(document, place, extracted.parts.size())) return document;
  } catch (const InputError&) {
    // Parse the whole text again for an exact error message, unless it is too long.
    if (extracted.parts.empty() || text.size() > kLimits.bytes) throw;
  }
  extracted.parts.clear();
  return bench::parse_json(text, kLimits, watch);
}

std::optional<std::size_t> index_of_placeholder(std::string_view text) {
  if (text.size() < 2 || text.front() != '\0') return std::nullopt;
  std::size_t part = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, part);
  if (error != std::errc() || rest != end) return std::nullopt;
  return part;
}

}  // namespace loom::app::scene
