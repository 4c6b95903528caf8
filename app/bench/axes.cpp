#include "app/bench/axes.h"

#include <fmt/ranges.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <set>
#include <system_error>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app::bench {
namespace {

constexpr std::string_view kInPlane = "none";

template <typename AxesOfKind, typename Value>
AxesOfKind class_of(Value AxesOfKind::*);

template <auto kMember>
auto& member_of(Axes& axes) {
  return std::get<decltype(class_of(kMember))>(axes.of).*kMember;
}

/// Reads a text into one member of the axes with a parser that depends on the text alone.
template <auto kMember, auto kParse>
void read_member(std::string_view text, const AxisContext&, Axes& axes) {
  member_of<kMember>(axes) = kParse(text);
}

template <auto kMember>
AxisField backend_axis() {
  AxisField axis{"backend", "auto", "auto, cuda, cpu, or all that work on this machine", "cpu",
                 [](std::string_view text, const AxisContext& context, Axes& axes) {
                   member_of<kMember>(axes) = parse_backends(text, context.device);
                 }};
  axis.choices = {std::string(kAutoWord), "cuda", "cpu", std::string(kAllWord)};
  return axis;
}

void read_fractals(std::string_view text, const AxisContext& context, Axes& axes) {
  MapAxes& maps = std::get<MapAxes>(axes.of);
  const bool is_own = context.custom_fractal != nullptr && text == context.custom_fractal->name();
  maps.fractals = is_own ? std::vector<NbbFractal>{*context.custom_fractal} : parse_fractals(text);
  maps.solids = is_own ? std::vector<SolidFractal>() : parse_solids(text);
}

/// Requires that the backends have been read.
void read_devices(std::string_view text, const AxisContext& context, Axes& axes) {
  MapAxes& maps = std::get<MapAxes>(axes.of);
  maps.device_list = context.device_list;
  if (maps.device_list.empty()) {
    std::vector<int>& ordinals = maps.device_list;
    for (const Device& info : cuda_status().devices) ordinals.push_back(info.ordinal);
    const auto first = std::ranges::find(ordinals, context.device);
    if (first != ordinals.end()) std::rotate(ordinals.begin(), first, first + 1);
  }
  maps.devices = parse_device_counts(text, maps.backends, maps.device_list.size());
}

template <typename Values, typename Text>
std::vector<std::string> texts_of(const Values& values, Text text) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.emplace_back(text(value));
  return texts;
}

/// An axis of names, of which kAllWord means every one.
AxisField with_names(AxisField axis, std::vector<std::string> names) {
  axis.choices = axis.all = std::move(names);
  return axis;
}
template <auto kMember, auto kValues>
AxisField names_axis(AxisField axis) {
  axis.read = [name = axis.name](std::string_view text, const AxisContext&, Axes& axes) {
    member_of<kMember>(axes) = parse_names(name, text, kValues);
  };
  return with_names(std::move(axis), texts_of(kValues, [](auto value) { return name_of(value); }));
}
/// An axis of numbers. `offered` is a text of the axis.
AxisField with_numbers(AxisField axis, std::string_view offered, RangeStep step) {
  axis.numbers = step;
  axis.choices = values_of(axis, offered);
  return axis;
}

