#include "app/lessons/report_fields.h"

#include <algorithm>
#include <cctype>

namespace loom::app::lessons {
namespace {

bool is_digit(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  for (const char letter : pattern) {
    if (letter == '#') {
      const std::size_t begin = at;
      while (at < name.size() && is_digit(name[at])) ++at;
      if (at == begin) return false;
    } else if (at == name.size() || name[at++] != letter) {
      return false;
    }
  }
  return at == name.size();
}

}  // namespace

const ReportField* find_report_field(const ReportFields& fields, std::string_view name) {
  const auto found =
      std::ranges::find_if(fields, [&](const ReportField& field) { return matches(field.name, name); });
  return found == fields.end() ? nullptr : &*found;
}

std::string allowed_fields(const ReportFields& fields, std::string_view name) {
  std::string group(name.substr(0, name.rfind('.') + 1));
  for (std::size_t at = 0; at < group.size();) {
    std::size_t end = at;
    while (end < group.size() && is_digit(group[end])) ++end;
    if (end > at) group.replace(at, end - at, "#");
    ++at;
  }
  const auto list = [&](auto&& wanted) {
    std::string names;
    for (const ReportField& field : fields) {
      if (wanted(field)) names += (names.empty() ? "" : ", ") + field.name;
    }
    return names;
  };
  const std::string near = list([&](const ReportField& field) {
    return field.name.starts_with(group) && field.name.find('.', group.size()) == std::string::npos;
  });
  return near.empty() ? list([](const ReportField&) { return true; }) : near;
}

}  // namespace loom::app::lessons
