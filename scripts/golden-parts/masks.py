"""What the files of a case are compared by."""

import difflib
import gzip
import json
import os
import re

LINES_SHOWN = int(os.environ.get("LINES_SHOWN", "6"))

# All that may differ between two runs of one build. Nothing else is hidden from a case that is compared exactly.
MASKS = [
    # The version names the commit, and the two builds are of different commits.
    (r"\b\d+\.\d+\.\d+\+[0-9a-f]{7,40}(\.dirty)?", "VERSION"),
    # Files and pages say when they were made.
    (r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?", "TIME"),
    (r"\b20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)?( UTC)?", "TIME"),
    # Default names of files carry the time.
    (r"\b20\d{6}-\d{6}(-\d+)?\b", "TIME"),
    # Each side and each case has a directory of its own.
    (r"/[^\s\"'<>]*/golden-[^/\s]+/(old|new)/[0-9]+", "DIRECTORY"),
    # Servers take free ports.
    (r"\b127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"\b(ports? )\d{4,5}\b", r"\1PORT"),
    # Lines of work done say how long it took.
    (r"\b(in|after|took:?) +\d+(\.\d+)? (s|ms|min)\b", r"\1 DURATION"),
]

# Standard error shows progress every few seconds, which a faster run does not reach.
PROGRESS = r"(?m)^[^\n]*[:,] \d+(\.\d+)? s\n"

# Keys of measured results that are only there when the data of the run give cause.
OPTIONAL = {"candidates", "trend", "findings", "violations"}


def masked(text):
    for pattern, replacement in MASKS:
        text = re.sub(pattern, replacement, text)
    return text


def written(directory):
    """The files that a case has written, by their masked names."""
    files = (file for file in directory.rglob("*") if file.is_file() and not file.is_symlink())
    return {masked(str(file.relative_to(directory))): file for file in files}


def exact(file):
    content = file.read_bytes()
    if file.suffix == ".gz":
        content = gzip.decompress(content)
    try:
        text = masked(content.decode())
        return re.sub(PROGRESS, "", text) if file.name == "stderr.txt" else text
    except UnicodeDecodeError:
        return content


def shape(file):
    """The form of a file whose numbers are measured: keys of JSON, columns of CSV, names of metrics."""
    content = exact(file)
    if file.name == "exit.txt":
        # Whether there is a verdict, and which, is up to the run.
        return "0, 1 or 4" if content.strip() in ("0", "1", "4") else content
    if isinstance(content, bytes):
        return "bytes"
    if file.suffix == ".csv" or file.name.endswith(".csv.gz"):
        return content.split("\n", 1)[0]
    try:
        return "\n".join(sorted(keys(json.loads(content), "")))
    except ValueError:
        pass
    if "# TYPE" in content:
        return "\n".join(sorted({re.split(r"[{ ]", line)[0] for line in content.splitlines() if line[:1] != "#"}))
    return "text"


def keys(value, path):
    if isinstance(value, dict):
        stable = ((name, inner) for name, inner in value.items() if name not in OPTIONAL)
        return {path}.union(*(keys(inner, f"{path}.{name}") for name, inner in stable))
    if isinstance(value, list):
        return {path}.union(*(keys(inner, path + "[]") for inner in value))
    return {path}


def differences(case, old, new):
    """The names of the files that differ, each with the first lines of the difference."""
    read = shape if case.kind == "shape" else exact
    before, after = written(old), written(new)
    for name in sorted(before | after):
        if name not in before or name not in after:
            yield name, ["only " + ("the old tool" if name in before else "this one") + " writes it"]
            continue
        first, second = read(before[name]), read(after[name])
        if first != second:
            lines = ["bytes differ"]
            if isinstance(first, str) and isinstance(second, str):
                lines = difflib.unified_diff(first.splitlines(), second.splitlines(), lineterm="", n=0)
                lines = [line[:160] for line in lines if line[:2] not in ("--", "++", "@@")]
            yield name, lines[:LINES_SHOWN]