/// The axis of a setting. `kMember` holds its values by option.
template <auto kMember, typename Settings>
AxisField setting_axis(const Field<Settings>& field, RangeStep step, const std::string& default_text) {
  std::string hint = fmt::format("{}: {}", field.purpose, fmt::join(field.names(), ", "));
  if (field.form == FieldForm::kWhole)
    hint = fmt::format("{}: {} to {}", field.purpose, field.lowest, field.highest);
  if (field.form == FieldForm::kText) hint = fmt::format("{}, joined by +", field.purpose);
  if (!field.names().empty() || step == RangeStep::kOne) hint += ", all";
  if (field.has_auto) hint += ", or auto (the fastest)";
  std::string example = default_text;
  if (field.form == FieldForm::kWhole) {
    example = fmt::format("{}..{}", std::max<std::int64_t>(field.lowest, 2),
                          std::min<std::int64_t>(field.highest, 16));
  } else if (field.names().size() > 1) {
    example = fmt::format("{},{}", field.names()[0], field.names()[1]);
  }
  AxisField axis{std::string(field.option), default_text, hint, example,
                 [&field, step](std::string_view text, const AxisContext&, Axes& axes) {
                   member_of<kMember>(axes)[std::string(field.option)] = parse_values(field, text, step);
                 }};
  axis.choices = field.names();
  if (field.form == FieldForm::kWhole) {
    axis.numbers = step;
    constexpr std::uint64_t kMostOffered = 1 << 16;
    if (step == RangeStep::kDoubling)
      axis.choices = values_of(axis, fmt::format("2..{}", std::min(field.highest, kMostOffered)));
    if (step == RangeStep::kOne && !axis.choices.empty()) axis.choices.emplace_back(kAllWord);
  } else {
    axis.all = axis.choices;
  }
  if (field.has_auto) axis.choices.emplace(axis.choices.begin(), kAutoWord);
  return axis;
}

std::vector<AxisField> map_fields() {
  AxisField fractal{"fractal", "sierpinski-gasket",
                    "Fractals of the catalogue, also three-dimensional ones; all: the two-dimensional ones",
                    "sierpinski-gasket,vicsek", read_fractals};
  fractal.all = fractal.choices = texts_of(built_in_fractals(), [](const auto& one) { return one.name(); });
  for (const SolidFractal& solid : solid_catalog()) fractal.choices.push_back(solid.name());
  std::vector<AxisField> fields = {
      fractal,
      with_numbers({"level", "0..9", "Levels, as lists and ranges such as 4,8..16", "4,8..16",
                    read_member<&MapAxes::levels, parse_levels>},
                   "0..20", RangeStep::kOne),
      names_axis<&MapAxes::maps, kMapKinds>(
          {"map",
           "all",
           "Thread maps: bounding-box, lambda, compact, or all; ratios require the bounding box",
           "bounding-box,lambda",
           {}}),
  };
  for (const MethodField& field : method_fields()) {
    if (field.option == "map") continue;
    fields.push_back(setting_axis<&MapAxes::method>(field, RangeStep::kOne, std::string(kAutoWord)));
  }
  AxisField block =
      with_numbers({"block", "all", "Tile widths, as lists such as 1,4,16, or all that a level allows",
                    "1,4,16", read_member<&MapAxes::tile_sizes, parse_tile_sizes>},
                   "1..4,8,9,16,27,32", RangeStep::kOne);
  block.choices.emplace_back(kAllWord);
  fields.push_back(block);
  fields.push_back(names_axis<&MapAxes::workloads, kWorkloads>(
      {"workload",
       "life",
       "What every thread does with its cell: single-write, reduction, life, or all",
       "reduction,life",
       {}}));
  fields.push_back(names_axis<&MapAxes::reductions, kReductionMethods>(
      {"reduction", "warp", "How reductions sum: warp, tensor, or all", "warp,tensor", {}}));
  fields.push_back(backend_axis<&MapAxes::backends>());
  fields.push_back({"devices", "1",
                    "Number of CUDA devices that share the cells, as in 1,2 or 1..4 (several require map "
                    "compact), or all: every number up to those present",
                    "1", read_devices});
  return fields;
}

DecimalView parse_center(std::string_view text) {
  return parse_decimal_view(text, DecimalView{}.width.text());
}

/// Widths of decimal views.
std::vector<std::string> parse_widths(std::string_view text) {
  std::vector<std::string> widths = parse_list("width", text);
  for (const std::string& width : widths) validate(DecimalView{.width = width});
  return widths;
}

