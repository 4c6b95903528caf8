#include "app/bench/results_json.h"

#include <fmt/format.h>

#include <optional>

#include "app/bench/json_reader.h"
#include "app/bench/mandelbrot_json_entry.h"
#include "app/bench/summary_json.h"
#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view kFormatFamily = "fractal-loom bench ";

Json to_json(const Machine& machine) {
  Json json;
  json["cpu"] = machine.cpu;
  json["threads"] = machine.threads;
  json["gpus"] = Json::array();
  for (const Gpu& gpu : machine.gpus) {
    json["gpus"].push_back({{"device", gpu.device},
                            {"name", gpu.name},
                            {"compute_capability", gpu.compute_capability},
                            {"multiprocessors", gpu.multiprocessors},
                            {"bytes", gpu.bytes}});
  }
  json["cuda_driver"] = machine.cuda_driver;
  json["cuda_runtime"] = machine.cuda_runtime;
  json["nvidia_smi"] = machine.nvidia_smi;
  return json;
}

void add_measured(Json& json, const Entry& entry) {
  const Measured& measured = *entry.measured;
  json["step_ms"] = summary_json(measured.milliseconds);
  json["generations_per_sample"] = measured.generations_per_sample;
  json["limited"] = measured.limited;
  json["blocks_launched"] = measured.blocks_launched;
  json["threads_launched"] = measured.threads_launched;
  json["threads_active"] = measured.threads_active;
  json["bytes_held"] = measured.bytes_held;
  json["bytes_moved"] = measured.bytes_moved;
  json["cells_per_second"] = cells_per_second(entry);
  json["bytes_per_second"] = bytes_per_second(entry);
}

Json to_json(const Entry& entry) {
  Json json;
  add_config(json, entry);
  json["width"] = entry.width;
  json["height"] = entry.height;
  json["cells"] = entry.cells;
  json["workload"] = entry.workload;
  json["reduction"] = entry.reduction ? Json(*entry.reduction) : Json();
  json["backend"] = entry.backend;
  json["device"] = entry.device;
  json["repeat"] = entry.repeat;
  if (entry.measured) {
    add_measured(json, entry);
  } else {
    json["skipped"] = entry.skipped;
  }
  return json;
}

Machine read_machine(const JsonReader& json) {
  Machine machine;
  machine.cpu = json.text("cpu");
  machine.threads = json.whole<int>("threads");
  for (const Json& item : json.array("gpus")) {
    const JsonReader gpu(item, "machine.gpus[]");
    machine.gpus.push_back({gpu.whole<int>("device"), gpu.text("name"), gpu.text("compute_capability"),
                            gpu.whole<int>("multiprocessors"), gpu.whole<std::uint64_t>("bytes")});
  }
  machine.cuda_driver = json.text("cuda_driver");
  machine.cuda_runtime = json.text("cuda_runtime");
  for (const Json& line : json.array("nvidia_smi")) {
    if (!line.is_string()) throw InputError("machine.nvidia_smi[] is not a text");
    machine.nvidia_smi.push_back(line.get<std::string>());
  }
  return machine;
}

Measured read_measured(const JsonReader& json) {
  return {.milliseconds = read_summary(json.object("step_ms")),
          .generations_per_sample = json.whole<std::uint32_t>("generations_per_sample"),
          .limited = json.yes_no("limited"),
          .blocks_launched = json.whole<std::uint64_t>("blocks_launched"),
          .threads_launched = json.whole<std::uint64_t>("threads_launched"),
          .threads_active = json.whole<std::uint64_t>("threads_active"),
          .bytes_held = json.whole<std::uint64_t>("bytes_held"),
          .bytes_moved = json.whole<std::uint64_t>("bytes_moved")};
}

