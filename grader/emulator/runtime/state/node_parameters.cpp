#include "emulator/runtime/state/node_parameters.h"

#include <algorithm>
#include <utility>

#include "emulator/runtime/state/caller.h"
#include "emulator/runtime/state/event.h"

namespace tmaemu::runtime {
namespace {

// Graph work that a stream call would do: the default stream captures nothing, so it runs at once.
struct Working {
  NodeKind kind;

  Work operator()(const KernelNode& kernel) const {
    LaunchConfiguration configuration = kernel.configuration;
    configuration.stream = &default_stream();
    return [function = kernel.function, configuration, block = kernel.block] {
      return launch(*function, configuration, block);
    };
  }
  Work operator()(const CopyRequest& request) const {
    return [request] { return copy_async(request, default_stream()); };
  }
  Work operator()(const FillRequest& request) const {
    return [request] { return fill(request, default_stream()); };
  }
  Work operator()(const HostNode& host) const { return host_function(host.function, host.data); }
  // The work before a recorded event is always done: there is nothing to wait for.
  Work operator()(Event* event) const {
    return kind == NodeKind::event_record ? record_work(*event) : Work{};
  }
};

std::vector<void*> arguments_of(const KernelNode& kernel) {
  std::vector<void*> arguments;
  for (const auto& [offset, size] : kernel.function->kernel->info().parameters) {
    arguments.push_back(const_cast<std::byte*>(kernel.block.data()) + offset);
  }
  return arguments;
}

}  // namespace

NodeParameters::NodeParameters(AnyParameters what) : any(std::move(what)) {
  if (const auto* kernel = std::get_if<KernelNode>(&any)) arguments = arguments_of(*kernel);
}

Error make_kernel_node(Function& function, const LaunchConfiguration& configuration,
                       void* const* arguments, void* const* extra, AnyParameters& result) {
  if (const Error error = function.resolve(); error != Error::success) return error;
  KernelNode kernel;
  kernel.function = &function;
  kernel.configuration = configuration;
  const Error error = parameter_block(function.kernel->info(), arguments, extra, kernel.block);
  // The same mistake is an invalid value of a node.
  if (error == Error::launch_out_of_resources) return Error::invalid_value;
  if (error == Error::success) result = std::move(kernel);
  return error;
}

Error make_host_node(void (*function)(void*), void* data, AnyParameters& result) {
  if (function == nullptr) return Error::invalid_value;
  result = HostNode{function, data};
  return Error::success;
}

Work work_of(NodeKind kind, const AnyParameters& parameters) {
  return std::visit(Working{kind}, parameters);
}

void give(GraphNode& node, AnyParameters parameters) {
  node.work = work_of(node.kind, parameters);
  node.parameters = std::make_shared<const NodeParameters>(std::move(parameters));
}

void note_captured(Stream& stream, AnyParameters parameters) {
  stream.tail.back()->parameters = std::make_shared<const NodeParameters>(std::move(parameters));
}

Error submit_host_function(Stream& stream, const HostNode& host) {
  if (host.function == nullptr) return Error::invalid_value;
  const Error error =
      Streams::instance().submit(stream, NodeKind::host, host_function(host.function, host.data));
  if (error == Error::success && stream.capture) note_captured(stream, host);
  return error;
}

namespace {

Error give_attributes(GraphNode& node, KernelNode kernel, const LaunchAttribute& attribute) {
  std::vector<void*> events;
  const Error error = apply_attributes({&attribute, 1}, kernel.configuration, events);
  if (error != Error::success) return error;
  if (!events.empty()) return not_modeled("an event as a kernel node's attribute");
  std::erase_if(kernel.attributes, [&](const auto& old) { return old.id == attribute.id; });
  kernel.attributes.push_back(attribute);
  give(node, std::move(kernel));
  return Error::success;
}

}  // namespace

Error set_attribute(GraphNode& node, const LaunchAttribute& attribute) {
  const auto* kernel = parameters_of<KernelNode>(node);
  if (kernel == nullptr) return Error::invalid_value;
  return give_attributes(node, *kernel, attribute);
}

Error get_attribute(const GraphNode& node, LaunchAttribute& attribute) {
  const auto* kernel = parameters_of<KernelNode>(node);
  if (kernel == nullptr) return Error::invalid_value;
  const int id = attribute.id;
  attribute.value = {};
  for (const LaunchAttribute& known : kernel->attributes) {
    if (known.id == id) attribute.value = known.value;
  }
  const LaunchConfiguration& configuration = kernel->configuration;
  if (id == attribute_id::cluster_dimension) attribute.value.dimensions = configuration.cluster;
  if (id == attribute_id::cooperative) attribute.value.flag = configuration.cooperative;
  return Error::success;
}

Error copy_attributes(GraphNode& destination, const GraphNode& source) {
  const auto* from = parameters_of<KernelNode>(source);
  const auto* to = parameters_of<KernelNode>(destination);
  if (from == nullptr || to == nullptr) return Error::invalid_value;
  KernelNode changed = *to;
  changed.attributes = from->attributes;
  changed.configuration.cluster = from->configuration.cluster;
  changed.configuration.cooperative = from->configuration.cooperative;
  changed.configuration.starts_early = from->configuration.starts_early;
  give(destination, std::move(changed));
  return Error::success;
}

}  // namespace tmaemu::runtime