std::vector<AxisField> mandelbrot_fields() {
  std::vector<AxisField> fields = {
      with_numbers({"size", "1024", "n of an image of n x n pixels, as in 1024..65536", "1024..65536",
                    read_member<&MandelbrotAxes::sizes, parse_sizes>},
                   "256..65536", RangeStep::kDoubling),
      {"center", "-0.5,0", "Centre of the views, RE,IM: decimal numbers with any number of digits", "0,1",
       read_member<&MandelbrotAxes::center, parse_center>},
      {"width", "2", "Widths of the views: decimal numbers", "1e-3,1e-30,1e-300",
       read_member<&MandelbrotAxes::widths, parse_widths>}};
  const MandelbrotConfig defaults;
  for (const auto& field : mandelbrot_config_fields()) {
    if (!field.in_sweep) continue;
    const std::string default_text =
        field.key == "method" ? std::string(kAllWord) : field.text(defaults).value_or("");
    fields.push_back(setting_axis<&MandelbrotAxes::fields>(field, RangeStep::kDoubling, default_text));
  }
  const auto word = [](auto value) { return name_of(value); };
  std::vector<std::string> spaces = texts_of(kVolumeSets, word);
  spaces.insert(spaces.begin(), std::string(kInPlane));
  fields.push_back(with_names(
      {"space", std::string(kInPlane),
       fmt::format("Sets in space, on cubes of n x n x n samples: {}, or all", fmt::join(spaces, ", ")),
       "mandelbulb", read_member<&MandelbrotAxes::spaces, parse_spaces>},
      spaces));
  const std::string orders = fmt::format("{}", fmt::join(texts_of(kRegionOrders, word), ", "));
  fields.push_back(names_axis<&MandelbrotAxes::orders, kRegionOrders>(
      {"order",
       std::string(name_of(kRegionOrders.front())),
       fmt::format("How the offset table of ask names a region in space: {}, or all", orders),
       "canonical,hilbert",
       {}}));
  fields.push_back(backend_axis<&MandelbrotAxes::backends>());
  return fields;
}

}  // namespace

std::span<const AxisField> axis_fields(SweepKind kind) {
  static const std::vector<AxisField> of_maps = map_fields();
  static const std::vector<AxisField> of_mandelbrot = mandelbrot_fields();
  return kind == SweepKind::kMaps ? of_maps : of_mandelbrot;
}

AxisTexts default_axes(SweepKind kind) {
  AxisTexts texts;
  for (const AxisField& field : axis_fields(kind)) texts[field.name] = field.default_text;
  return texts;
}

void override_texts(AxisTexts& lower, const AxisTexts& upper) {
  for (const auto& [name, text] : upper) {
    if (!text.empty()) lower[name] = text;
  }
}

Axes empty_axes(SweepKind kind) {
  if (kind == SweepKind::kMaps) return {MapAxes{}};
  return {MandelbrotAxes{}};
}

Axes parse_axes(SweepKind kind, const AxisTexts& texts, const AxisContext& context) {
  Axes axes = empty_axes(kind);
  for (const AxisField& field : axis_fields(kind)) {
    const auto text = texts.find(field.name);
    field.read(text == texts.end() ? std::string_view() : text->second, context, axes);
  }
  return axes;
}

namespace {

/// A longer range of levels is a typing error.
constexpr std::uint64_t kMostInRange = 1024;

/// A list of ascending numbers with ranges for three and more that follow each other.
std::string with_ranges(const std::vector<std::string>& numbers, RangeStep step) {
  const auto follows = [&](std::size_t i) {
    if (std::isdigit(static_cast<unsigned char>(numbers[i - 1][0])) == 0) return false;  // auto
    const std::uint64_t before = std::strtoull(numbers[i - 1].c_str(), nullptr, 10);
    return numbers[i] == std::to_string(step == RangeStep::kOne ? before + 1 : 2 * before);
  };
  std::string text;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin + 1;
    while (end < numbers.size() && follows(end)) ++end;
    constexpr std::size_t kShortest = 3;
    if (end - begin < kShortest) end = begin + 1;
    if (!text.empty()) text += ',';
    text += end - begin == 1 ? numbers[begin] : numbers[begin] + ".." + numbers[end - 1];
    begin = end;
  }
  return text;
}

