#include <cstdio>
#include <string>
#include <utility>

#include "emulator/diagnostics/output_file.h"
#include "emulator/memory/global_memory.h"
#include "emulator/observe/environment.h"
#include "emulator/program/program.h"
#include "emulator/record/instrument.h"
#include "emulator/record/launch_text.h"

namespace tmaemu::record {
namespace {

LaunchText text_of(const ObservedLaunch& launch) {
  const LaunchRequest& request = launch.request;
  LaunchText text;
  text.kernel = launch.program.function->name;
  text.grid = request.grid;
  text.block = request.block;
  text.cluster = request.cluster;
  text.has_cluster = request.explicit_cluster;
  text.dynamic_shared_bytes = request.dynamic_shared_bytes;
  text.parameters.assign(request.parameters.begin(), request.parameters.end());
  for (const Region& region : launch.memory.allocations()) {
    text.memory.push_back({region.address, region.size, {region.host, region.host + region.size}});
  }
  text.ptx = launch.program.module->text;
  return text;
}

class LaunchFile final : public Instrument {
 public:
  explicit LaunchFile(std::FILE* out) : out_(out) {}

  std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) override {
    std::FILE* const out = std::exchange(out_, nullptr);
    if (out == nullptr || launch.request.cooperative) return nullptr;
    const std::string text = text_of(launch).text();
    std::fwrite(text.data(), 1, text.size(), out);
    std::fflush(out);
    return nullptr;
  }

 private:
  std::FILE* out_;
};

}  // namespace

common::Result<std::unique_ptr<Instrument>> launch_file_from_environment() {
  const std::string file = from_environment("TMAEMU_LAUNCH");
  if (file.empty()) return std::unique_ptr<Instrument>();
  const auto out = open_output(name_in_this_process(file), "the launch");
  if (!out) return out.error();
  return std::unique_ptr<Instrument>(std::make_unique<LaunchFile>(*out));
}

}  // namespace tmaemu::record
