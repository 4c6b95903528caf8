#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <memory>
#include <sstream>
#include <utility>

#include "app/plot/diagram_file.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

constexpr double kPixelsPerPoint = 2;  ///< resolution of a PNG

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_SURFACE_FINISHED)
    throw InputError(fmt::format("the figure cannot be drawn: {}", cairo_status_to_string(status)));
}

void set_font(cairo_t* context, diagram::Text::Face face, double size) {
  using Face = diagram::Text::Face;
  cairo_select_font_face(context, face == Face::kMono ? "DejaVu Sans Mono" : "DejaVu Sans",
                         CAIRO_FONT_SLANT_NORMAL,
                         face == Face::kBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, size);
}

double width_of(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

struct CairoPainter {
  cairo_t* context;
  double em;
  double pixels;  ///< per point; lines along the axes are aligned to them

  glm::dvec2 at(glm::vec2 place) const { return (glm::dvec2(place) + kPageBorder) * em; }
  glm::dvec2 sharp(glm::vec2 place) const { return (glm::floor(at(place) * pixels) + 0.5) / pixels; }
  void line_to(glm::dvec2 place) const { cairo_line_to(context, place.x, place.y); }
  void set(const diagram::Paint& paint) const {
    const glm::u8vec3 colour = paper_colour(paint);
    cairo_set_source_rgb(context, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
  }
  void stroke(const diagram::Paint& paint, float thickness, std::span<const float> dash = {}) const {
    set(paint);
    std::vector<double> lengths;
    for (const float length : dash) lengths.push_back(static_cast<double>(length) * em);
    cairo_set_dash(context, lengths.data(), static_cast<int>(lengths.size()), 0);
    cairo_set_line_width(context, std::max(kMinLineWidth, static_cast<double>(thickness) * em));
    cairo_stroke(context);
  }

  void operator()(const diagram::Fill& fill) const {
    set(fill.paint);
    const glm::dvec2 corner = at(fill.box.corner);
    const glm::dvec2 size = glm::dvec2(fill.box.size) * em;
    cairo_rectangle(context, corner.x, corner.y, size.x, size.y);
    // Antialiased edges would leave visible seams between adjacent rectangles.
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
    cairo_fill(context);
    cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT);
  }
  void operator()(const diagram::Frame& frame) const {
    const glm::dvec2 corner = sharp(frame.box.corner);
    const glm::dvec2 size = sharp(frame.box.end()) - corner;
    cairo_rectangle(context, corner.x, corner.y, size.x, size.y);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER);
    stroke(frame.paint, frame.thickness);
  }
  void operator()(const diagram::Text& text) const {
    set(text.paint);
    set_font(context, text.face, static_cast<double>(text.size) * em);
    const double width = text.align == diagram::Align::kLeft ? 0 : width_of(context, text.text);
    const glm::dvec2 place = at(text.at);
    cairo_move_to(context, place.x - (text.align == diagram::Align::kCentre ? width / 2 : width),
                  place.y + kBaseline * static_cast<double>(text.size) * em);
    cairo_show_text(context, text.text.c_str());
    cairo_new_path(context);  // the text leaves a current point at its end
  }
  void operator()(const diagram::Polyline& line) const {
    const auto& points = line.points;
    const bool along_axis = points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
    for (const glm::vec2& point : points) line_to(along_axis ? sharp(point) : at(point));
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    stroke(line.paint, line.thickness, line.dash);
  }
  void operator()(const diagram::Polygon& polygon) const {
    for (const glm::vec2& point : polygon.points) line_to(at(point));
    cairo_close_path(context);
    set(polygon.paint);
    cairo_fill(context);
  }
};

}  // namespace

diagram::TextWidth paper_text_width() {
  constexpr double kSize = 100;  // large, so that rounding to pixels does not matter
  const std::shared_ptr<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1),
                                                 cairo_surface_destroy);
  const std::shared_ptr<cairo_t> context(cairo_create(surface.get()), cairo_destroy);
  return [context](std::string_view text, diagram::Text::Face face) {
    set_font(context.get(), face, kSize);
    return static_cast<float>(width_of(context.get(), std::string(text)) / kSize);
  };
}