void add_backend(std::vector<BackendSelection>& backends, const BackendSelection& backend) {
  const auto is_same = [&](const BackendSelection& other) { return other.same_device(backend); };
  if (std::none_of(backends.begin(), backends.end(), is_same)) backends.push_back(backend);
}

}  // namespace

std::vector<std::string> values_of(const AxisField& field, std::string_view text) {
  if (text == kAllWord && !field.all.empty()) return field.all;
  std::vector<std::string> values;
  try {
    for (const std::string& word : parse_list(field.name, text)) {
      if (!field.numbers || word.find("..") == std::string::npos) {
        values.push_back(word);
        continue;
      }
      constexpr std::uint64_t kLast = 1u << 31;
      const bool doubles = field.numbers == RangeStep::kDoubling;
      for (const auto number : parse_whole_numbers(field.name, word, doubles ? 1 : 0,
                                                   doubles ? kLast : kMostInRange, *field.numbers))
        values.push_back(std::to_string(number));
    }
  } catch (const InputError&) {
    return {};
  }
  return values;
}

std::string toggled(const AxisField& field, std::string_view text, const std::string& value) {
  std::vector<std::string> values = values_of(field, text);
  const auto found = std::ranges::find(values, value);
  if (found != values.end()) {
    if (values.size() == 1) return std::string(text);
    values.erase(found);
  } else {
    // What stands for every value goes with no other.
    value == kAllWord ? values.clear() : void(std::erase(values, kAllWord));
    values.push_back(value);
  }
  const auto place = [&](const std::string& one) {
    const auto number = field.numbers && std::isdigit(static_cast<unsigned char>(one[0])) != 0
                            ? std::strtoull(one.c_str(), nullptr, 10)
                            : std::uint64_t{0};
    return std::pair(number, std::ranges::find(field.choices, one) - field.choices.begin());
  };
  std::ranges::stable_sort(values, {}, place);
  if (!field.all.empty() && values.size() == field.all.size() &&
      std::ranges::is_permutation(values, field.all))
    return std::string(kAllWord);
  return field.numbers ? with_ranges(values, *field.numbers) : fmt::format("{}", fmt::join(values, ","));
}

void check_not_empty(bool empty, std::string_view axis) {
  if (empty) throw InputError(fmt::format("the sweep has no {}; allowed: at least one", axis));
}

std::vector<std::string> parse_list(std::string_view axis, std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word(text.substr(begin, end - begin));
    if (word.empty()) {
      throw InputError(
          fmt::format("{}: '{}' has an empty entry; allowed: names with single commas", axis, text));
    }
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    begin = end + 1;
  }
  return words;
}

std::vector<std::uint64_t> parse_whole_numbers(std::string_view axis, std::string_view text,
                                               std::uint64_t lowest, std::uint64_t highest, RangeStep step) {
  const auto bad = [&](std::string_view word) {
    return InputError(
        fmt::format("{}: '{}' is not allowed; allowed: whole numbers from {} to {}, as lists and ranges such "
                    "as {},{}..{}",
                    axis, word, lowest, highest, lowest, lowest + 2, std::min(lowest + 6, highest)));
  };
  const auto read = [&](std::string_view digits, std::string_view word) {
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || stop != end || value < lowest || value > highest) throw bad(word);
    return value;
  };
  std::set<std::uint64_t> values;
  for (const std::string& word : parse_list(axis, text)) {
    const std::string_view view = word;
    const std::size_t dots = view.find("..");
    const std::uint64_t first = read(view.substr(0, dots), word);
    const std::uint64_t last = dots == std::string_view::npos ? first : read(view.substr(dots + 2), word);
    if (last < first) throw bad(word);
    for (std::uint64_t value = first; value <= last; value = step == RangeStep::kOne ? value + 1 : 2 * value)
      values.insert(value);
  }
  return {values.begin(), values.end()};
}

