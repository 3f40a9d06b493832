#!/usr/bin/env python3
"""capture_to_svg.py [--title TEXT] <CAPTURE >PICTURE: draws what `tmux capture-pane -p -e` printed as an SVG picture."""
import argparse
import html
import sys

from ansi import Style, runs

CELL, LINE, SIZE = 8.4, 18, 14
FOREGROUND, BACKGROUND = "#d8d8d8", "#1c1c1c"


def draw(capture, title=""):
    lines, style, columns, body = capture.rstrip("\n").split("\n"), Style(), 1, []
    for row, line in enumerate(lines):
        for column, text, cells, key in runs(line, style):
            look = dict(key)
            columns = max(columns, column + cells)
            fore, back = look["fore"] or FOREGROUND, look["back"]
            if look["reverse"]:
                fore, back = back or BACKGROUND, fore
            x, y = column * CELL, row * LINE
            if back:
                body.append(f'<rect x="{x:.1f}" y="{y}" width="{cells * CELL:.1f}" height="{LINE}" fill="{back}"/>')
            if not text.strip():
                continue
            extra = ' font-weight="bold"' * look["bold"] + ' opacity="0.6"' * look["dim"] + ' font-style="italic"' * look["italic"]
            marks = " ".join(["underline"] * look["underline"] + ["line-through"] * look["struck"])
            extra += f' text-decoration="{marks}"' if marks else ""
            body.append(f'<text x="{x:.1f}" y="{y + SIZE}" fill="{fore}" textLength="{cells * CELL:.1f}"{extra}>{html.escape(text)}</text>')
    wide, high = columns * CELL, len(lines) * LINE
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {wide + 16:.0f} {high + 16}" xml:space="preserve" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">',
        f"<title>{html.escape(title)}</title>" if title else "",
        f'<rect x="-8" y="-8" width="{wide + 16:.0f}" height="{high + 16}" rx="6" fill="{BACKGROUND}"/>', *body, "</svg>", ""])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--title", default="")
    sys.stdout.write(draw(sys.stdin.read(), parser.parse_args().title))
