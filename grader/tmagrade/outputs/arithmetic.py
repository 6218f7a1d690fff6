"""How points come about, written out."""

import itertools

from tmagrade.course.labs import Bandwidth
from tmagrade.outputs.wording import points


def bandwidth_points(rule: Bandwidth, fraction: float) -> str:
    """As "between 0.9 (22 points) and 0.95 (25): 22 + (0.9300 - 0.9) / (0.95 - 0.9) × 3 = 23.8"."""
    first, last = rule.thresholds[0], rule.thresholds[-1]
    if fraction < first.fraction:
        return f"below {first.fraction:g}, where points begin: 0"
    if fraction >= last.fraction:
        return f"{last.fraction:g} or more: all {points(last.points)}"
    low, high = next(
        (low, high) for low, high in itertools.pairwise(rule.thresholds) if low.fraction <= fraction < high.fraction
    )
    return (
        f"between {low.fraction:g} ({points(low.points)} points) and {high.fraction:g} ({points(high.points)}): "
        f"{points(low.points)} + ({fraction:.4f} - {low.fraction:g}) / ({high.fraction:g} - {low.fraction:g})"
        f" × {points(high.points - low.points)} = {points(round(rule.points_at(fraction), 2))}"
    )


def bandwidth_rule(rule: Bandwidth) -> str:
    """As "0.3: 0, 0.6: 10, 0.95: 25 points, linear in between"."""
    steps = ", ".join(f"{threshold.fraction:g}: {points(threshold.points)}" for threshold in rule.thresholds)
    return f"{steps} points, linear in between"
