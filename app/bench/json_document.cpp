#include "app/bench/json_document.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Iterator over a text for the parser. It polls for cancellation every kBetweenPolls characters, so that a
/// request takes effect within about a millisecond whatever the text contains, and throws OperationCancelled.
class PolledText {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  PolledText() = default;
  PolledText(const char* at, const ProgressMonitor* watch) : at_(at), watch_(watch) {}
  reference operator*() const { return *at_; }
  PolledText& operator++() {
    constexpr std::uint32_t kBetweenPolls = 1 << 14;  // characters
    ++at_;
    if (++passed_ % kBetweenPolls == 0) check_cancel(watch_);
    return *this;
  }
  PolledText operator++(int) {
    const PolledText before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const PolledText& a, const PolledText& b) { return a.at_ == b.at_; }

 private:
  const char* at_ = nullptr;
  const ProgressMonitor* watch_ = nullptr;
  std::uint32_t passed_ = 0;  ///< counted, because polling by address would differ between calls
};

/// Checks the limits of a document from parser events. It stores only counts.
class JsonLimitChecker final : public nlohmann::json_sax<Json> {
 public:
  JsonLimitChecker(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (++members_.back() <= kMaxJsonMembers) return true;
    throw InputError(fmt::format("an object has too many members, at '{}'; allowed: up to {}", shown(name),
                                 kMaxJsonMembers));
  }

  bool parse_error(std::size_t byte, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr)
      throw InputError(fmt::format("it contains a number out of range, {}", shown(token)));
    if (byte > text_.size())
      throw InputError(fmt::format("it is not valid JSON: it ends too early, after {} bytes", text_.size()));
    throw InputError(fmt::format("it is not valid JSON: damaged at byte {} of {}", byte, text_.size()));
  }

 private:
  bool value() {
    if (++values_ > limits_.values)
      throw InputError(fmt::format("it contains too many values; allowed: up to {}", limits_.values));
    return true;
  }
  bool open() {
    members_.push_back(0);
    if (members_.size() > static_cast<std::size_t>(limits_.depth))
      throw InputError(
          fmt::format("its lists and objects are nested too deeply; allowed: up to {}", limits_.depth));
    return value();
  }
  bool close() {
    members_.pop_back();
    return true;
  }

  std::string_view text_;
  const JsonLimits& limits_;
  std::size_t values_ = 0;
  std::vector<std::size_t> members_;  ///< members so far of each open object or list
};

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits, const ProgressMonitor* watch) {
  if (text.size() > limits.bytes)
    throw InputError(fmt::format("it has {} bytes; allowed: up to {}", text.size(), limits.bytes));
  check_cancel(watch);
  const PolledText begin(text.data(), watch);
  const PolledText end(text.data() + text.size(), watch);
  JsonLimitChecker inspection(text, limits);
  Json::sax_parse(begin, end, &inspection);
  return Json::parse(begin, end);
}

}  // namespace loom::app::bench
