"""torch's own functions on tensors of the emulated device, beside the same on the host: `make test-torch`."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional


def values(device: str, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3)).to(device)


def gradient(device: str) -> Tensor:
    x = values(device, 4, 4).requires_grad_()
    (x @ x).relu().sum().backward()
    assert x.grad is not None
    return x.grad


def with_first_column(device: str, value: float) -> Tensor:
    x = values(device, 4, 4)
    x[:, 0].fill_(value)
    return x


def with_some_rows_zero(device: str) -> Tensor:
    x = values(device, 8, 8)
    x[torch.tensor([1, 3], device=device)] = 0.0
    return x


# Of each kind: what is made, cast, gathered, reduced, multiplied, written in place, and what returns several.
FUNCTIONS: dict[str, Callable[[str], Tensor]] = {
    "arange": lambda at: torch.arange(7, device=at),
    "full": lambda at: torch.full((3, 4), 2.5, device=at),
    "eye": lambda at: torch.eye(5, device=at),
    "a cast to half": lambda at: values(at, 8, 9).half(),
    "a cast to fp8 and back": lambda at: values(at, 16, 16).to(torch.float8_e4m3fn).float(),
    "a transpose that is copied": lambda at: values(at, 8, 9).t().contiguous(),
    "a column that is filled": lambda at: with_first_column(at, 3),
    "rows that are set by an index": with_some_rows_zero,
    "rows that are gathered": lambda at: values(at, 8, 8)[torch.tensor([1, 3], device=at)],
    "what a mask selects": lambda at: values(at, 8, 8)[values(at, 8, 8) > 0],
    "cat": lambda at: torch.cat([values(at, 3), values(at, 4)]),
    "a remainder by a number": lambda at: torch.arange(7, dtype=torch.int32, device=at) % 3,
    "sum": lambda at: values(at, 64, 64).sum(1),
    "cumsum": lambda at: values(at, 9).cumsum(0),
    "the second of topk": lambda at: torch.topk(values(at, 50), 3)[1],
    "unique": lambda at: torch.unique(torch.tensor([3, 1, 3], device=at)),
    "a result that has to grow": lambda at: torch.add(values(at, 5), 1, out=torch.empty(0, device=at)),
    "a list's sums": lambda at: torch._foreach_add([values(at, 3)], 1.0)[0],
    "softmax": lambda at: torch.softmax(values(at, 8, 16), -1),
    "a product of bf16": lambda at: values(at, 32, 48).bfloat16() @ values(at, 48, 16).bfloat16(),
    "a product of f32": lambda at: values(at, 32, 48) @ values(at, 48, 16),
    "a product of complex numbers": lambda at: (
        torch.complex(values(at, 8, 8), values(at, 8, 8)) @ values(at, 8, 8).cfloat()
    ),
    "einsum": lambda at: torch.einsum("bij,bjk->bik", values(at, 2, 3, 4), values(at, 2, 4, 5)),
    "a gradient": gradient,
    "layer_norm": lambda at: functional.layer_norm(values(at, 4, 16), (16,)),
    "attention": lambda at: functional.scaled_dot_product_attention(*[values(at, 1, 2, 8, 16)] * 3, is_causal=True),
    "a convolution": lambda at: functional.conv2d(values(at, 1, 3, 8, 8), values(at, 4, 3, 3, 3)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_on_the_device_what_it_gives_on_the_host(name: str) -> None:
    result = FUNCTIONS[name]("cuda")
    assert result.is_cuda
    torch.testing.assert_close(result.cpu(), FUNCTIONS[name]("cpu"))


# Beside large numbers of the same 16 products the matrix units lose a small one, although the large ones' sum is 0.
def test_a_product_is_summed_as_a_gpu_sums_it() -> None:
    row = torch.zeros(1, 32, dtype=torch.bfloat16)
    row[0, 0], row[0, 16], row[0, 17] = 2.0**30, -(2.0**30), 1
    ones = torch.ones(32, 8, dtype=torch.bfloat16)
    assert (row.cuda() @ ones.cuda()).cpu().tolist() == [[0.0] * 8]


def test_random_numbers_follow_the_seed() -> None:
    drawn = [torch.manual_seed(5) and torch.rand(9, device="cuda").cpu() for _ in range(2)]
    assert torch.equal(*drawn)


def test_a_view_writes_no_more_than_is_its_own() -> None:
    whole = torch.zeros(8, device="cuda")
    whole[2:4].add_(1)
    assert whole.cpu().tolist() == [0, 0, 1, 1, 0, 0, 0, 0]


def test_work_is_done_in_the_order_of_its_stream() -> None:
    with torch.cuda.stream(torch.cuda.Stream()):
        total = (torch.ones(3, device="cuda") * 2).sum()
    assert total.item() == 6
