#include "emulator/trace/json.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/json_text.h"
#include "emulator/diagnostics/kernel_name.h"
#include "emulator/diagnostics/places.h"
#include "emulator/memory/address_space.h"
#include "emulator/model/cta_numbers.h"
#include "emulator/trace/observer.h"

namespace tmaemu::trace {
namespace {

using common::json::number;
using common::json::object;

// The rows of a CTA, as the format's numbers of threads.
constexpr std::uint64_t rows_of_a_warp = warp_size;
constexpr std::uint64_t first_engine_row = 100'000;
constexpr std::uint64_t first_product_row = 150'000;
constexpr std::uint64_t rows_of_a_warpgroup = 16;
constexpr std::uint64_t first_mbarrier_row = 200'000;

std::uint64_t row_of(const WarpId& warp, unsigned row) {
  return 1 + warp.index * rows_of_a_warp + row;
}

std::uint64_t shared_bytes(const events::Bulk& bulk) {
  const bool is_load = bulk.kind == BulkKind::global_to_shared;
  const auto targets =
      is_load && bulk.multicast != 0 ? static_cast<unsigned>(std::popcount(bulk.multicast)) : 1u;
  return bulk.moved_bytes * targets;
}

// The events of one launch.
class Writer {
 public:
  Writer(const LaunchPlace& place, const Program& program, const LaunchRequest& request,
         const Places& places)
      : place_(place),
        request_(request),
        places_(places),
        kernel_(kernel_name(program.function->name)) {
    text_.next_flow = place.first_flow;
    text_.next_process = place.first_process + request.grid.count();
    text_.end = place.begin;
  }

  void write(const ClusterTrace& cluster) {
    cluster_ = &cluster;
    text_.end = std::max(text_.end, place_.begin + cluster.end);
    name_rows();
    write_rows_of_warps();
    for (const PhaseSpan& phase : cluster.phases) write(phase);
    write_engine();
    write_products();
    for (const InFlight& bytes : cluster.in_flight) write(bytes);
  }

  LaunchText take() { return std::move(text_); }

 private:
  std::uint64_t process(std::uint32_t rank) const {
    return place_.first_process + number_in_grid(cta(rank), request_.grid);
  }
  Dimensions cta(std::uint32_t rank) const {
    return cta_of_rank(cluster_->first, request_.cluster, rank);
  }

  void add(std::initializer_list<common::json::Member> members) {
    text_.events += object(members) + ",\n";
  }
  void add_metadata(const char* what, std::uint64_t process, std::uint64_t row,
                    const std::string& arguments) {
    add({{"ph", "\"M\""},
         {"name", common::json::quoted(what)},
         {"pid", number(process)},
         {"tid", number(row)},
         {"args", arguments}});
  }
  void add_row(std::uint64_t process, std::uint64_t row, const std::string& name) {
    add_metadata("thread_name", process, row, object({{"name", common::json::quoted(name)}}));
    add_metadata("thread_sort_index", process, row, object({{"sort_index", number(row)}}));
  }
  void add_slice(std::uint64_t process, std::uint64_t row, const char* category,
                 const std::string& name, const Span& span, const std::string& arguments) {
    add({{"ph", "\"X\""},
         {"cat", common::json::quoted(category)},
         {"name", common::json::quoted(name)},
         {"pid", number(process)},
         {"tid", number(row)},
         {"ts", number(place_.begin + span.begin)},
         {"dur", number(span.end - span.begin)},
         {"args", arguments}});
  }
  // A point of an arrow, in the innermost slice that is in this row at this tick.
  void add_flow(const char* phase, std::uint64_t id, std::uint64_t process, std::uint64_t row,
                Tick at) {
    add({{"ph", common::json::quoted(phase)},
         {"cat", "\"flow\""},
         {"name", "\"TMA\""},
         {"id", number(id)},
         {"pid", number(process)},
         {"tid", number(row)},
         {"ts", number(place_.begin + at)},
         {"bp", "\"e\""}});
  }

  std::string source(std::uint32_t site) {
    const auto [known, is_new] = sources_.try_emplace(site);
    if (is_new) known->second = common::json::quoted(text_of(places_.place(site)));
    return known->second;
  }
  std::string barrier(const BarrierId& id) const {
    if (id.kind == BarrierId::Kind::cluster) return "cluster barrier";
    if (id.kind == BarrierId::Kind::mbarrier) return places_.object(shared_offset(id.number));
    return id.number == 0 ? "__syncthreads()" : "barrier " + number(id.number);
  }

