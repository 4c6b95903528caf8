#pragma once

#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/perturbation/evaluator.h"

namespace loom::cuda {

/// A perturbation whose arrays are in memory of the current device too.
class DevicePerturbation {
 public:
  /// As Perturbation::prepare(); uploads the arrays if they have changed.
  void prepare(const MandelbrotConfig& config, const MandelbrotView& view, std::uint64_t available,
               ProgressMonitor* monitor, const Stream& stream) {
    const PerturbedKind kind = kind_of(config);
    if (!prepare_perturbation(host_, config, view, available, monitor) && uploaded_) return;
    uploaded_ = false;
    kind.is_double ? upload(double_arrays_, stream) : upload(float_arrays_, stream);
    stream.wait();  // the host's arrays may change from here on
    uploaded_ = true;
  }
  /// As Perturbation::prepare_twice(); uploads the arrays if they have changed.
  void prepare_twice(std::uint64_t available, const Stream& stream) {
    if (!host_.prepare_twice(available) && uploaded_twice_) return;
    uploaded_twice_ = false;
    upload(twice_arrays_, stream);
    stream.wait();
    uploaded_twice_ = true;
  }
  std::vector<std::optional<std::uint32_t>> fixed_point_dwells(const DecimalView& view,
                                                               std::span<const Coord32> pixels,
                                                               std::uint32_t limit,
                                                               const ProgressScope& call) {
    return host_.fixed_point_dwells(view, pixels, limit, call);
  }
  const PerturbationStats& stats() const { return host_.stats(); }
  std::uint64_t allocated_bytes() const {
    return bytes_of(float_arrays_) + bytes_of(double_arrays_) + bytes_of(twice_arrays_);
  }

  /// The evaluator of the prepared view for kernels.
  template <typename Real, bool kWide, bool kEstimates = false>
  Perturbed<Real, kWide, kEstimates> evaluator() const {
    auto evaluator = host_.evaluator<Real, kWide, kEstimates>();
    const Arrays<Real>& arrays = this->arrays<Real>();
    evaluator.points = arrays.points.data();
    evaluator.heads = arrays.heads.data();
    evaluator.maps = arrays.maps.data();
    evaluator.wide_heads = arrays.wide_heads.data();
    evaluator.wide_maps = arrays.wide_maps.data();
    evaluator.tiny = arrays.tiny.data();
    evaluator.series = arrays.series.data();
    if (evaluator.series_of != nullptr) evaluator.series_of = arrays.series_of.data();
    evaluator.edges = arrays.edges.data();
    return evaluator;
  }

 private:
  template <typename Real>
  struct Arrays {
    DeviceBuffer<Complex<Real>> points;
    DeviceBuffer<StepHead<Real>> heads;
    DeviceBuffer<StepMap<Real>> maps;
    DeviceBuffer<WideStepHead> wide_heads;
    DeviceBuffer<WideStepMap<Real>> wide_maps;
    DeviceBuffer<TinyValue<Real>> tiny;
    DeviceBuffer<EdgeValue<Real>> edges;
    DeviceBuffer<SeriesStep<Real>> series;
    DeviceBuffer<std::uint32_t> series_of;
  };

  template <typename T>
  static void upload(DeviceBuffer<T>& to, std::span<const T> from, const Stream& stream) {
    if (from.empty()) return;
    to.reserve(from.size());
    LOOM_CUDA(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                              stream.get()));
  }
  template <typename Real>
  void upload(Arrays<Real>& to, const Stream& stream) {
    const PerturbationTables<Real>& from = host_.tables<Real>();
    upload(to.points, host_.points<Real>(), stream);
    upload(to.heads, std::span(from.heads), stream);
    upload(to.maps, std::span(from.maps), stream);
    upload(to.wide_heads, std::span(from.wide_heads), stream);
    upload(to.wide_maps, std::span(from.wide_maps), stream);
    upload(to.tiny, std::span(from.tiny), stream);
    upload(to.edges, std::span(from.edges), stream);
    upload(to.series, std::span(from.series), stream);
    upload(to.series_of, std::span(from.series_of), stream);
  }
  template <typename Real>
  static std::uint64_t bytes_of(const Arrays<Real>& arrays) {
    return arrays.points.size() * sizeof(Complex<Real>) + arrays.heads.size() * sizeof(StepHead<Real>) +
           arrays.maps.size() * sizeof(StepMap<Real>) + arrays.wide_heads.size() * sizeof(WideStepHead) +
           arrays.wide_maps.size() * sizeof(WideStepMap<Real>) +
           arrays.tiny.size() * sizeof(TinyValue<Real>) + arrays.edges.size() * sizeof(EdgeValue<Real>) +
           arrays.series.size() * sizeof(SeriesStep<Real>) + arrays.series_of.size() * sizeof(std::uint32_t);
  }
  template <typename Real>
  const Arrays<Real>& arrays() const {
    if constexpr (std::is_same_v<Real, DoubleDouble>) {
      return twice_arrays_;
    } else if constexpr (sizeof(Real) == 4) {
      return float_arrays_;
    } else {
      return double_arrays_;
    }
  }

  Perturbation host_;
  bool uploaded_ = false;
  bool uploaded_twice_ = false;
  Arrays<float> float_arrays_;
  Arrays<double> double_arrays_;
  Arrays<DoubleDouble> twice_arrays_;
};

}  // namespace loom::cuda
