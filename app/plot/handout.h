#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loom::app::plot {

/// A step of a lesson on paper.
struct HandoutStep {
  std::string title;
  std::string text;
  int width = 0;  ///< of the picture, in pixels; 0: no picture
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height bytes, rows from the top
  std::string question;           ///< empty: none
  std::vector<std::string> choices;
  std::string unit;      ///< after the answer
  std::string solution;  ///< printed if not empty
};

struct Handout {
  std::string title;
  std::string summary;
  std::vector<HandoutStep> steps;
};

/// An A4 document with one step after the other, each beside its picture. A question is followed by its
/// choices or a line for the answer. Returns the bytes of a PDF. Throws InputError if Cairo fails.
std::string handout_pdf(const Handout& handout);

}  // namespace loom::app::plot
