"""torch as the host of a kernel that runs on the emulator.

torch's own device functions are machine code, which the emulator cannot execute. With this module they are computed by
torch on the host instead: what a function reads is copied from the device, and what it writes is copied back, in the
order of the current stream. Kernels that a program brings itself, in extensions built with PTX, are launched as always.

    tmaemu python -m tmaemu_torch script.py ...     runs a script
    tmaemu python -m pytest -p tmaemu_torch ...     runs tests

Products of matrices are left to torch, which calls cuBLAS: the emulator's, whose sums are a GPU's. Other sums are the
host's: rounded once where torch rounds once on a CPU, added in its order. Random numbers are those of the
host's generator.
"""

from __future__ import annotations

import ctypes
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_map

# Of memory and metadata alone: torch's own work as they are.
KEPT = {
    "_local_scalar_dense",
    "_pin_memory",
    "_reshape_alias",
    "as_strided",
    "empty",
    "empty_strided",
    "is_pinned",
    "is_set_to",
    "record_stream",
    "resize_",
    "set_",
    "unfold",
    "view",
    "view_as_complex",
    "view_as_real",
}
PRODUCTS = {"_addmm_activation", "_int_mm", "_scaled_mm", "addmm", "baddbmm", "bmm", "mm"}
DEFAULT = 4  # cudaMemcpyDefault: the addresses say which side is which


class Runtime:
    """The few calls of CUDA's runtime that copy a storage."""

    def __init__(self) -> None:
        major = str(torch.version.cuda).partition(".")[0]
        self.library = ctypes.CDLL(f"libcudart.so.{major}")

    def copy(self, to: int, source: int, size: int, wait: bool = True) -> None:
        if size == 0:
            return
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        places = ctypes.c_void_p(to), ctypes.c_void_p(source)
        self._check(self.library.cudaMemcpyAsync(*places, ctypes.c_size_t(size), DEFAULT, stream))
        if wait:
            self._check(self.library.cudaStreamSynchronize(stream))

    @staticmethod
    def _check(status: int) -> None:
        if status != 0:
            raise RuntimeError(f"a copy between host and device failed: CUDA error {status}")


def extent(tensor: torch.Tensor) -> tuple[int, int]:
    """Where the tensor begins in its storage, and to where from there its elements reach, in bytes."""
    if tensor.numel() == 0:
        return 0, 0
    reach = 1 + sum((size - 1) * stride for size, stride in zip(tensor.size(), tensor.stride()))
    return tensor.storage_offset() * tensor.itemsize, reach * tensor.itemsize


