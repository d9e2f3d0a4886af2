#!/usr/bin/env python3
"""Puts the numbers that `perslay reproduce` wrote (docs/results/*.json) into the tables of docs/RESULTS.md.

Tables stand between lines `<!-- table: NAME -->` and `<!-- end -->`; everything else is left alone. A number that is in
several files, such as the paper's network in a table of the ablation, comes from the file of its dataset."""
import json
import pathlib
import re

HERE = pathlib.Path(__file__).parent
GRAPHS = ["REDDIT5K", "REDDIT12K", "COLLAB", "IMDB-B", "IMDB-M", "COX2", "DHFR", "MUTAG", "PROTEINS", "NCI1", "NCI109"]
ORBITS = ["ORBIT5K", "ORBIT100K"]
PAPER, STRONG = "paper's network", "stronger recipe"
READINGS = [PAPER, "authors' training", "features standardised", "births and deaths apart"]


def rows():
    found = {}
    own = {name.lower() for name in GRAPHS + ORBITS}
    for file in sorted(HERE.glob("*.json"), key=lambda file: (file.stem in own, file.stem)):
        for row in json.loads(file.read_text())["rows"]:
            found[row["dataset"], row["column"]] = row
    return found


def percent(summary):
    if summary is None:
        return "–"
    text = f"{100 * summary['mean']:.1f}"
    return text if summary["std"] is None else f"{text} ± {100 * summary['std']:.1f}"


def reported(row):
    paper = row.get("paper")
    if paper is None:
        return "–"
    return f"{paper['mean']:.1f}" + ("" if paper["std"] is None else f" ± {paper['std']:.1f}")


