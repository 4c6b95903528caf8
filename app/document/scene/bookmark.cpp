#include "app/document/scene/bookmark.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "app/bench/json_document.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBookmarksFormat = "fractal-loom places";
constexpr int kBookmarksVersion = 1;

Json bookmark_json(const Bookmark& one) {
  Json json{{"name", one.name}, {"workspace", one.workspace}};
  json.update(one.place);
  json["thumbnail"] = to_base64(one.thumbnail.rgb);
  return json;
}

const WorkspaceFormat& format_of(std::string_view workspace, const std::string& where, Formats formats) {
  try {
    return find_format(formats, workspace);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

Bookmark read_bookmark(const JsonReader& json, const std::string& where, Formats formats) {
  const auto wrong = [&](std::string_view what) { return InputError(fmt::format("{} {}", where, what)); };
  Bookmark one{.name = json.text("name"), .workspace = json.text("workspace"), .place = {}};
  if (one.name.size() > kMaxBookmarkName) throw wrong("has a name that is too long");
  one.place = format_of(one.workspace, where, formats).read_place(json);
  auto rgb = from_base64(json.text("thumbnail"));
  if (!rgb || (!rgb->empty() && rgb->size() != Thumbnail::kBytes))
    throw wrong("has a thumbnail of the wrong size");
  one.thumbnail.rgb = std::move(*rgb);
  return one;
}

}  // namespace

Json to_json(const std::vector<Bookmark>& bookmarks) {
  Json list = Json::array();
  for (const Bookmark& one : bookmarks) list.push_back(bookmark_json(one));
  return list;
}

std::vector<Bookmark> read_bookmarks(const Json& list, std::string_view where, Formats formats) {
  if (list.size() > kMaxBookmarks)
    throw InputError(fmt::format("{} has more than {} bookmarks", where, kMaxBookmarks));
  std::vector<Bookmark> bookmarks;
  for (const Json& one : list) {
    const std::string here = fmt::format("{}[{}]", where, bookmarks.size());
    bookmarks.push_back(read_bookmark(JsonReader(one, here), here, formats));
  }
  return bookmarks;
}

std::string text_of(const std::vector<Bookmark>& bookmarks) {
  const Json json{
      {"format", kBookmarksFormat}, {"version", kBookmarksVersion}, {"places", to_json(bookmarks)}};
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::vector<Bookmark> read_bookmark_text(std::string_view text, Formats formats) {
  const Json document = bench::parse_json(text, {});
  const bool is_one =
      document.is_object() && document.contains("format") && document["format"] == kBookmarksFormat;
  if (!is_one) throw InputError("it contains no bookmarks of Fractal Loom");
  const JsonReader json(document, "places");
  if (json.whole<int>("version") != kBookmarksVersion)
    throw InputError("it was written by another version of the program");
  return read_bookmarks(json.array("places"), "places", formats);
}

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < 3; ++byte)
      bits = bits << 8 | (byte < group.size() ? static_cast<unsigned char>(group[byte]) : 0u);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= group.size() ? kDigits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char digit : text.substr(0, text.find('='))) {
    const std::size_t value = kDigits.find(digit);
    if (value == kDigits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count >= 8) bytes += static_cast<char>(bits >> (bit_count -= 8) & 255);
  }
  if (to_base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace loom::app::scene
