#include "emulator/instruments/instruments.h"

#include <memory>
#include <utility>

#include "emulator/check/instrument.h"
#include "emulator/profile/instrument.h"
#include "emulator/provenance/meter.h"
#include "emulator/record/instrument.h"
#include "emulator/trace/instrument.h"

namespace tmaemu {
namespace {

// Null where the environment does not turn it on.
using FromEnvironment = common::Result<std::unique_ptr<Instrument>> (*)();

// The checker comes last: what it finds belongs to the step that a recording has begun.
constexpr FromEnvironment in_order[] = {
    profile::instrument_from_environment,  // TMAEMU_STATS
    trace::instrument_from_environment,    // TMAEMU_TRACE
    record::launch_file_from_environment,  // TMAEMU_LAUNCH
    record::instrument_from_environment,   // TMAEMU_RECORD
    check::instrument_from_environment,    // TMAEMU_CHECK
};

}  // namespace

common::Result<Instruments> instruments_from_environment() {
  Instruments instruments;
  auto meter = provenance::make_meter();
  instruments.meter = meter.get();
  instruments.all.push_back(std::move(meter));
  for (const FromEnvironment from_environment : in_order) {
    auto instrument = from_environment();
    if (!instrument) return instrument.error();
    if (*instrument != nullptr) instruments.all.push_back(std::move(*instrument));
  }
  return instruments;
}

}  // namespace tmaemu
