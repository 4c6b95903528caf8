#include "app/plot/handout.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string_view>

#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

// In points: A4 and its margins.
constexpr double kPageWidth = 595.28;
constexpr double kPageHeight = 841.89;
constexpr double kMargin = 56;
constexpr double kColumn = kPageWidth - 2 * kMargin;
constexpr double kPictureHeight = 165;
constexpr double kTextSize = 10.5;
constexpr double kLineHeight = 1.4;  // in text sizes

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

class HandoutWriter {
 public:
  HandoutWriter()
      : surface_(cairo_pdf_surface_create_for_stream(append_bytes, &bytes_, kPageWidth, kPageHeight),
                 cairo_surface_destroy),
        context_(cairo_create(surface_.get()), cairo_destroy) {}

  void set_title(const std::string& title) {
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  }

  /// Begins a new page if less than `height` is left.
  void reserve(double height) {
    if (y_ + height <= kPageHeight - kMargin || y_ == kMargin) return;
    page_number();
    cairo_show_page(context_.get());
    y_ = kMargin;
    ++page_;
  }
  void gap(double height) { y_ += height; }

  void paragraph(const std::string& text, double size, bool bold, double indent = 0) {
    for (const std::string& line : lines_of(text, size, bold, kColumn - indent)) {
      reserve(size * kLineHeight);
      set_font(size, bold);
      cairo_move_to(context_.get(), kMargin + indent, y_ + size);
      cairo_show_text(context_.get(), line.c_str());
      y_ += size * kLineHeight;
    }
  }
  double height_of(const std::string& text, double size, bool bold) {
    return static_cast<double>(lines_of(text, size, bold, kColumn).size()) * size * kLineHeight;
  }

  void picture(const HandoutStep& step) {
    if (step.width < 1 || step.height < 1) return;
    const double scale = std::min(kColumn / step.width, kPictureHeight / step.height);
    reserve(scale * step.height);
    const int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, step.width);
    std::vector<unsigned char> rows(static_cast<std::size_t>(stride) * static_cast<std::size_t>(step.height));
    for (int y = 0; y < step.height; ++y) {
      auto* const row =
          reinterpret_cast<std::uint32_t*>(rows.data() + static_cast<std::ptrdiff_t>(y) * stride);
      const std::uint8_t* from = step.rgb.data() + static_cast<std::ptrdiff_t>(y) * step.width * 3;
      for (int x = 0; x < step.width; ++x, from += 3)
        row[x] = std::uint32_t{from[0]} << 16 | std::uint32_t{from[1]} << 8 | from[2];
    }
    const std::shared_ptr<cairo_surface_t> image(
        cairo_image_surface_create_for_data(rows.data(), CAIRO_FORMAT_RGB24, step.width, step.height, stride),
        cairo_surface_destroy);
    cairo_save(context_.get());
    cairo_translate(context_.get(), kMargin, y_);
    cairo_scale(context_.get(), scale, scale);
    cairo_set_source_surface(context_.get(), image.get(), 0, 0);
    cairo_paint(context_.get());
    cairo_restore(context_.get());
    cairo_surface_flush(surface_.get());
    y_ += scale * step.height;
  }

  /// An empty box before a choice.
  void choice(const std::string& text) {
    reserve(kTextSize * kLineHeight);
    cairo_set_line_width(context_.get(), 0.8);
    cairo_rectangle(context_.get(), kMargin + 2, y_ + kTextSize * 0.25, kTextSize * 0.8, kTextSize * 0.8);
    cairo_stroke(context_.get());
    paragraph(text, kTextSize, false, 2 * kTextSize);
  }

  /// A line to write the answer on.
  void answer_line(const std::string& unit) {
    y_ += kTextSize;
    reserve(2 * kTextSize);
    set_font(kTextSize, false);
    cairo_move_to(context_.get(), kMargin, y_ + kTextSize);
    cairo_show_text(context_.get(), "Answer:");
    const double start = kMargin + 5 * kTextSize;
    const double end = start + 16 * kTextSize;
    cairo_set_line_width(context_.get(), 0.6);
    cairo_move_to(context_.get(), start, y_ + kTextSize * 1.2);
    cairo_line_to(context_.get(), end, y_ + kTextSize * 1.2);
    cairo_stroke(context_.get());
    cairo_move_to(context_.get(), end + 0.5 * kTextSize, y_ + kTextSize);
    cairo_show_text(context_.get(), unit.c_str());
    cairo_new_path(context_.get());
    y_ += 1.6 * kTextSize;
  }

  std::string finish() {
    page_number();
    cairo_show_page(context_.get());
    check_status(cairo_status(context_.get()));
    cairo_surface_finish(surface_.get());
    check_status(cairo_surface_status(surface_.get()));
    return bytes_;
  }

 private:
  static void check_status(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_SURFACE_FINISHED)
      throw InputError(fmt::format("the handout cannot be drawn: {}", cairo_status_to_string(status)));
  }
  void set_font(double size, bool bold) {
    cairo_select_font_face(context_.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_.get(), size);
    cairo_set_source_rgb(context_.get(), 0, 0, 0);
  }
  void page_number() {
    set_font(9, false);
    cairo_move_to(context_.get(), kPageWidth / 2, kPageHeight - kMargin / 2);
    cairo_show_text(context_.get(), std::to_string(page_).c_str());
    cairo_new_path(context_.get());
  }
  std::vector<std::string> lines_of(const std::string& text, double size, bool bold, double width) {
    set_font(size, bold);
    std::vector<std::string> lines;
    std::string line;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const std::string longer = line.empty() ? word : line + " " + word;
      cairo_text_extents_t extents;
      cairo_text_extents(context_.get(), longer.c_str(), &extents);
      if (extents.x_advance > width && !line.empty()) {
        lines.push_back(line);
        line = word;
      } else {
        line = longer;
      }
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
  }

  std::string bytes_;
  std::shared_ptr<cairo_surface_t> surface_;
  std::shared_ptr<cairo_t> context_;
  double y_ = kMargin;
  int page_ = 1;
};

}  // namespace

std::string handout_pdf(const Handout& handout) {
  HandoutWriter writer;
  writer.set_title(handout.title);
  writer.paragraph(handout.title, 18, true);
  writer.paragraph(handout.summary, kTextSize, false);
  writer.gap(6);
  writer.paragraph("Name: ______________________________    Date: ________________", kTextSize, false);
  for (std::size_t i = 0; i < handout.steps.size(); ++i) {
    const HandoutStep& step = handout.steps[i];
    writer.gap(16);
    // A step's title, text, picture and question stay on one page as far as they fit.
    writer.reserve(40 + writer.height_of(step.text, kTextSize, false) + kPictureHeight +
                   writer.height_of(step.question, kTextSize, true) +
                   static_cast<double>(step.choices.size() + 3) * kTextSize * kLineHeight);
    writer.paragraph(fmt::format("{}. {}", i + 1, step.title), 13, true);
    writer.paragraph(step.text, kTextSize, false);
    writer.gap(6);
    writer.picture(step);
    if (step.question.empty()) continue;
    writer.gap(8);
    writer.paragraph(step.question, kTextSize, true);
    for (const std::string& choice : step.choices) writer.choice(choice);
    if (step.choices.empty()) writer.answer_line(step.unit);
    if (!step.solution.empty()) writer.paragraph("Solution: " + step.solution, kTextSize, false);
  }
  return writer.finish();
}

}  // namespace loom::app::plot
