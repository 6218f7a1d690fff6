#include "emulator/profile/json.h"

#include "common/json_text.h"

namespace tmaemu::profile {
namespace {

using common::json::array;
using common::json::number;
using common::json::object;

std::string dimensions(const Dimensions& size) {
  return "[" + number(size.x) + "," + number(size.y) + "," + number(size.z) + "]";
}

std::string global_traffic(const GlobalTraffic& traffic) {
  return object({{"accesses", number(traffic.accesses)},
                 {"bytes", number(traffic.bytes)},
                 {"distinct_bytes", number(traffic.distinct_bytes)},
                 {"sectors", number(traffic.sectors)}});
}

std::string remote_traffic(const GlobalTraffic& traffic) {
  return object({{"accesses", number(traffic.accesses)}, {"bytes", number(traffic.bytes)}});
}

std::string shared_traffic(const SharedTraffic& traffic) {
  return object({{"accesses", number(traffic.accesses)},
                 {"bytes", number(traffic.bytes)},
                 {"distinct_bytes", number(traffic.distinct_bytes)},
                 {"wavefronts", number(traffic.wavefronts)},
                 {"conflicts", number(traffic.conflicts)}});
}

std::string tma_traffic(const TmaTraffic& traffic) {
  return object({{"operations", number(traffic.operations)},
                 {"global_bytes", number(traffic.global_bytes)},
                 {"global_sectors", number(traffic.global_sectors)},
                 {"shared_bytes", number(traffic.shared_bytes)}});
}

template <class Traffic>
std::string by_direction(const ByDirection<Traffic>& traffic,
                         std::string (*to_json)(const Traffic&)) {
  return object({{"load", to_json(traffic.load)},
                 {"store", to_json(traffic.store)},
                 {"atomic", to_json(traffic.atomic)}});
}

std::string tma(const Counters& counters) {
  return object({{"load", tma_traffic(counters.tma.load)},
                 {"store", tma_traffic(counters.tma.store)},
                 {"reduce", tma_traffic(counters.tma.atomic)},
                 {"between_ctas", tma_traffic(counters.tma_between_ctas)},
                 {"most_load_bytes_in_flight", number(counters.most_load_bytes_in_flight)},
                 {"most_store_bytes_in_flight", number(counters.most_store_bytes_in_flight)}});
}

std::string launch(const LaunchReport& launch) {
  const Counters& counters = launch.counters;
  return object({{"kernel", common::json::quoted(launch.kernel)},
                 {"grid", dimensions(launch.grid)},
                 {"block", dimensions(launch.block)},
                 {"cluster", dimensions(launch.cluster)},
                 {"completed", launch.completed ? "true" : "false"},
                 {"instructions", object({{"warp", number(counters.warp_instructions)},
                                          {"thread", number(counters.thread_instructions)}})},
                 {"global", by_direction(counters.global, global_traffic)},
                 {"shared", by_direction(counters.shared, shared_traffic)},
                 {"remote_shared", by_direction(counters.remote_shared, remote_traffic)},
                 {"tma", tma(counters)},
                 {"waits", array(launch.waits,
                                 [](const NamedWaits& named) {
                                   return object({{"barrier", common::json::quoted(named.barrier)},
                                                  {"waits", number(named.waits.waits)},
                                                  {"slept", number(named.waits.slept)}});
                                 })},
                 {"multiplications",
                  array(launch.multiplications,
                        [](const NamedMultiplications& named) {
                          return object({{"product", common::json::quoted(named.product)},
                                         {"instructions", number(named.counts.instructions)},
                                         {"products", number(named.counts.products)},
                                         {"clocks", number(named.counts.clocks)}});
                        })},
                 {"excess", array(launch.excess, [](const NamedExcess& named) {
                    return object({{"place", common::json::quoted(named.place)},
                                   {"sectors", number(named.excess.sectors)},
                                   {"conflicts", number(named.excess.conflicts)}});
                  })}});
}

}  // namespace

std::string to_json(std::span<const LaunchReport> launches) {
  return object({{"tmaemu_stats", number(json_schema)}, {"launches", array(launches, launch)}}) +
         "\n";
}

}  // namespace tmaemu::profile
