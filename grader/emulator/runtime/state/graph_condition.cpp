#include "emulator/runtime/state/graph_condition.h"

#include <cstring>
#include <utility>

#include "emulator/device/device.h"
#include "emulator/runtime/state/call_log.h"

namespace tmaemu::runtime {
namespace {

// What is at a handle's address: isa/control/system_calls.cpp writes both.
struct Cell {
  std::uint32_t value = 0;
  std::uint32_t is_set = 0;
};

constexpr unsigned assign_default = 1;  // cudaGraphCondAssignDefault

bool is_size_of(ConditionType type, unsigned bodies) {
  switch (type) {
    case ConditionType::if_else:
      return bodies == 1 || bodies == 2;
    case ConditionType::while_loop:
      return bodies == 1;
    case ConditionType::switch_case:
      return bodies != 0;
  }
  return false;
}

// The graph's own, or of one that it is inside of.
std::shared_ptr<Condition> find_condition(const Graph& graph, std::uint64_t handle) {
  for (const Graph* at = &graph; at != nullptr;
       at = at->owner == nullptr ? nullptr : at->owner->graph) {
    for (const auto& condition : at->conditions) {
      if (condition->handle() == handle) return condition;
    }
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<Condition> Condition::create(const std::uint32_t* initial) {
  const auto address = device_memory().allocate(sizeof(Cell), GlobalMemory::Contents::zero,
                                                GlobalMemory::Owner::kernel);
  if (!address) return nullptr;
  std::shared_ptr<Condition> condition(new Condition);
  condition->address_ = *address;
  condition->has_initial_ = initial != nullptr;
  if (initial != nullptr) condition->initial_ = *initial;
  return condition;
}

Condition::~Condition() {
  device_memory().free(address_);
}

void Condition::begin_launch() const {
  const Cell cell{initial_, has_initial_};
  std::memcpy(device_memory().translate(address_, sizeof cell), &cell, sizeof cell);
}

std::size_t Condition::chosen_body() const {
  CallLog::instance().before_host_reads();
  Cell cell;
  std::memcpy(&cell, device_memory().translate(address_, sizeof cell), sizeof cell);
  if (cell.is_set == 0) {
    explain(
        "a conditional node decides by a value that nothing has set in this launch, and that is 0 "
        "here, but anything on a GPU: let a kernel that the node depends on call "
        "cudaGraphSetConditional, or create the handle with cudaGraphCondAssignDefault");
  }
  switch (type_) {
    case ConditionType::if_else:
    case ConditionType::while_loop:  // without a second body
      return cell.value != 0 ? 0 : 1;
    case ConditionType::switch_case:
      break;
  }
  return cell.value;
}

Error create_condition(Graph& graph, std::uint32_t initial, unsigned flags, std::uint64_t& handle) {
  if ((flags & ~assign_default) != 0) return Error::invalid_value;
  CallLog::instance().unsupported("cudaGraphConditionalHandleCreate");
  auto condition = Condition::create((flags & assign_default) != 0 ? &initial : nullptr);
  if (condition == nullptr) return Error::out_of_memory;
  handle = condition->handle();
  graph.conditions.push_back(std::move(condition));
  return Error::success;
}

Error add_conditional(Graph& graph, std::vector<GraphNode*> dependencies, std::uint64_t handle,
                      ConditionType type, unsigned bodies, GraphNode*& node) {
  std::shared_ptr<Condition> condition = find_condition(graph, handle);
  if (condition == nullptr || condition->has_node_) return Error::invalid_value;
  if (!is_size_of(type, bodies)) return Error::invalid_value;
  condition->type_ = type;
  condition->has_node_ = true;
  node = graph.add(NodeKind::conditional, {}, std::move(dependencies));
  node->condition = std::move(condition);
  for (unsigned i = 0; i < bodies; ++i) Graph::put_inside(*node, std::make_unique<Graph>());
  return Error::success;
}

}  // namespace tmaemu::runtime
