#include "app/bench/json_document.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Takes a document's events and keeps nothing of them but counts.
class Inspection final : public nlohmann::json_sax<Json> {
 public:
  Inspection(std::string_view text, const JsonLimits& limits, const Watch* watch)
      : text_(text), limits_(limits), watch_(watch) {}

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
    if (++members_.back() <= kMostJsonMembers) return true;
    throw InputError(fmt::format("an object has too many members, at '{}'; allowed: up to {}", shown(name),
                                 kMostJsonMembers));
  }

  bool parse_error(std::size_t byte, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr)
      throw InputError(fmt::format("it contains a number out of range, {}", shown(token)));
    throw InputError(
        fmt::format("it is not valid JSON: truncated or damaged at byte {} of {}", byte, text_.size()));
  }

 private:
  bool value() {
    constexpr std::size_t kBetweenLooks = 1 << 12;
    if (++values_ > limits_.values)
      throw InputError(fmt::format("it contains too many values; allowed: up to {}", limits_.values));
    if (values_ % kBetweenLooks == 0 && watch_ != nullptr && watch_->cancelled()) throw Cancelled();
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
  const Watch* watch_;
  std::size_t values_ = 0;
  std::vector<std::size_t> members_;  ///< of each object that is open, so far
};

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits, const Watch* watch) {
  if (text.size() > limits.bytes)
    throw InputError(fmt::format("it has {} bytes; allowed: up to {}", text.size(), limits.bytes));
  Inspection inspection(text, limits, watch);
  Json::sax_parse(text.begin(), text.end(), &inspection);
  return Json::parse(text.begin(), text.end());
}

}  // namespace loom::app::bench
