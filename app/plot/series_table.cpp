#include "app/plot/series_table.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "app/bench/statistics.h"

namespace loom::app::plot {
namespace {

using bench::Entry;
constexpr const char* kBase = "bounding-box";

/// Places the known maps in the order of the papers and others behind them.
int rank_of(const std::string& map) {
  if (map == kBase) return 0;
  if (map == "lambda") return 1;
  return map == "compact" ? 2 : 3;
}

bool comes_before(const Line& a, const Line& b) {
  return std::make_tuple(rank_of(a.key.map), a.key.map, a.key.variant, a.key.block) <
         std::make_tuple(rank_of(b.key.map), b.key.map, b.key.variant, b.key.block);
}

/// Which parts of a method differ between entries, and so belong into the names of lines. The arithmetic and
/// the halo change neither memory nor threads, and the intra-block mapping changes no memory: those lines are
/// one.
struct Varying {
  std::set<std::string> arithmetics;
  std::set<std::string> intra_blocks;
  std::set<bool> halos;

  Varying(const std::vector<const Entry*>& entries, Kind kind) {
    const bool timed = kind == Kind::kTime || kind == Kind::kSpeedup;
    for (const Entry* entry : entries) {
      if (!entry->arithmetic) continue;
      if (timed) arithmetics.insert(*entry->arithmetic);
      if (kind != Kind::kMemory) intra_blocks.insert(entry->intra_block);
      if (timed && entry->halo) halos.insert(*entry->halo);
    }
  }

  std::string variant(const Entry& entry) const {
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (entry.arithmetic && arithmetics.size() > 1) add(*entry.arithmetic);
    if (entry.arithmetic && intra_blocks.size() > 1) add(entry.intra_block);
    if (entry.halo && halos.size() > 1) add(*entry.halo ? "halo" : "no halo");
    return text;
  }
};

double value_of(const Entry& entry, Kind kind) {
  const bench::Measured& measured = *entry.measured;
  switch (kind) {
    case Kind::kMemory:
      return static_cast<double>(measured.bytes_held);
    case Kind::kEfficiency:
      return measured.threads_launched == 0 ? 0
                                            : static_cast<double>(measured.threads_active) /
                                                  static_cast<double>(measured.threads_launched);
    case Kind::kSpeedup:
    case Kind::kTime:
      break;
  }
  return measured.milliseconds.median;
}

/// Every line at every level, repeats as their median.
std::vector<Line> collect(const std::vector<const Entry*>& entries, Kind kind) {
  const Varying varying(entries, kind);
  using Key = std::tuple<std::string, std::string, std::uint32_t>;
  std::map<Key, std::map<int, std::vector<double>>> samples;
  for (const Entry* entry : entries) {
    samples[{entry->map, varying.variant(*entry), entry->block}][entry->level].push_back(
        value_of(*entry, kind));
  }
  std::vector<Line> lines;
  for (const auto& [key, levels] : samples) {
    Line line{{std::get<0>(key), std::get<1>(key), std::get<2>(key)}, {}};
    for (const auto& [level, values] : levels) {
      const double value = bench::summarise(values).median;
      if (value > 0) line.values[level] = value;
    }
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end(), comes_before);
  return lines;
}

/// Puts the lines of a method into one: `join` takes the value so far and the next one of a level.
template <typename Join>
std::vector<Line> join_blocks(const std::vector<Line>& lines, Join&& join) {
  std::vector<Line> joined;
  for (const Line& line : lines) {
    if (joined.empty() || joined.back().key.method() != line.key.method()) {
      joined.push_back({{line.key.map, line.key.variant, 0}, {}});
    }
    for (const auto& [level, value] : line.values) {
      const auto [at, is_new] = joined.back().values.emplace(level, value);
      if (!is_new) at->second = join(at->second, value);
    }
  }
  return joined;
}

/// Whether a method's lines agree wherever several have a value.
bool agree(const std::vector<Line>& lines) {
  std::map<int, double> values;
  for (const Line& line : lines) {
    for (const auto& [level, value] : line.values) {
      if (values.emplace(level, value).first->second != value) return false;
    }
  }
  return true;
}

std::vector<Line> join_equal(const std::vector<Line>& lines) {
  std::vector<Line> result;
  for (auto begin = lines.begin(); begin != lines.end();) {
    const auto end = std::find_if(begin, lines.end(),
                                  [&](const Line& line) { return line.key.method() != begin->key.method(); });
    std::vector<Line> method(begin, end);
    if (method.size() > 1 && agree(method)) {
      method = join_blocks(method, [](double value, double) { return value; });
    }
    result.insert(result.end(), method.begin(), method.end());
    begin = end;
  }
  return result;
}

/// Maps whose only lines hold the same values become one line with both names.
std::vector<Line> join_maps(std::vector<Line> lines) {
  std::vector<Line> result;
  for (Line& line : lines) {
    const bool same = !result.empty() && line.key.block == 0 && result.back().key.block == 0 &&
                      line.key.variant.empty() && result.back().key.variant.empty() &&
                      result.back().values == line.values;
    if (same) {
      result.back().key.map += " and " + line.key.map;
    } else {
      result.push_back(std::move(line));
    }
  }
  return result;
}

/// Times into ratios to the bounding box at the same block size and level.
std::vector<Line> ratios(const std::vector<Line>& times) {
  std::map<std::pair<std::uint32_t, int>, double> base;
  for (const Line& line : times) {
    if (line.key.map != kBase) continue;
    for (const auto& [level, ms] : line.values) base[{line.key.block, level}] = ms;
  }
  std::vector<Line> lines;
  for (const Line& line : times) {
    if (line.key.map == kBase) continue;
    Line ratio{line.key, {}};
    for (const auto& [level, ms] : line.values) {
      const auto box = base.find({line.key.block, level});
      if (box != base.end()) ratio.values[level] = box->second / ms;
    }
    if (!ratio.values.empty()) lines.push_back(std::move(ratio));
  }
  return lines;
}

}  // namespace

std::vector<Line> make_lines(const std::vector<const Entry*>& entries, Kind kind, bool best) {
  std::vector<Line> lines = collect(entries, kind);
  if (best) {
    const bool higher_is_better = kind == Kind::kEfficiency;
    lines = join_blocks(
        lines, [&](double a, double b) { return higher_is_better ? std::max(a, b) : std::min(a, b); });
  }
  if (kind == Kind::kSpeedup) return ratios(lines);
  return kind == Kind::kTime ? lines : join_maps(join_equal(lines));
}

}  // namespace loom::app::plot