std::string paint_with_cairo(const diagram::Diagram& diagram, FigureFormat format, double text_size,
                             const std::string& title) {
  const bool pdf = format == FigureFormat::kPdf;
  const glm::dvec2 size = (glm::dvec2(diagram.size()) + 2 * kPageBorder) * text_size;
  const double pixels = pdf ? 1 : kPixelsPerPoint;
  std::string bytes;
  const std::shared_ptr<cairo_surface_t> surface(
      pdf ? cairo_pdf_surface_create_for_stream(append, &bytes, size.x, size.y)
          : cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(size.x * pixels)),
                                       static_cast<int>(std::ceil(size.y * pixels))),
      cairo_surface_destroy);
  const std::shared_ptr<cairo_t> context(cairo_create(surface.get()), cairo_destroy);
  if (pdf) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_scale(context.get(), pixels, pixels);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  const CairoPainter painter{context.get(), text_size, pixels};
  for (const auto& shape : diagram.shapes()) std::visit(painter, shape);
  check(cairo_status(context.get()));
  if (!pdf) check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

void paint_pixels(const diagram::Diagram& diagram, glm::ivec2 size, std::vector<std::uint8_t>& rgb) {
  const std::shared_ptr<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.x, size.y), cairo_surface_destroy);
  const std::shared_ptr<cairo_t> context(cairo_create(surface.get()), cairo_destroy);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  const glm::dvec2 page = glm::dvec2(diagram.size()) + 2 * kPageBorder;
  const double em = std::min(size.x / page.x, size.y / page.y);
  cairo_translate(context.get(), (size.x - page.x * em) / 2, (size.y - page.y * em) / 2);
  const CairoPainter painter{context.get(), em, 1};
  for (const auto& shape : diagram.shapes()) std::visit(painter, shape);
  check(cairo_status(context.get()));
  cairo_surface_flush(surface.get());
  const unsigned char* const bytes = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  rgb.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * 3);
  std::size_t at = 0;
  for (int y = 0; y < size.y; ++y) {
    for (int x = 0; x < size.x; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel,
                  bytes + static_cast<std::ptrdiff_t>(y) * stride + static_cast<std::ptrdiff_t>(x) * 4, 4);
      rgb[at++] = static_cast<std::uint8_t>(pixel >> 16);
      rgb[at++] = static_cast<std::uint8_t>(pixel >> 8);
      rgb[at++] = static_cast<std::uint8_t>(pixel);
    }
  }
}

namespace {

// In points: A4 and its margins.
constexpr double kPageWidth = 595.28;
constexpr double kPageHeight = 841.89;
constexpr double kMargin = 56;
constexpr double kColumn = kPageWidth - 2 * kMargin;
constexpr double kTextSize = 10.5;
constexpr double kStepTitleSize = 13;
constexpr double kLineHeight = 1.4;  // in text sizes
constexpr double kGutter = 14;       // between text and picture
constexpr double kStepGap = 18;      // between two steps, at least
constexpr double kMaxStepGap = 60;   // where the space of a page that is left is distributed
constexpr double kAnswerHeight = 2.6 * kTextSize;

/// Widths of the pictures, as fractions of the column.
constexpr double kMinPicture = 0.3;
constexpr double kMaxPicture = 0.56;
constexpr double kPictureStep = 0.02;

/// The text column of a step.
struct Column {
  double x = kMargin;
  double width = kColumn;
};

class HandoutWriter {
 public:
  HandoutWriter()
      : surface_(cairo_pdf_surface_create_for_stream(append, &bytes_, kPageWidth, kPageHeight),
                 cairo_surface_destroy),
        context_(cairo_create(surface_.get()), cairo_destroy) {}

  void set_title(const std::string& title) {
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  }