def main_table(found, names):
    lines = ["| dataset | paper | the paper's network, ours | difference | best repeat (paper's) | stronger recipe | difference | majority class | size alone |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name in names:
        ours, strong = found.get((name, PAPER)), found.get((name, STRONG))
        if ours is None and strong is None:
            continue
        some = ours or strong
        cells = [name, reported(some)]
        for row, best in ((ours, True), (strong, False)):
            cells.append("–" if row is None else f"{percent(row['accuracy'])} ({row['protocol']})")
            cells.append("–" if row is None else f"{row['difference']:+.1f}")
            if best:
                cells.append("–" if row is None else f"{100 * row['accuracy']['max']:.1f} ({row.get('paper_max', '–')})")
        cells += [f"{100 * some['majority']:.1f}", f"{100 * some['size']:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def readings_table(found):
    """The paper's network in several readings: test, train and the number of ten-folds behind them."""
    lines = ["| dataset | paper | " + " | ".join(READINGS) + " |", "|---" * (2 + len(READINGS)) + "|"]
    for name in GRAPHS:
        cells = []
        for row in (found.get((name, column)) for column in READINGS):
            if row is None:
                cells.append("–")
                continue
            repeats = re.search(r"(\d+) repeat", row["protocol"])[1]
            cells.append(f"{percent(row['accuracy'])}, {row['difference']:+.1f} (train {100 * row['training_accuracy']['mean']:.1f}; {repeats})")
        lines.append("| " + " | ".join([name, reported(found[name, PAPER])] + cells) + " |")
    return lines


def ridge_table(found):
    pools = ["diagrams-only", "unlabelled", "no-topology", "labelled"]
    lines = ["| dataset | paper | the paper's network, ours | diagrams only | unlabelled | the same without diagrams | labelled | protocol |", "|---" * 8 + "|"]
    for name in GRAPHS:
        ridge = [found.get((name, f"ridge {pool}")) for pool in pools]
        some = next(filter(None, ridge), None)
        if some is None:
            continue
        cells = [percent(row and row["accuracy"]) for row in [found.get((name, PAPER))] + ridge]
        lines.append("| " + " | ".join([name, reported(some)] + cells + [some["protocol"]]) + " |")
    return lines


def kernel_table(found):
    lines = ["| kernel | paper | ours | train | protocol |", "|---" * 5 + "|"]
    for (name, column), row in found.items():
        if column.endswith("-K"):
            lines.append(f"| {column} | {reported(row)} | {percent(row['accuracy'])} | {100 * row['training_accuracy']['mean']:.1f} | {row['protocol']} |")
    return lines


def grid_table(found, names, columns):
    lines = ["| dataset | " + " | ".join(f"{column}: ours (paper)" for column in columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name in names:
        cells = [found.get((name, column)) for column in columns]
        if not all(cells):
            continue
        lines.append("| " + " | ".join([name] + [f"{percent(cell['accuracy'])} ({reported(cell)})" for cell in cells]) + " |")
    return lines


def ordinary_table(found):
    """Readings of the paper's ordinary diagrams, in the order of their file."""
    rows = [row for (_, column), row in found.items() if column.startswith("ordinary: ")]
    names = list(dict.fromkeys(row["dataset"] for row in rows))
    lines = ["| kinds | classes that never die | options | " + " | ".join(names) + " |", "|---" * (3 + len(names)) + "|"]
    for first in (row for row in rows if row["dataset"] == names[0]):
        cells = [", ".join(f"`{kind}`" for kind in first["kinds"].split(", ")), first["essential"], f"`{first['options']}`"]
        for name in names:
            row = found.get((name, first["column"]))
            cells.append("–" if row is None else f"{percent(row['accuracy'])} (train {100 * row['training_accuracy']['mean']:.1f})")
        lines.append("| " + " | ".join(cells) + " |")
    of = [next(row for row in rows if row["dataset"] == name) for name in names]
    for title, cell in (("paper", reported), ("majority class", lambda row: f"{100 * row['majority']:.1f}"),
                        ("size alone", lambda row: f"{100 * row['size']:.1f}")):
        lines.append("| " + " | ".join([f"*{title}*", "", ""] + [cell(row) for row in of]) + " |")
    return lines


def functions_table(found):
    """Each function alone, in the order of their file; the last rows need none."""
    rows = [row for (_, column), row in found.items() if column.startswith("function: ")]
    names = list(dict.fromkeys(row["dataset"] for row in rows))
    lines = ["| function | " + " | ".join(names) + " |", "|---" * (1 + len(names)) + "|"]
    for column in dict.fromkeys(row["column"] for row in rows):
        cells = (found.get((name, column)) for name in names)
        lines.append("| " + " | ".join([f"`{column.removeprefix('function: ')}`"] + [
            "–" if row is None else f"{percent(row['accuracy'])} (train {100 * row['training_accuracy']['mean']:.1f})" for row in cells]) + " |")
    of = [next(row for row in rows if row["dataset"] == name) for name in names]
    for title, key in (("majority class", "majority"), ("size alone", "size")):
        lines.append("| " + " | ".join([f"*{title}*"] + [f"{100 * row[key]:.1f}" for row in of]) + " |")
    return lines


def named_table(found):
    """Readings that have a name, in the order of their file."""
    rows = [row for (_, column), row in found.items() if column.startswith("reading: ")]
    names = list(dict.fromkeys(row["dataset"] for row in rows))
    lines = ["| reading | options | " + " | ".join(names) + " |", "|---" * (2 + len(names)) + "|"]
    for first in (row for row in rows if row["dataset"] == names[0]):
        cells = [first["reading"], f"`{first['options']}`" if first["options"] else ""]
        for name in names:
            row = found.get((name, first["column"]))
            if row is None:
                cells.append("–")
                continue
            repeats = re.search(r"(\d+) repeat", row["protocol"])[1]
            few = "" if repeats == "10" else "; one ten-fold" if repeats == "1" else f"; {repeats} ten-folds"
            cells.append(f"{percent(row['accuracy'])} (train {100 * row['training_accuracy']['mean']:.1f}{few})")
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("| " + " | ".join(["*paper*", ""] + [reported(next(row for row in rows if row["dataset"] == name)) for name in names]) + " |")
    return lines


def hyperparameter_table(found):
    lines = ["| dataset | choice | train (paper) | test (paper) | seconds per run (paper) |", "|---|---|---|---|---|"]
    for (name, column), row in found.items():
        if "paper_training" in row:
            lines.append(f"| {name} | {column} | {100 * row['training_accuracy']['mean']:.1f} ({row['paper_training']:.1f}) | "
                         f"{percent(row['accuracy'])} ({reported(row)}) | {row['seconds']['per_run']:.2f} ({row['paper_seconds']:.1f}) |")
    return lines


def main():
    found = rows()
    tables = {"orbits": main_table(found, ORBITS), "graphs": main_table(found, GRAPHS), "readings": readings_table(found),
              "ordinary": ordinary_table(found), "named": named_table(found), "functions": functions_table(found),
              "ablation": grid_table(found, GRAPHS, ["spectral alone", "extended alone", "ordinary alone", PAPER]),
              "hyperparameters": hyperparameter_table(found), "ridge": ridge_table(found), "kernels": kernel_table(found)}
    page = HERE.parent / "RESULTS.md"
    text = page.read_text()
    for name, lines in tables.items():
        body = "\n".join(lines) if len(lines) > 2 else "*Not run yet.*"
        text = re.sub(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + body + "\n" + m[2], text, flags=re.S)
    page.write_text(text)


if __name__ == "__main__":
    main()
