"""The examples on the pages of findings as programs: for their test, and for the launches that the pages run."""

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "findings"
INDEX = FOLDER / "index.md"
PAGES = sorted(set(FOLDER.glob("*.md")) - {INDEX})

EXAMPLE = re.compile(r"^## (Wrong|Right)\n.*?^```cuda\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A wrong and a right kernel, as above, for who meets the finding with a product of warpgroups.
WITH_WGMMA = re.compile(
    r"^## With wgmma\n.*?^```cuda\n(.*?)^```$.*?^```cuda\n(.*?)^```$.*?(?=^## )", re.MULTILINE | re.DOTALL
)
PRELUDE = re.compile(r"^```cuda\n(.*?)^```$", re.MULTILINE | re.DOTALL)

PROGRAM = """
#include <cassert>
#include <cooperative_groups.h>
#include <cstring>
#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"
#include "wgmma-interface.cuh"

inline constexpr int ARRAY_INTS = 1024;

KERNELS
#line 1 "main.cu"
int main(int count, char** arguments) {
  std::array<int*, 3> arrays{};
  for (int*& array : arrays) {
    cuda_check(cudaMalloc(&array, ARRAY_INTS * sizeof(int)));
    cuda_check(cudaMemset(array, 0, ARRAY_INTS * sizeof(int)));
  }
  std::array<int, ARRAY_INTS> words{};
  for (int i = 0; i < ARRAY_INTS; ++i) words[i] = i + 1;
  cuda_check(cudaMemcpy(arrays[0], words.data(), sizeof words, cudaMemcpyDefault));
  const CUtensorMap map = make_tensor_map<int, 1>(arrays[0], {256}, {}, {256});
  CUtensorMap* maps = nullptr;
  cuda_check(cudaMalloc(&maps, sizeof map));
  cuda_check(cudaMemcpy(maps, &map, sizeof map, cudaMemcpyDefault));
  auto kernel = [&](const char* name, auto* function, int ctas, auto... given) {
    if (std::strcmp(arguments[1], name) == 0) function<<<ctas, 256>>>(given...);
  };
CALLS
  cudaDeviceSynchronize();
}
"""
KERNEL = """\
__global__ void BOUNDSCLUSTERNAME(PARAMETERS) {
PRELUDE
BODY
}
"""

# What an example may use: its parameter, and what the program passes. A kernel has the parameters that it uses.
ARGUMENTS = {
    "source": ("int* source", "arrays[0]"),
    "target": ("int* target", "arrays[1]"),
    "result": ("int* result", "arrays[2]"),
    "map": ("const __grid_constant__ CUtensorMap map", "map"),
    "maps": ("CUtensorMap* maps", "maps"),
}
COMMENT = re.compile(r"//.*")

# A fourth of everything: what one can step through.
SMALLER = {"1024": "256", "256": "64", "255": "63", "200": "50", "128": "32", "8": "2"}


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def examples() -> dict[tuple[str, str], str]:
    """The bodies of kernels, by "wrong" or "right" and the code."""
    return {(kind.lower(), page.stem): body for page in PAGES for kind, body in EXAMPLE.findall(text_of(page))}


def wgmma_examples() -> dict[tuple[str, str], str]:
    """Those of the sections "With wgmma", by "wrong_wgmma" or "right_wgmma" and the code."""
    return {
        (kind, page.stem): body
        for page in PAGES
        for section in WITH_WGMMA.findall(text_of(page))
        for kind, body in zip(("wrong_wgmma", "right_wgmma"), section, strict=True)
    }


def smaller(text: str) -> str:
    return re.sub(r"(?<!alignas\()\b\d+\b", lambda number: SMALLER.get(number[0], number[0]), text)


def is_of_a_cluster(body: str) -> bool:
    return "cluster_" in body


def changes_registers(body: str) -> bool:
    """ptxas ignores setmaxnreg where it does not know how many CTAs an SM is to hold."""
    return "warpgroup_reg_" in body


def multiplies(body: str) -> bool:
    return "wgmma_n8" in body


def used(body: str) -> list[str]:
    """The names of ARGUMENTS that an example uses."""
    words = set(re.findall(r"\w+", COMMENT.sub("", body)))
    return [name for name in ARGUMENTS if name in words]


def kernel_of(code: str, body: str) -> str:
    """An example as a whole kernel, as a reader sees it."""
    of_all, of_products = PRELUDE.findall(text_of(INDEX))
    prelude = of_all + of_products if multiplies(body) else of_all
    replaced = {
        "BOUNDS": "__launch_bounds__(256, 1) " if changes_registers(body) else "",
        "CLUSTER": "__cluster_dims__(2) " if is_of_a_cluster(body) else "",
        "NAME": code.replace("-", "_"),
        "PARAMETERS": ", ".join(ARGUMENTS[name][0] for name in used(body)),
        "PRELUDE": _indented(prelude),
        "BODY": _indented(body),
    }
    return re.sub("|".join(replaced), lambda word: replaced[word[0]], KERNEL)


def program_of(kernels: dict[tuple[str, str], str], host: str = PROGRAM) -> str:
    """A program with these kernels, and `host` around them.

    It runs the one whose kind and code are its argument, as in "wrong deadlock". A kernel's lines are those of a file
    KIND/CODE.cu, which holds nothing else.
    """
    texts = [f'namespace {kind} {{\n#line 1 "{kind}/{code}.cu"\n{text}}}' for (kind, code), text in kernels.items()]
    calls = [
        f"  kernel({', '.join([*_target(kind, code, text), *(ARGUMENTS[name][1] for name in parameters_of(text))])});"
        for (kind, code), text in kernels.items()
    ]
    return host.replace("KERNELS", "\n".join(texts)).replace("CALLS", "\n".join(calls))


def parameters_of(kernel: str) -> list[str]:
    """The names of the parameters of a kernel."""
    head = kernel.partition("{")[0]
    return [name for name, (parameter, _) in ARGUMENTS.items() if re.search(rf"[(,] ?{re.escape(parameter)}[,)]", head)]


def _target(kind: str, code: str, kernel: str) -> list[str]:
    """What is launched, under which argument, and with how many CTAs."""
    return [f'"{kind} {code}"', f"{kind}::{code.replace('-', '_')}", "2" if is_of_a_cluster(kernel) else "1"]


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.rstrip().splitlines())