std::vector<int> parse_levels(std::string_view text) {
  return parse_numbers<int>("level", text, 0, 63);
}

std::optional<std::vector<std::uint32_t>> parse_tile_sizes(std::string_view text) {
  if (text == kAllWord) return std::nullopt;
  return parse_numbers<std::uint32_t>("block", text, 1, 1024);
}

std::vector<std::uint32_t> parse_sizes(std::string_view text) {
  return parse_numbers<std::uint32_t>("size", text, 1, 1 << 20, RangeStep::kDoubling);
}

std::vector<NbbFractal> parse_fractals(std::string_view text) {
  if (text == kAllWord) return {built_in_fractals().begin(), built_in_fractals().end()};
  std::vector<NbbFractal> fractals;
  for (const std::string& name : parse_list("fractal", text)) {
    if (find_solid(name) == nullptr) fractals.push_back(find_fractal(name));
  }
  return fractals;
}

std::vector<SolidFractal> parse_solids(std::string_view text) {
  std::vector<SolidFractal> solids;
  if (text == kAllWord) return solids;
  for (const std::string& name : parse_list("fractal", text)) {
    if (const SolidFractal* const solid = find_solid(name)) solids.push_back(*solid);
  }
  return solids;
}

std::vector<std::optional<VolumeSet>> parse_spaces(std::string_view text) {
  std::vector<std::optional<VolumeSet>> sets;
  if (text == kAllWord) {
    sets.assign(kVolumeSets.begin(), kVolumeSets.end());
    sets.insert(sets.begin(), std::nullopt);
    return sets;
  }
  for (const std::string& name : parse_list("space", text))
    sets.push_back(name == kInPlane ? std::nullopt : std::optional(parse_choice("space", name, kVolumeSets)));
  return sets;
}

std::vector<BackendSelection> parse_backends(std::string_view text, int device) {
  std::vector<BackendSelection> backends;
  if (text == kAllWord) {
    add_backend(backends, select_backend(BackendChoice::kCpu));
    add_backend(backends, select_backend(BackendChoice::kAuto, device));
    return backends;
  }
  for (const std::string& name : parse_list("backend", text)) {
    add_backend(backends, select_backend(parse_backend(name), device));
  }
  return backends;
}

std::vector<int> parse_device_counts(std::string_view text, const std::vector<BackendSelection>& backends,
                                     std::size_t listed) {
  constexpr std::uint64_t kMaxDevices = 1024;
  const bool on_gpu = std::any_of(backends.begin(), backends.end(), [](const BackendSelection& backend) {
    return backend.device.kind == BackendKind::kCuda;
  });
  const std::size_t most = on_gpu ? std::max<std::size_t>(listed, 1) : 1;
  std::vector<int> counts;
  if (text == kAllWord) {
    for (std::size_t count = 1; count <= most; ++count) counts.push_back(static_cast<int>(count));
    return counts;
  }
  counts = parse_numbers<int>("devices", text, 1, kMaxDevices);
  if (backends.empty() || static_cast<std::size_t>(counts.back()) <= most) return counts;
  if (on_gpu) {
    throw InputError(fmt::format("{} devices requested, {} present; allowed: 1 to {}, or all", counts.back(),
                                 listed, most));
  }
  const auto automatic = [](const BackendSelection& backend) { return backend.reason.starts_with("auto"); };
  if (std::any_of(backends.begin(), backends.end(), automatic))
    throw MachineError(fmt::format("no CUDA device ({})", cuda_status().reason));
  throw InputError(
      "the CPU backend is one device; allowed: --backend cuda or auto, or --devices 1 (several CPUs: "
      "processes of mpirun)");
}

}  // namespace loom::app::bench
