"""Small SVG plots that are legible on light and dark backgrounds."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from math import floor, log10

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 200, 16, 48
COLOURS = ("#d1495b", "#2e86ab", "#3a9d5d", "#c98a1b", "#8e6bbf")  # 3:1 on white and on black
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#333}.grid{stroke:#8884}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}}"
)

Points = Sequence[tuple[float, float]]


def plot(lines: Mapping[str, Points], *, across: str, up: str, title: str) -> str:
    """Return an SVG of named lines; `across` and `up` label the axes with their units."""
    most_x = max(x for points in lines.values() for x, _ in points)
    most_y = max(y for points in lines.values() for _, y in points)
    ticks_x, ticks_y = ticks(most_x), ticks(most_y)

    def place(x: float, y: float) -> tuple[float, float]:
        wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        return LEFT + wide * x / ticks_x[-1], TOP + high * (1 - y / ticks_y[-1])

    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": str(WIDTH), "role": "img"}
    svg = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **box})
    ET.SubElement(svg, "title").text = title
    ET.SubElement(svg, "style").text = STYLE
    for y in ticks_y:
        (x1, at), (x2, _) = place(0, y), place(ticks_x[-1], y)
        _line(svg, [(x1, at), (x2, at)], {"class": "grid"})
        _text(svg, x1 - 6, at + 4, f"{y:,g}", "end")
    for x in ticks_x:
        at, bottom = place(x, 0)
        _text(svg, at, bottom + 18, f"{x:,g}", "middle")
    _text(svg, place(ticks_x[-1] / 2, 0)[0], HEIGHT - 8, across, "middle")
    turned = _text(svg, 0, 0, up, "middle")
    turned.set("transform", f"translate(14 {place(0, ticks_y[-1] / 2)[1]:.1f}) rotate(-90)")
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        placed = [place(x, y) for x, y in sorted(points)]
        _line(svg, placed, {"stroke": colour, "stroke-width": "2", "fill": "none"})
        for x, y in placed:
            ET.SubElement(svg, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="3", fill=colour)
        beside, at = WIDTH - RIGHT + 12, TOP + 16 + 20 * number
        _line(svg, [(beside, at), (beside + 18, at)], {"stroke": colour, "stroke-width": "2"})
        _text(svg, beside + 24, at + 4, name, "start")
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def ticks(most: float) -> list[float]:
    """Return a few round numbers from 0 up to at least `most`."""
    rough = max(most, 1e-9) / 4
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    count = next(n for n in range(1, 10) if n * step >= most)
    return [n * step for n in range(count + 1)]


def _line(svg: ET.Element, points: Sequence[tuple[float, float]], style: dict[str, str]) -> None:
    told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    ET.SubElement(svg, "polyline", {"points": told, **style})


def _text(svg: ET.Element, x: float, y: float, text: str, anchor: str) -> ET.Element:
    where = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}
    found = ET.SubElement(svg, "text", where)
    found.text = text
    return found