Entry read_entry(const JsonReader& json) {
  Entry entry;
  entry.fractal = json.text("fractal");
  entry.level = json.whole<int>("level");
  entry.width = json.whole<std::uint64_t>("width");
  entry.height = json.whole<std::uint64_t>("height");
  entry.cells = json.whole<std::uint64_t>("cells");
  entry.map = json.text("map");
  entry.block = json.whole<std::uint32_t>("block");
  if (!json.is_null("halo")) entry.halo = json.yes_no("halo");
  if (!json.is_null("arithmetic")) entry.arithmetic = json.text("arithmetic");
  entry.intra_block = json.text("intra_block");
  entry.workload = json.text("workload");
  // Files from before there were tiles and reductions have neither.
  if (json.has("tiles")) entry.tiles = json.whole<std::uint32_t>("tiles");
  if (json.has("reduction") && !json.is_null("reduction")) entry.reduction = json.text("reduction");
  entry.backend = json.text("backend");
  entry.device = json.whole<int>("device");
  entry.repeat = json.whole<int>("repeat");
  if (json.has("skipped")) {
    entry.skipped = json.text("skipped");
  } else {
    entry.measured = read_measured(json);
  }
  return entry;
}

void check_format(const Json& json) {
  const bool has_format = json.is_object() && json.contains("format") && json["format"].is_string();
  const std::string format = has_format ? json["format"].get<std::string>() : "";
  if (!format.starts_with(kFormatFamily)) {
    throw InputError(
        fmt::format("not a results file of fractal-loom bench; allowed: format \"{}\"", kResultsFormat));
  }
  if (format != kResultsFormat) {
    throw InputError(
        fmt::format("of another version, \"{}\"; this program reads \"{}\"", format, kResultsFormat));
  }
}

Results read_document(const Json& json) {
  check_format(json);
  const JsonReader reader(json, "the document");
  Results results;
  results.program = reader.text("program");
  results.commit = reader.text("commit");
  results.date = reader.text("date");
  results.machine = read_machine(reader.object("machine"));
  results.settings = reader.any("settings");
  // Files from before there were sweeps of the Mandelbrot set name no kind.
  if (reader.has("sweep")) results.kind = parse_sweep_kind(reader.text("sweep"));
  results.planned = reader.whole<std::uint64_t>("planned");
  results.complete = reader.yes_no("complete");
  results.interrupted = reader.yes_no("interrupted");
  const Json& entries = reader.array("configurations");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const JsonReader entry(entries[i], fmt::format("configurations[{}]", i));
    if (results.kind == SweepKind::kMandelbrot) {
      results.dwells.push_back(read_mandelbrot_entry(entry));
    } else {
      results.entries.push_back(read_entry(entry));
    }
  }
  return results;
}

}  // namespace

std::string entry_text(const Entry& entry) {
  return to_json(entry).dump();
}

std::string entry_text(const MandelbrotEntry& entry) {
  return mandelbrot_entry_json(entry).dump();
}

std::string document_text(const Results& results, const std::vector<std::string>& entry_lines) {
  Json json;
  json["format"] = kResultsFormat;
  json["program"] = results.program;
  json["commit"] = results.commit;
  json["date"] = results.date;
  json["machine"] = to_json(results.machine);
  json["sweep"] = name_of(results.kind);
  json["settings"] = results.settings;
  json["planned"] = results.planned;
  json["complete"] = results.complete;
  json["interrupted"] = results.interrupted;
  std::string text = json.dump(2);
  text.resize(text.size() - 2);  // the closing "\n}" comes after the configurations, one a line
  text += ",\n  \"configurations\": [";
  for (std::size_t i = 0; i < entry_lines.size(); ++i) {
    text += i == 0 ? "\n    " : ",\n    ";
    text += entry_lines[i];
  }
  text += entry_lines.empty() ? "]\n}\n" : "\n  ]\n}\n";
  return text;
}

std::string document_text(const Results& results) {
  std::vector<std::string> lines;
  for (const Entry& entry : results.entries) lines.push_back(entry_text(entry));
  for (const MandelbrotEntry& entry : results.dwells) lines.push_back(entry_text(entry));
  return document_text(results, lines);
}

Results parse_results(std::string_view text, std::string_view name) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw InputError(
        fmt::format("{}: not whole JSON, truncated or damaged at byte {} of {}; allowed: a results file "
                    "of fractal-loom bench",
                    name, error.byte, text.size()));
  }
  try {
    return read_document(json);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace loom::app::bench
