#include "app/explain/diagram/memory_access_diagram.h"

#include <fmt/format.h>

#include <array>

#include "app/text/format.h"

namespace loom::app::diagram {
namespace {

using explain::Buffer;
using explain::MemoryRequest;

const char* name_of(Buffer buffer) {
  switch (buffer) {
    case Buffer::kCurrent:
      return "this generation";
    case Buffer::kNext:
      return "the next generation";
    case Buffer::kPositionTable:
      return "table of tile cells";
    case Buffer::kHaloList:
      return "list of halo cells";
    case Buffer::kShared:
      return "shared memory";
  }
  return "";
}

std::vector<std::string> row_of(const MemoryRequest& request) {
  std::string sectors = "–";
  std::string used;
  if (request.buffer == Buffer::kShared) {
    used = request.bank_conflicts() == 0 ? "no conflicts"
                                         : fmt::format("{} bank conflicts", request.bank_conflicts());
  } else {
    sectors = std::to_string(request.sectors());
    used = fmt::format("{} / {} B", request.bytes_requested(), request.sectors() * explain::kSectorBytes);
  }
  return {request.name,
          std::move(sectors),
          std::move(used),
          std::to_string(request.lanes()),
          fmt::format("{} B", request.width),
          name_of(request.buffer)};
}

std::string address(const std::optional<std::uint64_t>& byte) {
  return byte ? format_count(*byte) : "–";
}

float requests(Diagram& diagram, float y, const explain::WarpMemoryAccess& access) {
  Table table{.name = "requests",
              .titles = {"request", "sectors", "requested / transferred", "lanes", "width", "memory"}};
  const auto add = [&](const std::vector<MemoryRequest>& some) {
    for (const MemoryRequest& request : some) table.rows.push_back(row_of(request));
  };
  add(access.before);
  for (const explain::WarpRound& round : access.rounds) add(round.requests);
  add(access.after);
  return draw_table(diagram, {0.3f, y}, table);
}

float lanes(Diagram& diagram, float y, const explain::WarpRound& round) {
  Table table{.name = "lanes",
              .titles = {"lane", "cell", "writes", "above left", "above", "above right", "left", "itself",
                         "right", "below left", "below", "below right"}};
  for (std::size_t lane = 0; lane < round.lanes.size(); ++lane) {
    const explain::LaneWork& work = round.lanes[lane];
    std::vector<std::string> row{std::to_string(lane)};
    if (!work.thread) {
      row.push_back("no thread");
    } else if (!work.works()) {
      row.push_back("idle");
    } else {
      row.push_back(format_pair(work.thread->cell.x, work.thread->cell.y));
    }
    row.push_back(work.works() ? address(work.thread->address) : "–");
    for (const auto& byte : work.around) row.push_back(address(byte));
    table.rows.push_back(std::move(row));
  }
  return draw_table(diagram, {0.3f, y}, table);
}

std::string words_of(const explain::GlobalTraffic& traffic, const char* what) {
  return fmt::format("{}: {:.2f} sectors/request, {} of the transferred bytes were requested", what,
                     traffic.sectors_per_request(), format_percent(traffic.requested_fraction()));
}

}  // namespace

Diagram memory_access_diagram(const explain::WarpMemoryAccess& access,
                              const std::optional<explain::LaunchTraffic>& launch) {
  constexpr float kWidth = 60;
  Diagram diagram;
  float y = 0;
  const auto title = [&](const std::string& text) {
    diagram.text(
        {.at = {0, y}, .text = text, .paint = ColourRole::kAccent, .size = 1.15f, .face = FontFace::kBold});
    y += Diagram::kLine * 1.15f + 0.2f;
  };
  title(fmt::format("Warp {} of thread block {}: requests per step", access.number,
                    format_pair(access.thread_block.x, access.thread_block.y)));
  y = requests(diagram, y, access);
  const explain::WarpTraffic traffic = access.traffic();
  if (traffic.cells_read.requests > 0)
    y = draw_wrapped(diagram, {0, y}, kWidth, words_of(traffic.cells_read, "Reads"));
  y = draw_wrapped(diagram, {0, y}, kWidth, words_of(traffic.cells_written, "Writes"));
  if (launch) {
    const std::string of = launch->exact
                               ? "all warps of the launch"
                               : fmt::format("{} random warps of the launch", format_count(launch->warps));
    y = draw_wrapped(diagram, {0, y + 0.3f}, kWidth, fmt::format("Average over {}:", of), ColourRole::kMuted);
    if (launch->sum.cells_read.requests > 0) {
      y = draw_wrapped(diagram, {0, y}, kWidth, words_of(launch->sum.cells_read, "Reads"));
    }
    y = draw_wrapped(diagram, {0, y}, kWidth, words_of(launch->sum.cells_written, "Writes"));
  }
  y = draw_wrapped(diagram, {0, y + 0.3f}, kWidth,
                   "Computed analytically for the CUDA kernel. Excludes: loads of the tables of the map.",
                   ColourRole::kMuted);
  for (std::size_t round = 0; round < access.rounds.size(); ++round) {
    y += 0.6f;
    title(access.rounds.size() == 1
              ? "Lanes: byte offsets of written and neighbouring cells"
              : fmt::format("Lanes in tile {} of {}: byte offsets of written and neighbouring cells",
                            round + 1, access.rounds.size()));
    y = lanes(diagram, y, access.rounds[round]);
  }
  return diagram;
}

}  // namespace loom::app::diagram
