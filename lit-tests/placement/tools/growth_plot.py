#!/usr/bin/env python3
"""growth_plot.py - draws what placement-growth prints: time over the number of declarations, as an SVG.

usage: growth_plot.py GROWTH.csv GROWTH.svg
"""

import csv
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 64, 24, 48, 64
LIMIT_MS, LIMIT_AT = 50, ("10", "8", "40", "12")  # the size that must stay below the limit


def nice_step(span, count):
    """The smallest of 1, 2, 5, 10, ... that divides the span into at most `count` steps."""
    for power in range(10):
        for digit in (1, 2, 5):
            if digit * 10**power * count >= span:
                return digit * 10**power
    raise ValueError(span)


def main(source, target):
    with open(source) as file:
        rows = list(csv.DictReader(file))
    counts = [sum(int(row[kind]) for kind in ("roles", "rings", "buffers", "barriers")) for row in rows]
    times = [float(row["median_ms"]) for row in rows]
    x_step, y_step = nice_step(max(counts), 10), nice_step(max(times + [LIMIT_MS]), 8)
    x_max = -(-max(counts) // x_step) * x_step
    y_max = int(-(-max(times + [LIMIT_MS]) // y_step)) * y_step

    def x(count):
        return round(LEFT + count / x_max * (WIDTH - LEFT - RIGHT), 1)

    def y(milliseconds):
        return round(HEIGHT - BOTTOM - milliseconds / y_max * (HEIGHT - TOP - BOTTOM), 1)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">CPU time of one placement, over its size</text>',
    ]
    for value in range(0, y_max + 1, y_step):
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value)}" y2="{y(value)}" stroke="#e5e5e5"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(value) + 4}" text-anchor="end">{value}</text>')
    for value in range(0, x_max + 1, x_step):
        out.append(f'<line x1="{x(value)}" x2="{x(value)}" y1="{y(0)}" y2="{y(0) + 5}" stroke="#999"/>')
        out.append(f'<text x="{x(value)}" y="{y(0) + 19}" text-anchor="middle">{value}</text>')
    out.append(f'<text x="{LEFT - 8}" y="{TOP - 12}" text-anchor="end">ms</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 20}" text-anchor="middle">'
               "declarations: roles + rings + buffers + named barriers</text>")
    out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(LIMIT_MS)}" y2="{y(LIMIT_MS)}" stroke="#b33"'
               ' stroke-dasharray="6 4"/>')
    out.append(f'<text x="{LEFT + 8}" y="{y(LIMIT_MS) - 6}" fill="#b33">{LIMIT_MS} ms</text>')
    points = " ".join(f"{x(count)},{y(time)}" for count, time in zip(counts, times))
    out.append(f'<polyline points="{points}" fill="none" stroke="#2563a8" stroke-width="2"/>')
    for row, count, time in zip(rows, counts, times):
        is_marked = (row["roles"], row["rings"], row["buffers"], row["barriers"]) == LIMIT_AT
        out.append(f'<circle cx="{x(count)}" cy="{y(time)}" r="{5 if is_marked else 3}" fill="#2563a8"/>')
        if is_marked:
            out.append(f'<text x="{x(count)}" y="{y(time) - 12}" text-anchor="end" font-weight="bold">'
                       f'{row["roles"]} roles, {row["rings"]} rings, {row["buffers"]} buffers: {time:.0f} ms</text>')
    out.append("</svg>")
    with open(target, "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
