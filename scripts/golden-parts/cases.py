"""The list of cases, and what of the tool's help they do not run."""

import re
import shlex
import sys

from tree import ROOT, filled


class Case:
    """A command line; kind: exact, or shape for what measures, of which only the form of files is compared."""

    def __init__(self, kind, words):
        self.kind, self.words, self.name = kind, words, shlex.join(words)

    def run(self, number, side):
        return side.run(number, self)


class Cases:
    """The file scripts/golden-parts/cases."""

    def __init__(self):
        self.cases, self.wide, self.inputs, self.excuses = [], [], [], []
        for line in (ROOT / "scripts" / "golden-parts" / "cases").read_text().splitlines():
            kind, _, rest = line.partition(" ")
            if not line or line.startswith("#"):
                continue
            if kind == "input":
                self.inputs.append(shlex.split(rest))
            elif kind == "without":
                what, _, reason = rest.partition(": ")
                self.excuses.append((what.split(), reason))
            elif kind in ("exact", "shape", "stopped"):
                self.cases.append(Case(kind, shlex.split(rest)))
            elif kind in ("exact-wide", "shape-wide"):
                self.wide.append(Case(kind.removesuffix("-wide"), shlex.split(rest)))
            else:
                sys.exit(f"golden-parts/cases: '{kind}' begins a line; allowed: input, exact, shape, exact-wide, shape-wide, stopped, without")


def bad_input(ports):
    """The wrong command lines of the page, with their ports filled in."""
    for command in re.findall(r"^\| `(.*?)` \| \d", (ROOT / "docs/evidence/bad-input.md").read_text(), re.M):
        limited = command.startswith("(ulimit -n 64) ")
        words = shlex.split(filled(command.removeprefix("(ulimit -n 64) ").replace("\\|", "|"), ports))
        yield Case("limited" if limited else "exact", words)


class Help:
    """The verbs of a tool with their options and formats, as its help has them."""

    def __init__(self, run):
        self.run, self.verbs, self.groups, self.options, self.formats = run, [], [], {}, {}
        self._read([])

    def _read(self, words):
        text = self.run(words + ["--help"])
        commands = re.search(r"^Commands:\n((?:  .*\n?)+)", text, re.M)
        if commands:
            self.groups.append(words)
            for name in re.findall(r"^  ([a-z][\w-]*)", commands[1], re.M):
                self._read(words + [name])
            return
        verb = " ".join(words)
        self.verbs.append(verb)
        self.options[verb] = {}
        for section, body in re.findall(r"^(\w+):\n((?:  .*\n?)+)", text, re.M):
            for option in re.findall(r"^  (?:-\w, )*(--[\w-]+)", body, re.M):
                self.options[verb][option] = section
        self.formats[verb] = self._formats(words, text) if "--format" in self.options[verb] else {}

    # The message about a wrong format lists those that are allowed. The value says whether it is the default.
    def _formats(self, words, text):
        example = shlex.split(re.search(r"^Example:\n  mqttcheck (.*(?:\n    .*)*)", text, re.M)[1])
        listed = re.search(r"--format: .*Must be one of: (.*)", self.run(example + ["--format", "none-such"]))
        names = re.findall(r"'([\w-]+)'", listed[1]) if listed else []
        if not names:
            sys.exit(f"the formats of '{' '.join(words)}' are not in its message about a wrong one")
        section = re.search(r"--format FORMAT((?:.*\n)(?:    .*\n)*)", text)[1]
        default = re.search(r"Default (\w+)\.", " ".join(section.split()))
        return {name: bool(default and default[1] == name) for name in names}

    def verb_of(self, words):
        for length in (2, 1):
            if " ".join(words[:length]) in self.verbs:
                return " ".join(words[:length])
        return ""


class Coverage:
    """What of the help no case runs."""

    def __init__(self, tool_help, cases, excuses):
        self.help, self.asked, self.failures, self.excused = tool_help, {}, [], []
        for case in cases:
            self.asked.setdefault(tool_help.verb_of(case.words), []).append(case.words)
        open_parts = {part for verb in tool_help.verbs for part in self._open(verb)}
        for what, reason in excuses:
            verb = tool_help.verb_of(what)
            rest = what[len(verb.split()):]
            parts = [(verb, "--format", name) for name in rest[1:]] if rest[1:] else [(verb, *rest)]
            for part in parts:
                if part in open_parts:
                    open_parts.discard(part)
                    self.excused.append(f"{' '.join(part)}: {reason}")
                else:
                    self.failures.append(f"the list of cases excuses '{' '.join(part)}', which is covered or unknown")
        self.failures += [f"no case runs '{' '.join(part)}'" for part in sorted(open_parts)]

    # The verb; its options about output; its formats, the default one by a case that names none.
    def _open(self, verb):
        asked = self.asked.get(verb, [])
        if not asked:
            yield (verb,)
        for option, section in self.help.options[verb].items():
            if section == "Output" and option not in ("--help", "--format") and not any(option in words for words in asked):
                yield (verb, option)
        for name, is_default in self.help.formats[verb].items():
            plain = is_default and any("--format" not in words for words in asked)
            if not plain and not any(f"--format {name}" in " ".join(words) for words in asked):
                yield (verb, "--format", name)

    def unused(self):
        """The options about anything else that no case uses, by verb."""
        for verb in self.help.verbs:
            used = {word for words in self.asked.get(verb, []) for word in words}
            names = [name for name in self.help.options[verb] if name not in used and name != "--help"]
            if names:
                yield f"{verb}: {' '.join(names)}"
