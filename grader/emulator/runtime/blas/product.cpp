#include "emulator/runtime/blas/product.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "common/hexadecimal.h"
#include "emulator/blas/elements.h"
#include "emulator/device/device.h"
#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {
namespace {

using blas::Gemm;
using Use = StreamedBytes::Use;

void tell_once() {
  static bool told = false;
  if (!std::exchange(told, true)) {
    explain("cuBLAS's products are computed on the host, with an H200's sums");
  }
}

// The product's work, once its stream has come to it. Where device memory does not hold what is
// asked for, it ends as a kernel that accesses such an address does.
class Run {
 public:
  explicit Run(const Product& product) : product_(product) {}

  Error perform() {
    if (take_factors() && take_matrices()) {
      note_uses();
      blas::multiply(batch_, Device::instance().host_threads());
    } else {
      FaultState::instance().fault(Error::illegal_address);
    }
    return Error::success;
  }

 private:
  // The host's view of bytes that are read or written; null where the device has no such memory.
  std::byte* view(const char* what, const void* start, std::size_t size, Use use) {
    const auto address = reinterpret_cast<std::uint64_t>(start);
    std::byte* const seen = device_memory().translate(address, size);
    if (seen == nullptr) {
      explain(std::string(product_.call) + ": " + what + ", " + std::to_string(size) +
              " bytes at " + common::hexadecimal(address) +
              ", is not all device memory; at its start: " + device_memory().describe(address));
    } else {
      used_.push_back({address, size, use});
    }
    return seen;
  }

  bool take_number(const char* what, const void* start, blas::Type type, double& number) {
    const std::byte* const seen = view(what, start, size_of(type), Use::read);
    if (seen != nullptr) number = load(type, seen);
    return seen != nullptr;
  }

  bool take_factor(const char* what, const Factor& factor, double& number) {
    if (factor.on_device != nullptr) {
      return take_number(what, factor.on_device, factor.type, number);
    }
    number = load(factor.type, factor.value.data());
    return true;
  }

  bool take_factors() {
    if (!take_factor("alpha", product_.alpha, common_.alpha) ||
        !take_factor("beta", product_.beta, common_.beta)) {
      return false;
    }
    double* const scaled[] = {&common_.alpha, &common_.alpha, &common_.beta, &common_.scale};
    for (std::size_t i = 0; i < std::size(scaled); ++i) {
      double scale = 1;
      const void* const start = product_.after.scales[i];
      if (start != nullptr && !take_number("a scale", start, blas::Type::f32, scale)) return false;
      *scaled[i] *= scale;
    }
    if (product_.after.largest == nullptr) return true;
    void* const largest = view("the place for the largest magnitude", product_.after.largest,
                               sizeof(float), Use::written);
    common_.largest = static_cast<float*>(largest);
    if (largest != nullptr) *common_.largest = 0;
    return largest != nullptr;
  }

  // The matrix of this number, where it is to be read or written.
  template <class Byte>
  bool take_matrix(const char* name, const Operand& operand, std::size_t number, Use use,
                   blas::ViewOf<Byte>& taken) {
    const auto* start = static_cast<const std::byte*>(operand.start);
    if (operand.is_array) {
      const std::byte* const place =
          view("an array of pointers", start + number * sizeof start, sizeof start, Use::read);
      if (place == nullptr) return false;
      std::memcpy(&start, place, sizeof start);
    } else {
      start += static_cast<std::int64_t>(number) * operand.batch_stride *
               static_cast<std::int64_t>(size_of(operand.type));
    }
    const std::size_t lines = operand.is_row_major ? operand.rows : operand.columns;
    const std::size_t length = operand.is_row_major ? operand.columns : operand.rows;
    const std::size_t size = ((lines - 1) * operand.leading + length) * size_of(operand.type);
    taken.start = view(name, start, size, use);
    if (taken.start == nullptr) return false;
    if (length != operand.leading) split_last_use(operand, lines, length);
    const bool has_rows_beside = operand.is_row_major == operand.is_transposed;
    taken.type = operand.type;
    taken.row_stride = has_rows_beside ? 1 : operand.leading;
    taken.column_stride = has_rows_beside ? operand.leading : 1;
    return true;
  }