  void name_rows();
  void write_rows_of_warps();
  void write(const Run& run);
  void write(const BarrierWait& wait);
  void write(const PhaseSpan& phase);
  void write(const InFlight& bytes);
  void write_engine();
  void write(const BulkSpan& bulk, std::uint64_t row);
  void write_products();
  std::uint64_t mbarrier_row(std::uint32_t address) {
    const auto [row, is_new] = mbarrier_rows_.try_emplace(shared_offset(address));
    if (is_new) row->second = first_mbarrier_row + mbarrier_rows_.size();
    return row->second;
  }

  const LaunchPlace& place_;
  const LaunchRequest& request_;
  const Places& places_;
  std::string kernel_;
  LaunchText text_;
  const ClusterTrace* cluster_ = nullptr;
  std::map<std::uint32_t, std::string> sources_;          // by site
  std::map<std::uint32_t, std::uint64_t> mbarrier_rows_;  // by offset
};

void Writer::name_rows() {
  const auto ctas = static_cast<std::uint32_t>(request_.cluster.count());
  const auto warps =
      static_cast<std::uint16_t>((request_.block.count() + warp_size - 1) / warp_size);
  for (std::uint32_t rank = 0; rank < ctas; ++rank) {
    const Dimensions at = cta(rank);
    const std::string name = kernel_ + ", launch " + number(place_.number) + ", CTA (" +
                             number(at.x) + ", " + number(at.y) + ", " + number(at.z) + ")";
    add_metadata("process_name", process(rank), 0, object({{"name", common::json::quoted(name)}}));
    add_metadata("process_sort_index", process(rank), 0,
                 object({{"sort_index", number(process(rank))}}));
    for (std::uint16_t warp = 0; warp < warps; ++warp) {
      add_row(process(rank), row_of({0, warp}, 0), "warp " + number(warp));
    }
  }
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> more;
  for (const BarrierWait& wait : cluster_->waits) {
    if (wait.row == 0) continue;
    more[{wait.warp.rank, row_of(wait.warp, wait.row)}] =
        "warp " + number(wait.warp.index) + ", lanes that wait elsewhere";
  }
  for (const PhaseSpan& phase : cluster_->phases) {
    more[{shared_rank(phase.mbarrier), mbarrier_row(phase.mbarrier)}] =
        "mbarrier " + places_.object(shared_offset(phase.mbarrier));
  }
  for (const auto& [row, name] : more) add_row(process(row.first), row.second, name);
}

// Of slices that begin together, the one around the others stands first: Perfetto takes them as
// they stand, and drops one that is longer than the one it begins in.
void Writer::write_rows_of_warps() {
  std::vector<std::variant<const Run*, const BarrierWait*>> slices;
  for (const Run& run : cluster_->runs) slices.emplace_back(&run);
  for (const BarrierWait& wait : cluster_->waits) slices.emplace_back(&wait);
  const auto outermost_first = [](const auto& slice) {
    const Span span = std::visit([](const auto* one) { return one->span; }, slice);
    return std::pair(span.begin, std::numeric_limits<Tick>::max() - span.end);
  };
  std::ranges::stable_sort(slices, {}, outermost_first);
  for (const auto& slice : slices) std::visit([this](const auto* one) { write(*one); }, slice);
}

void Writer::write(const Run& run) {
  add_slice(process(run.warp.rank), row_of(run.warp, 0), "run", "runs", run.span,
            object({{"from", source(run.first_site)},
                    {"to", source(run.last_site)},
                    {"warp_instructions", number(run.warp_instructions)},
                    {"thread_instructions", number(run.thread_instructions)}}));
}

void Writer::write(const BarrierWait& wait) {
  const std::string name = barrier(wait.barrier);
  add_slice(process(wait.warp.rank), row_of(wait.warp, wait.row), "wait", "waits: " + name,
            wait.span,
            object({{"place", source(wait.site)},
                    {"barrier", common::json::quoted(name)},
                    {"waits", number(wait.passed)},
                    {"slept", number(wait.slept)}}));
}

void Writer::write(const PhaseSpan& phase) {
  const std::string name = "phase " + number(phase.number) + (phase.is_over ? "" : ", not over");
  add_slice(process(shared_rank(phase.mbarrier)), mbarrier_row(phase.mbarrier), "phase", name,
            phase.span,
            object({{"arrivals", number(phase.arrivals)}, {"bytes", number(phase.bytes)}}));
}

void Writer::write(const InFlight& bytes) {
  add({{"ph", "\"C\""},
       {"name", "\"TMA bytes in flight\""},
       {"pid", number(process(bytes.rank))},
       {"ts", number(place_.begin + bytes.at)},
       {"args", object({{"in", number(bytes.in)}, {"out", number(bytes.out)}})}});
}

// Operations that are in flight together stand in rows of their own.
void Writer::write_engine() {
  std::map<std::uint16_t, std::vector<Tick>> free;  // from when on each row is, by the CTA's rank
  for (const BulkSpan& bulk : cluster_->bulks) {
    const std::uint16_t rank = bulk.bulk.thread.rank;
    std::vector<Tick>& rows = free[rank];
    auto row = std::ranges::find_if(rows, [&](Tick from) { return from <= bulk.span.begin; });
    if (row == rows.end()) {
      const std::string more = rows.empty() ? "" : ", " + number(rows.size() + 1) + " in flight";
      add_row(process(rank), first_engine_row + rows.size(), "TMA engine" + more);
      row = rows.insert(rows.end(), 0);
    }
    *row = bulk.span.end;
    write(bulk, first_engine_row + static_cast<std::uint64_t>(row - rows.begin()));
  }
}

// Groups of a warpgroup that are pending together stand in rows of their own.
void Writer::write_products() {
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<Tick>> free;  // by the first warp
  for (const ProductSpan& group : cluster_->products) {
    const WarpId first = group.first;
    const std::uint64_t warpgroup = first.index / 4;
    std::vector<Tick>& rows = free[{first.rank, first.index}];
    auto row = std::ranges::find_if(rows, [&](Tick from) { return from <= group.span.begin; });
    const std::uint64_t first_row = first_product_row + warpgroup * rows_of_a_warpgroup;
    if (row == rows.end()) {
      const std::string more = rows.empty() ? "" : ", " + number(rows.size() + 1) + " pending";
      add_row(process(first.rank), first_row + rows.size(),
              "wgmma of warps " + number(first.index) + " to " + number(first.index + 3) + more);
      row = rows.insert(rows.end(), 0);
    }
    *row = group.span.end;
    add_slice(process(first.rank), first_row + static_cast<std::uint64_t>(row - rows.begin()),
              "wgmma", number(group.products) + " wgmma", group.span,
              object({{"place", source(group.site)},
                      {"products", number(group.products)},
                      {"finished", group.is_over ? "true" : "false"}}));
  }
}

void Writer::write(const BulkSpan& span, std::uint64_t row) {
  const events::Bulk& bulk = span.bulk;
  const std::uint64_t own = process(bulk.thread.rank);
  const std::uint64_t bytes = shared_bytes(bulk);
  // From then on, what it reads in shared memory may be overwritten.
  const std::string read_after =
      span.source_read ? number(*span.source_read - span.span.begin) : std::string("null");
  add_slice(own, row, "tma", std::string(name_of(bulk.kind)) + " " + number(bytes) + " bytes",
            span.span,
            object({{"kind", common::json::quoted(name_of(bulk.kind))},
                    {"place", source(bulk.site)},
                    {"thread", number(bulk.thread.index)},
                    {"shared_bytes", number(bytes)},
                    {"global_bytes", number(span.global_bytes)},
                    {"tensor_map", bulk.is_tensor ? "true" : "false"},
                    {"source_read_after", read_after},
                    {"finished", span.is_finished ? "true" : "false"}}));
  const std::uint64_t id = text_.next_flow++;
  add_flow("s", id, own, row_of(warp_of(bulk.thread), 0), span.span.begin);
  Tick landed = span.span.end - 1;
  // Who waits for a store waits until its source is read; it may be written much later.
  if (span.awaited && landed > span.awaited->at && span.source_read) landed = *span.source_read;
  const bool has_end = span.awaited.has_value();
  add_flow(has_end ? "t" : "f", id, own, row, landed);
  if (!has_end) return;
  const WarpMoment& end = *span.awaited;
  add_flow("f", id, process(end.warp.rank), row_of(end.warp, end.row), end.at);
}

}  // namespace

LaunchText to_events(const LaunchPlace& place, const Program& program, const LaunchRequest& request,
                     const Places& places, std::span<const ClusterTrace> clusters) {
  Writer writer(place, program, request, places);
  for (const ClusterTrace& cluster : clusters) writer.write(cluster);
  return writer.take();
}

}  // namespace tmaemu::trace
