#!/usr/bin/env python3
"""Draws docs/pictures/shapes.svg from the diagrams of the demonstration's dataset:

    perslay shapes --per-class 100 -o SHAPES
    perslay diagrams SHAPES --filtration hks:10 -o shapes.csv
    docs/pictures/draw_shapes.py shapes.csv > docs/pictures/shapes.svg
"""
import csv
import sys

FAMILIES = ["trees with hubs", "rings with chords", "dense communities"]
COLOURS = {"ord0": "#0072b2", "rel1": "#d55e00", "ext0": "#222222", "ext1": "#009e73"}
MEANING = {"ord0": "downward branches", "rel1": "upward branches", "ext0": "components", "ext1": "loops"}
SIDE, GAP, TOP, LEFT = 250, 45, 46, 50


def main():
    with open(sys.argv[1], newline="") as file:
        rows = [(int(r["item"]) // 100, r["kind"], float(r["birth"]), float(r["death"]))
                for r in csv.DictReader(file) if int(r["item"]) % 100 < 30]
    values = [x for row in rows for x in row[2:]]
    low, high = min(values), max(values)
    width = LEFT + 3 * SIDE + 2 * GAP + 20
    height = TOP + SIDE + 84
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="13">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for family, title in enumerate(FAMILIES):
        x0 = LEFT + family * (SIDE + GAP)

        def place(birth, death):
            scale = SIDE / (high - low)
            return x0 + (birth - low) * scale, TOP + SIDE - (death - low) * scale

        out.append(f'<text x="{x0 + SIDE / 2}" y="{TOP - 14}" text-anchor="middle" font-size="15">{title}</text>')
        out.append(f'<rect x="{x0}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="#fafafa" stroke="#bbb"/>')
        out.append(f'<line x1="{x0}" y1="{TOP + SIDE}" x2="{x0 + SIDE}" y2="{TOP}" stroke="#bbb"/>')
        for kind, colour in COLOURS.items():
            places = sorted({place(b, d) for f, k, b, d in rows if f == family and k == kind})
            dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places)
            out.append(f'<path d="{dots}" stroke="{colour}" stroke-width="4.5" stroke-linecap="round" '
                       'stroke-opacity="0.55" fill="none"/>')
        for value in (low, high):
            x, _ = place(value, low)
            _, y = place(low, value)
            out.append(f'<text x="{x:.1f}" y="{TOP + SIDE + 16}" text-anchor="middle" fill="#555" font-size="11">{value:.2f}</text>')
            out.append(f'<text x="{x0 - 5}" y="{y + 4:.1f}" text-anchor="end" fill="#555" font-size="11">{value:.2f}</text>')
        out.append(f'<text x="{x0 + SIDE / 2}" y="{TOP + SIDE + 30}" text-anchor="middle" fill="#555">birth</text>')
    out.append(f'<text transform="translate(14 {TOP + SIDE / 2}) rotate(-90)" text-anchor="middle" fill="#555">death</text>')
    x = LEFT
    for kind, colour in COLOURS.items():
        out.append(f'<circle cx="{x + 6}" cy="{height - 22}" r="6" fill="{colour}"/>')
        out.append(f'<text x="{x + 18}" y="{height - 18}">{kind}: {MEANING[kind]}</text>')
        x += 205
    out.append("</svg>")
    print("\n".join(out))


main()