  // What lies between the columns is not used.
  void split_last_use(const Operand& operand, std::size_t lines, std::size_t length) {
    StreamedBytes use = used_.back();
    used_.pop_back();
    use.bytes = length * size_of(operand.type);
    for (std::size_t i = 0; i < lines;
         ++i, use.address += operand.leading * size_of(operand.type)) {
      used_.push_back(use);
    }
  }

  bool take_matrices() {
    common_.m = product_.m;
    common_.n = product_.n;
    common_.k = product_.k;
    common_.batch = product_.batch;
    common_.factors = product_.factors;
    common_.is_modular = product_.is_modular;
    common_.sums_f16 = product_.sums_f16;
    common_.adds_fast = product_.adds_fast;
    common_.activation = product_.after.activation;
    common_.bias_type = product_.after.bias_type;
    const bool multiplies = common_.alpha != 0 && common_.k != 0;
    for (std::size_t i = 0; i < product_.batch; ++i) {
      Gemm gemm = common_;
      if (multiplies && !(take_matrix("A", product_.a, i, Use::read, gemm.a) &&
                          take_matrix("B", product_.b, i, Use::read, gemm.b))) {
        return false;
      }
      if (gemm.beta != 0 && !take_matrix("C", product_.c, i, Use::read, gemm.c)) return false;
      if (!take_matrix("D", product_.d, i, Use::written, gemm.d)) return false;
      if (!take_bias(i, gemm)) return false;
      batch_.push_back(gemm);
    }
    return true;
  }

  bool take_bias(std::size_t number, Gemm& gemm) {
    const AfterProduct& after = product_.after;
    if (after.bias == nullptr) return true;
    const auto size = static_cast<std::int64_t>(size_of(after.bias_type));
    const std::byte* const start =
        static_cast<const std::byte*>(after.bias) +
        static_cast<std::int64_t>(number) * after.bias_batch_stride * size;
    gemm.bias = view("the bias", start, gemm.m * size_of(after.bias_type), Use::read);
    return gemm.bias != nullptr;
  }

  bool is_shared_with_host() const {
    return std::ranges::any_of(used_, [](const StreamedBytes& use) {
      return device_memory().find(use.address)->is_shared_with_host();
    });
  }

  void note_uses() const {
    const StreamPlace* const place = Streams::instance().current();
    if (place != nullptr && (place->has_other_streams || is_shared_with_host())) {
      Device::instance().note_use(*place, used_);
    }
    if (Device::instance().is_measuring()) Device::instance().measure_copy(used_);
  }

  const Product& product_;
  Gemm common_;  // what all of the batch have
  std::vector<Gemm> batch_;
  std::vector<StreamedBytes> used_;
};

}  // namespace

Factor factor_of(blas::Type type, const void* pointer, PointerMode mode) {
  Factor factor;
  factor.type = type;
  if (mode == PointerMode::device) {
    factor.on_device = pointer;
  } else {
    std::memcpy(factor.value.data(), pointer, size_of(type));
  }
  return factor;
}

BlasStatus submit(const Product& product) {
  Stream* const stream = Streams::instance().find(product.stream);
  if (stream == nullptr) {
    return refuse(BlasStatus::execution_failed, product.call, "its stream was destroyed");
  }
  if (product.m == 0 || product.n == 0 || product.batch == 0) return BlasStatus::success;
  tell_once();
  CallLog& log = CallLog::instance();
  if (log.is_recording()) {
    log.unsupported(product.call);
    log.before_host_reads();  // what was put off comes first
  }
  const Error error = Streams::instance().submit(*stream, NodeKind::kernel,
                                                 [product] { return Run(product).perform(); });
  return error == Error::success ? BlasStatus::success : BlasStatus::execution_failed;
}

}  // namespace tmaemu::runtime
