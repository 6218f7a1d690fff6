#include "tests/emulator/kernel_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "emulator/check/launch_checker.h"
#include "emulator/device/device.h"
#include "emulator/device/module.h"
#include "emulator/diagnostics/output.h"
#include "emulator/diagnostics/places.h"
#include "emulator/model/h200.h"
#include "emulator/observe/observers.h"
#include "emulator/profile/observer.h"
#include "emulator/provenance/work.h"
#include "emulator/record/observer.h"
#include "emulator/sched/grid.h"
#include "emulator/trace/observer.h"
#include "tests/emulator/finding_log.h"

namespace tmaemu {

KernelResult run_kernel(const KernelRun& run) {
  const std::lock_guard lock(Device::instance().mutex());
  GlobalMemory& memory = Device::instance().memory();
  const std::size_t words = std::size_t{run.threads} * run.ctas;
  const std::uint64_t out = *memory.allocate(words * 4, GlobalMemory::Contents::zero);
  const std::uint64_t in = *memory.allocate(4096, GlobalMemory::Contents::zero);
  for (std::size_t i = 0; i < 4096; ++i) memory.translate(in, 4096)[i] = std::byte(i % 251);
  std::ranges::copy(run.input, memory.translate(in, 4096));

  auto module = LoadedModule::load(
      std::string(".version 9.0\n.target sm_90a") + (run.is_for_debugger ? ", debug" : "") +
          "\n.address_size 64\n" + run.shared +
          ".visible .entry kernel(.param .u64 p_out, .param .u64 p_in)\n{\n"
          ".reg .b64 %out, %in, %offset, %state;\n.reg .b32 %tile, %bar, %thread, %cta, %size;\n"
          ".reg .b32 %a, %b, %c, %rank, %remote;\n.reg .pred %p, %leader;\n"
          "ld.param.u64 %out, [p_out];\nld.param.u64 %in, [p_in];\n"
          "mov.u32 %thread, %tid.x;\nmov.u32 %cta, %ctaid.x;\nmov.u32 %size, %ntid.x;\n"
          "mad.lo.u32 %a, %cta, %size, %thread;\nmul.wide.u32 %offset, %a, 4;\n"
          "add.u64 %out, %out, %offset;\nmov.u32 %tile, tile;\nmov.u32 %bar, barrier;\n"
          "setp.eq.u32 %leader, %thread, 0;\n" +
          run.body + "\nret;\n}\n",
      {}, memory);
  KernelResult result;
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return result;
  }
  const auto* kernel = static_cast<const LoadedKernel*>((*module)->find_kernel("kernel"));
  const Program& program = kernel->program();
  const std::uint64_t parameters[] = {out, in};
  LaunchRequest request;
  request.grid.x = run.ctas;
  request.block.x = run.threads;
  request.cluster.x = run.cluster;
  request.explicit_cluster = true;
  request.parameters = std::as_bytes(std::span(parameters));
  FindingLog findings;
  TensorMapChanges map_changes;
  std::string printed;
  Launch launch;
  launch.program = &program;
  launch.request = &request;
  launch.memory = &memory;
  launch.findings = &findings;
  launch.map_changes = &map_changes;
  launch.policy = run.policy;
  launch.schedule = run.schedule;
  launch.output = &printed;
  launch.turned_signs = run.turned_signs;
  launch.shared_bytes = std::max(program.shared_bytes, h200::reserved_shared_bytes_per_cta);
  LaunchObservers observers;
  if (run.observed) observers.add(result.events);
  profile::LaunchCounter counter(program);
  if (run.counted) observers.add(counter);
  trace::LaunchTracer tracer(request);
  if (run.traced) observers.add(tracer);
  provenance::Work work(memory);
  constexpr std::uint64_t resident_clusters = 1000;
  provenance::LaunchWork meter(work, program, request, resident_clusters);
  if (run.measured) observers.add(meter);
  const Places places(program, request);
  record::LaunchRecorder recorder(request, places, findings);
  if (run.recorded) {
    observers.add(recorder);
    launch.findings = &recorder;
  }
  std::optional<check::SiteFacts> facts;
  std::optional<check::LaunchChecker> checker;
  if (run.checked) {
    facts.emplace(program);
    observers.add(checker.emplace(program, *facts, request, memory, *launch.findings,
                                  std::vector<check::Neighbor>{}));
    launch.findings = &checker->findings_of_execution();
  }
  launch.observer = observers.all();
  std::optional<TimeLimit> time_limit;
  if (run.time_limit) launch.time_limit = &time_limit.emplace(*run.time_limit);
  GridResult grid = run_grid(launch, resident_clusters, run.host_threads);
  if (grid.fault) {
    if (checker) checker->explain(grid.fault->finding);
    result.fault = grid.fault->finding;
  }
  result.still_running = grid.still_running;
  result.thread_instructions = grid.thread_instructions;
  if (grid.still_running) {
    result.still_running_line =
        places.excerpt(grid.still_running->site, finding_output().source_files()).text;
  }
  result.findings = findings.codes();
  result.recording = recorder.take();
  result.output.resize(words);
  std::memcpy(result.output.data(), memory.translate(out, words * 4), words * 4);
  memory.free(out);
  memory.free(in);
  return result;
}

}  // namespace tmaemu