  double y() const { return y_; }
  void move_to(double y) { y_ = y; }
  void new_page() {
    page_number();
    cairo_show_page(context_.get());
    y_ = kMargin;
    ++page_;
  }
  void gap(double height) { y_ += height; }

  void paragraph(const std::string& text, double size, bool bold, const Column& column = {},
                 double indent = 0) {
    for (const std::string& line : lines_of(text, size, bold, column.width - indent)) {
      if (y_ + size * kLineHeight > kPageHeight - kMargin + 1)
        new_page();  // a step that is longer than a page
      set_font(size, bold);
      cairo_move_to(context_.get(), column.x + indent, y_ + size);
      cairo_show_text(context_.get(), line.c_str());
      y_ += size * kLineHeight;
    }
  }
  double height_of(const std::string& text, double size, bool bold, double width) {
    return static_cast<double>(lines_of(text, size, bold, width).size()) * size * kLineHeight;
  }

  void picture(const HandoutStep& step, glm::dvec2 corner, double width) {
    const double scale = width / step.width;
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
    cairo_translate(context_.get(), corner.x, corner.y);
    cairo_scale(context_.get(), scale, scale);
    cairo_set_source_surface(context_.get(), image.get(), 0, 0);
    cairo_paint(context_.get());
    cairo_restore(context_.get());
    cairo_surface_flush(surface_.get());
  }

  /// An empty box before a choice.
  void choice(const std::string& text, const Column& column) {
    cairo_set_line_width(context_.get(), 0.8);
    cairo_rectangle(context_.get(), column.x + 2, y_ + kTextSize * 0.25, kTextSize * 0.8, kTextSize * 0.8);
    cairo_stroke(context_.get());
    paragraph(text, kTextSize, false, column, kChoiceIndent);
  }
  double height_of_choice(const std::string& text, double width) {
    return height_of(text, kTextSize, false, width - kChoiceIndent);
  }

  /// A line to write the answer on.
  void answer_line(const std::string& unit, const Column& column) {
    y_ += kTextSize;
    set_font(kTextSize, false);
    cairo_move_to(context_.get(), column.x, y_ + kTextSize);
    cairo_show_text(context_.get(), "Answer:");
    const double start = column.x + 5 * kTextSize;
    const double end = start + 9 * kTextSize;
    cairo_set_line_width(context_.get(), 0.6);
    cairo_move_to(context_.get(), start, y_ + kTextSize * 1.2);
    cairo_line_to(context_.get(), end, y_ + kTextSize * 1.2);
    cairo_stroke(context_.get());
    cairo_move_to(context_.get(), end + 0.5 * kTextSize, y_ + kTextSize);
    cairo_show_text(context_.get(), unit.c_str());
    cairo_new_path(context_.get());
    y_ += kAnswerHeight - kTextSize;
  }

  std::string finish() {
    page_number();
    cairo_show_page(context_.get());
    check(cairo_status(context_.get()));
    cairo_surface_finish(surface_.get());
    check(cairo_surface_status(surface_.get()));
    return bytes_;
  }

 private:
  static constexpr double kChoiceIndent = 2 * kTextSize;