class Call:
    """One function's call: its tensors on the device, and theirs on the host."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.storages: dict[int, torch.UntypedStorage] = {}  # by where they are on the device

    def on_host(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.is_cuda:
            return self._mirror(value)
        if isinstance(value, torch.device) and value.type == "cuda":
            return torch.device("cpu")
        if isinstance(value, torch.Generator) and value.device.type == "cuda":
            return None
        return value

    def _mirror(self, tensor: torch.Tensor) -> torch.Tensor:
        """Tensors that share a storage share one on the host, too."""
        storage = tensor.untyped_storage()
        place = storage.data_ptr()
        if place not in self.storages or place == 0:
            self.storages[place] = torch.UntypedStorage(storage.nbytes())
        own = self.storages[place]
        begin, size = extent(tensor)
        self.runtime.copy(own.data_ptr() + begin, place + begin, size)
        return torch.empty(0, dtype=tensor.dtype, device="cpu").set_(
            own, tensor.storage_offset(), tensor.size(), tensor.stride()
        )

    def on_device(self, value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or value.is_cuda:
            return value
        return self.write(torch.empty(0, dtype=value.dtype, device="cuda"), value)

    def write(self, tensor: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        """Gives the tensor what was computed for it, and its shape where the function has changed that."""
        storage, source = tensor.untyped_storage(), value.untyped_storage()
        if storage.nbytes() < source.nbytes():
            storage.resize_(source.nbytes())
        if (tensor.size(), tensor.stride()) != (value.size(), value.stride()):
            tensor.set_(storage, value.storage_offset(), value.size(), value.stride())
        begin, size = extent(value)
        self.runtime.copy(storage.data_ptr() + begin, source.data_ptr() + begin, size)
        return tensor


def computed_on_host(operator: Any, runtime: Runtime) -> Callable[..., Any]:
    """The operator for tensors on the device."""
    written = [
        argument.alias_info is not None and argument.alias_info.is_write for argument in operator._schema.arguments
    ]
    names = [argument.name for argument in operator._schema.arguments]
    of_tensors = {argument.name for argument in operator._schema.arguments if str(argument.type) == "Tensor"}

    def compute(*arguments: Any, **named: Any) -> Any:
        tell_once()
        call = Call(runtime)
        given = dict(zip(names, arguments)) | named
        ours = {name: tree_map(call.on_host, value) for name, value in given.items()}
        positional = [ours[name] for name in names[: len(arguments)]]
        # Where a number stands for a tensor it has come as one, and few overloads take it so: another one does.
        is_number = any(isinstance(ours.get(name), (bool, int, float, complex)) for name in of_tensors)
        called = operator.overloadpacket if is_number else operator
        result = called(*positional, **{name: ours[name] for name in named})
        changed = {}
        for name, is_written in zip(names, written):
            for theirs, own in zip(tensors(given.get(name)), tensors(ours.get(name))) if is_written else ():
                changed[id(own)] = call.write(theirs, own) if theirs.is_cuda else theirs
        return tree_map(lambda value: changed[id(value)] if id(value) in changed else call.on_device(value), result)

    return compute


def plain_copy(runtime: Runtime, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """copy_: between equal layouts the bytes are copied as torch does, so that the emulator sees the copy."""

    def copy(to: torch.Tensor, source: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
        equal = (to.dtype, to.size()) == (source.dtype, source.size()) and to.is_contiguous() and source.is_contiguous()
        if not equal or to.is_conj() != source.is_conj() or to.is_neg() != source.is_neg():
            return otherwise(to, source, non_blocking)
        on_device = to.is_cuda and source.is_cuda
        runtime.copy(to.data_ptr(), source.data_ptr(), extent(source)[1], wait=not (non_blocking or on_device))
        return to

    return copy


def by_cublas(operator: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """A product as torch has it for the device, but for complex ones, which the emulator's cuBLAS does not compute."""
    own = torch.library.get_kernel(operator, "CUDA")

    def compute(keys: Any, *arguments: Any, **named: Any) -> Any:
        given = (one for value in (*arguments, *named.values()) for one in tensors(value))
        if any(one.is_complex() for one in given):
            return otherwise(*arguments, **named)
        return own.call_boxed(keys, *arguments, **named)

    return compute


def tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    return [one for one in value if isinstance(one, torch.Tensor)] if isinstance(value, (list, tuple)) else []


told = False


def tell_once() -> None:
    global told
    if not told:
        told = True
        print("tmaemu: torch's own device functions are computed by torch on the host", file=sys.stderr)


def install() -> torch.library.Library:
    """Puts the host's functions in the place of the device's; they stay as long as what is returned lives."""
    if not torch.cuda.is_available():
        raise SystemExit("tmaemu_torch: torch sees no GPU: run it under tmaemu, with a torch that is built for CUDA")
    library = torch.library.Library("aten", "IMPL")
    runtime = Runtime()
    for name in torch._C._dispatch_get_all_op_names():
        space, _, rest = name.partition("::")
        packet, _, overload = rest.partition(".")
        if space != "aten" or packet in KEPT or not torch._C._dispatch_has_kernel_for_dispatch_key(name, "CUDA"):
            continue
        if not hasattr(torch.ops.aten, packet):
            continue
        operator = getattr(getattr(torch.ops.aten, packet), overload or "default")
        on_host = computed_on_host(operator, runtime)
        if packet not in PRODUCTS:
            library.impl(rest, on_host, "CUDA", allow_override=True)
        # With an older torch no product is the host's, and complex ones fail.
        elif hasattr(torch.library, "get_kernel"):
            library.impl(rest, by_cublas(operator, on_host), "CUDA", with_keyset=True, allow_override=True)
    copy = plain_copy(runtime, computed_on_host(torch.ops.aten.copy_.default, runtime))
    library.impl("copy_", copy, "CUDA", allow_override=True)
    choose_plain_functions()
    return library


def choose_plain_functions() -> None:
    """Of the ways to compute one thing, those that a CPU has, too."""
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    torch.backends.cuda.enable_cudnn_sdp(False)


installed = install()

if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    del sys.argv[0]
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)  # what is beside a script is there to import, as always
    runpy.run_path(sys.argv[0], run_name="__main__")
