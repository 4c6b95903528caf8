#include "app/plot/wrap.h"

#include <sstream>

namespace loom::app::plot {

std::vector<std::string> wrap(Canvas& canvas, const std::string& text, const TextStyle& style, double width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.empty() ? word : lines.back() + " " + word;
    if (lines.empty() || canvas.text_width(longer, style) > width) {
      lines.push_back(word);
    } else {
      lines.back() = longer;
    }
  }
  return lines;
}

}  // namespace loom::app::plot