  void set_font(double size, bool bold) {
    plot::set_font(context_.get(), bold ? diagram::Text::Face::kBold : diagram::Text::Face::kPlain, size);
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
      if (width_of(context_.get(), longer) > width && !line.empty()) {
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

/// A step beside its picture, whose width is a fraction of the page's column.
class StepBlock {
 public:
  StepBlock(const HandoutStep& step, std::size_t number, double picture_width)
      : step_(step), title_(fmt::format("{}. {}", number, step.title)) {
    if (step.width < 1 || step.height < 1) return;
    picture_width_ = picture_width * kColumn;
    text_.width -= picture_width_ + kGutter;
  }

  double height(HandoutWriter& writer) const {
    double height = writer.height_of(title_, kStepTitleSize, true, text_.width) +
                    writer.height_of(step_.text, kTextSize, false, text_.width);
    if (!step_.question.empty()) {
      height += kQuestionGap + writer.height_of(step_.question, kTextSize, true, text_.width);
      for (const std::string& choice : step_.choices) height += writer.height_of_choice(choice, text_.width);
      if (step_.choices.empty()) height += kAnswerHeight;
      if (!step_.solution.empty()) height += writer.height_of(solution(), kTextSize, false, text_.width);
    }
    return std::max(height, picture_height());
  }

  void draw(HandoutWriter& writer) const {
    const double top = writer.y();
    if (picture_width_ > 0) writer.picture(step_, {kMargin + text_.width + kGutter, top + 2}, picture_width_);
    writer.paragraph(title_, kStepTitleSize, true, text_);
    writer.paragraph(step_.text, kTextSize, false, text_);
    if (!step_.question.empty()) {
      writer.gap(kQuestionGap);
      writer.paragraph(step_.question, kTextSize, true, text_);
      for (const std::string& choice : step_.choices) writer.choice(choice, text_);
      if (step_.choices.empty()) writer.answer_line(step_.unit, text_);
      if (!step_.solution.empty()) writer.paragraph(solution(), kTextSize, false, text_);
    }
    writer.move_to(std::max(writer.y(), top + picture_height()));
  }

 private:
  static constexpr double kQuestionGap = 6;
  double picture_height() const {
    return picture_width_ > 0 ? picture_width_ * step_.height / step_.width + 2 : 0;
  }
  std::string solution() const { return "Solution: " + step_.solution; }

  const HandoutStep& step_;
  std::string title_;
  double picture_width_ = 0;
  Column text_;
};

/// The first step of each page after the first one, and the gap between the steps of each page.
struct PageBreaks {
  std::vector<std::size_t> first;
  std::vector<double> gaps;
};

/// Fills pages one after the other and distributes what is left on a page between its steps.
PageBreaks break_into_pages(const std::vector<double>& heights, double top) {
  PageBreaks pages;
  double used = top;
  std::size_t gaps = 0;
  const auto end_page = [&] {
    const double left = std::max(kPageHeight - kMargin - used, 0.0);
    const double more = gaps > 0 ? left / static_cast<double>(gaps) : 0;
    pages.gaps.push_back(std::min(kStepGap + more, kMaxStepGap));
  };
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (i > 0 && used + kStepGap + heights[i] > kPageHeight - kMargin) {
      end_page();
      pages.first.push_back(i);
      used = kMargin + heights[i];
      gaps = 0;
      continue;
    }
    used += kStepGap + heights[i];
    ++gaps;
  }
  end_page();
  return pages;
}

std::vector<StepBlock> blocks_of(const Handout& handout, double picture_width) {
  std::vector<StepBlock> blocks;
  for (std::size_t i = 0; i < handout.steps.size(); ++i)
    blocks.emplace_back(handout.steps[i], i + 1, picture_width);
  return blocks;
}

}  // namespace

std::string handout_pdf(const Handout& handout) {
  HandoutWriter writer;
  writer.set_title(handout.title);
  writer.paragraph(handout.title, 18, true);
  writer.paragraph(handout.summary, kTextSize, false);
  writer.gap(6);
  writer.paragraph("Name: ______________________________    Date: ________________", kTextSize, false);
  // The largest pictures that need no more pages than the smallest ones.
  std::vector<StepBlock> blocks;
  PageBreaks pages;
  for (double width = kMinPicture; width <= kMaxPicture; width += kPictureStep) {
    std::vector<StepBlock> tried = blocks_of(handout, width);
    std::vector<double> heights;
    for (const StepBlock& block : tried) heights.push_back(block.height(writer));
    PageBreaks breaks = break_into_pages(heights, writer.y());
    if (!blocks.empty() && breaks.first.size() > pages.first.size()) break;
    blocks = std::move(tried);
    pages = std::move(breaks);
  }
  std::size_t page = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (page < pages.first.size() && pages.first[page] == i) {
      writer.new_page();
      ++page;
    } else {
      writer.gap(pages.gaps[page]);
    }
    blocks[i].draw(writer);
  }
  return writer.finish();
}

}  // namespace loom::app::plot
