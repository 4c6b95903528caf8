#include "app/bench/summary_json.h"

namespace loom::app::bench {

nlohmann::ordered_json summary_json(const Summary& summary) {
  // An object from the start. A null value becomes an object by its first member; if memory runs out there,
  // the destructor of nlohmann::json treats the incomplete value as an object.
  auto json = nlohmann::ordered_json::object();
  json["median"] = summary.median;
  json["min"] = summary.min;
  json["p95"] = summary.p95;
  json["mean"] = summary.mean;
  json["noise"] = nullptr;
  if (summary.noise) json["noise"] = *summary.noise;
  json["samples"] = summary.samples;
  return json;
}

Summary read_summary(const JsonReader& json) {
  return {.median = json.milliseconds("median"),
          .min = json.milliseconds("min"),
          .p95 = json.milliseconds("p95"),
          .mean = json.milliseconds("mean"),
          .noise = json.number_or_null("noise"),
          .samples = json.whole<std::size_t>("samples")};
}

}  // namespace loom::app::bench
