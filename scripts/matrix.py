"""Prints the page of scripts/matrix from the files of the checks: DIRECTORY TIME BROKER ..."""
import csv
import json
import os
import sys

SHORT = {"kept": "kept", "violated": "**violated**", "not as recommended": "not as recommended", "seen": "seen", "not judged": "-"}

directory, time, *brokers = sys.argv[1:]
rows, runs = {}, {}
for broker in brokers:
    with open(f"{directory}/{broker}.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rows.setdefault((row["mqtt"], row["statement"]), {"owner": row["owner"]})[broker] = row
    with open(f"{directory}/{broker}.json", encoding="utf-8") as file:
        runs[broker] = json.load(file)

day = min(run["started"] for run in runs.values())[:10]
print("# Statements by broker\n")
print(f"    scripts/matrix {time} {' '.join(brokers)}\n")
print(f"checks the brokers for {time}, one after the other, with their default settings ({day}).")
print(os.environ.get("MATRIX_LOAD", "Nothing else ran on the machine."))
print("""
A statement is *violated* if a finding that was repeated violates it, and *not as recommended* if
the finding is one of SHOULD. It is *seen* if a deviation was seen that is no finding. Nobody could
repeat it or had time to, or it may follow from another one. It is *kept* if it was judged and
nothing was seen. A `-` says that it was not judged, because nothing gave occasion.
[The statements](../reference/statements.md) says how each is judged. Duties of clients are left
out.

| broker | version | scenarios | commands | violated | not as recommended | seen | kept | not judged |
|---|---|---|---|---|---|---|---|---|""")


def counted(mqtt):
    return [key for key, row in rows.items() if key[0] == mqtt and row["owner"] != "client"]


for broker, run in runs.items():
    spoken = [key for mqtt in run["protocols"] for key in counted(mqtt)]
    results = [rows[key][broker]["result"] for key in spoken]
    counts = " | ".join(str(results.count(result)) for result in ("violated", "not as recommended", "seen", "kept", "not judged"))
    print(f"| {broker} | {run['brokerVersion']} | {run['scenarios']} | {run['commands']} | {counts} |")

for mqtt in ("3.1.1", "5"):
    speaking = [broker for broker, run in runs.items() if mqtt in run["protocols"]]
    if not speaking:
        continue
    print(f"\n## MQTT {mqtt}\n")
    silent = [broker for broker in brokers if broker not in speaking]
    if silent:
        print(f"Not spoken: {', '.join(silent)}.\n")
    never = [key[1] for key in counted(mqtt) if all(rows[key][broker]["result"] == "not judged" for broker in speaking)]
    print(f"| statement | {' | '.join(speaking)} |")
    print("|---" * (len(speaking) + 1) + "|")
    for key in counted(mqtt):
        if key[1] not in never:
            print(f"| {key[1]} | {' | '.join(SHORT[rows[key][broker]['result']] for broker in speaking)} |")
    if never:
        print("\nJudged at no broker:\n")
        for start in range(0, len(never), 10):
            print("    " + " ".join(never[start : start + 10]))

print("\n## Findings\n")
print("| broker | statement | class | MQTT | observed | smallest scenario |\n|---|---|---|---|---|---|")
for broker, run in runs.items():
    for finding in run["findings"]:
        if finding["hits"] == 0 or finding.get("explainedBy"):
            continue
        observed = finding["observed"].replace("|", "\\|")
        steps = "; ".join(finding["scenario"]).replace("|", "\\|")
        print(
            f"| {broker} | {finding['statement']} | {finding['class']} | {finding['protocol']} | `{observed}` | `{steps}` |"
        )
