#include "emulator/profile/table.h"

#include <cstdio>

#include "emulator/profile/hints.h"
#include "emulator/profile/summary.h"

namespace tmaemu::profile {
namespace {

// 1234567 -> "1,234,567".
std::string grouped(Count count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string plural(Count count, const char* noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

// A row: a name and columns of numbers, right-aligned; text behind them.
std::string row(const char* name, std::initializer_list<std::string> columns,
                const std::string& remark = "") {
  char cell[64];
  std::snprintf(cell, sizeof cell, "  %-22s", name);
  std::string line = cell;
  for (const std::string& column : columns) {
    std::snprintf(cell, sizeof cell, "%16s", column.c_str());
    line += cell;
  }
  return line + (remark.empty() ? "" : "   " + remark) + "\n";
}

std::string times(double factor) {
  char text[16];
  std::snprintf(text, sizeof text, "%.2fx", factor);
  return factor == 0 ? "" : text;
}

std::string heading(const Summary& kernel) {
  const bool is_uniform = kernel.threads != 0;
  return kernel.kernel + ": " + grouped(kernel.launches) +
         (kernel.launches == 1 ? " launch, " : " launches, ") + plural(kernel.ctas, "CTA") +
         (is_uniform ? " of " + plural(kernel.threads, "thread") : "") + "\n";
}

std::string instructions(const Summary& kernel) {
  char lanes[48];
  std::snprintf(lanes, sizeof lanes, "%.1f of 32 lanes active", kernel.average_lanes());
  return row("", {"of warps", "of threads"}) + row("PTX instructions",
                                                   {grouped(kernel.counters.warp_instructions),
                                                    grouped(kernel.counters.thread_instructions)},
                                                   lanes);
}

std::string global_row(const char* name, const GlobalTraffic& traffic) {
  if (traffic.accesses == 0) return "";
  return row(name, {grouped(traffic.accesses), grouped(traffic.bytes), grouped(traffic.sectors),
                    times(overfetch(traffic.bytes, traffic.sectors))});
}

std::string global_rows(const ByDirection<GlobalTraffic>& traffic) {
  const std::string rows = global_row("global loads", traffic.load) +
                           global_row("global stores", traffic.store) +
                           global_row("global atomics", traffic.atomic);
  if (rows.empty()) return "";
  return row("", {"accesses", "bytes asked for", "32-byte sectors", "x asked for"}) + rows;
}

std::string shared_row(const char* name, const SharedTraffic& traffic) {
  if (traffic.accesses == 0) return "";
  return row(name, {grouped(traffic.accesses), grouped(traffic.bytes), grouped(traffic.wavefronts),
                    grouped(traffic.conflicts)});
}

std::string shared_rows(const ByDirection<SharedTraffic>& traffic) {
  const std::string rows = shared_row("shared loads", traffic.load) +
                           shared_row("shared stores", traffic.store) +
                           shared_row("shared atomics", traffic.atomic);
  if (rows.empty()) return "";
  return row("", {"accesses", "bytes asked for", "wavefronts", "bank conflicts"}) + rows;
}

std::string remote_row(const char* name, const GlobalTraffic& traffic) {
  if (traffic.accesses == 0) return "";
  return row(name, {grouped(traffic.accesses), grouped(traffic.bytes)});
}

std::string remote_rows(const ByDirection<GlobalTraffic>& traffic) {
  const std::string rows = remote_row("loads", traffic.load) + remote_row("stores", traffic.store) +
                           remote_row("atomics", traffic.atomic);
  if (rows.empty()) return "";
  return row("other CTAs' shared", {"accesses", "bytes asked for"}) + rows;
}

std::string tma_row(const char* name, const TmaTraffic& traffic) {
  if (traffic.operations == 0) return "";
  return row(name, {grouped(traffic.operations), grouped(traffic.global_bytes),
                    grouped(traffic.global_sectors), grouped(traffic.shared_bytes)});
}

std::string tma_rows(const Counters& counters) {
  const std::string rows = tma_row("TMA loads", counters.tma.load) +
                           tma_row("TMA stores", counters.tma.store) +
                           tma_row("TMA reductions", counters.tma.atomic) +
                           tma_row("TMA between CTAs", counters.tma_between_ctas);
  if (rows.empty()) return "";
  return row("", {"operations", "global bytes", "32-byte sectors", "shared bytes"}) + rows +
         row("most bytes in flight",
             {grouped(counters.most_load_bytes_in_flight) + " in",
              grouped(counters.most_store_bytes_in_flight) + " out"},
             "in one CTA");
}

std::string multiplication_rows(const Summary& kernel) {
  if (kernel.multiplications.empty()) return "";
  std::string rows = row("", {"of warps", "multiply-adds"});
  for (const auto& [product, counts] : kernel.multiplications) {
    rows +=
        row("matrix products", {grouped(counts.instructions), grouped(counts.products)}, product);
  }
  const double use = kernel.most_tensor_core_use();
  if (use == 0) return rows;
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.0f %%", 100 * use);
  return rows + row("of tensor cores' peak", {"at most", percent}, "as instructions are issued");
}

std::string wait_rows(const std::vector<NamedWaits>& waits) {
  if (waits.empty()) return "";
  std::string rows = row("waits of warps at", {"waits", "had to sleep"});
  for (const auto& [barrier, counts] : waits) {
    rows += row(("  " + barrier).c_str(), {grouped(counts.waits), grouped(counts.slept)});
  }
  return rows;
}

std::string block(const Summary& kernel) {
  const Counters& counters = kernel.counters;
  std::string text = heading(kernel) + instructions(kernel) + global_rows(counters.global) +
                     shared_rows(counters.shared) + remote_rows(counters.remote_shared) +
                     tma_rows(counters) + multiplication_rows(kernel) + wait_rows(kernel.waits);
  for (const std::string& hint : hints(kernel)) text += "  hint: " + hint + "\n";
  return text;
}

}  // namespace

std::string to_table(std::span<const LaunchReport> launches) {
  std::string text;
  for (const Summary& kernel : summarize(launches))
    text += (text.empty() ? "" : "\n") + block(kernel);
  return text.empty() ? "tmaemu: no kernel was launched\n" : text;
}

}  // namespace tmaemu::profile
