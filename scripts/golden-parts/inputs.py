"""The inputs of the cases: files, and servers that do not speak MQTT."""

import gzip
import json
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading

from tree import ROOT, free_port


def listen(answer):
    """A server on a free port that sends these bytes, and ends the connection if there are none; None: it says nothing."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        kept = []
        while True:
            connection, _ = listener.accept()
            if answer is not None:
                connection.recv(1024)
                connection.sendall(answer)
            if answer == b"":
                connection.close()
            kept.append(connection)

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


def bad_ports():
    return {
        "closed": free_port(),
        "silent": listen(None),
        "closing": listen(b""),
        "http": listen(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        "garbage": listen(bytes([0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x17, 0x99])),
        "refusing": listen(bytes([0x20, 2, 0, 5])),
        "plain": listen(bytes([0x20, 2, 0, 0])),
    }


def make_inputs(inputs, old, commands):
    """Inputs of all cases: files of samples and profiles, wrong files, and what the old tool makes of them."""
    inputs.mkdir()
    for pattern in ("samples/logs/*", "samples/results/*.json", "profiles/*.json", "models/*.json"):
        for file in ROOT.glob(pattern):
            shutil.copy(file, inputs)
    shutil.copy(inputs / "embedded.prediction.json", inputs / "prediction.json")
    (inputs / "a-directory").mkdir()
    lines = gzip.decompress((inputs / "embedded.csv.gz").read_bytes()).decode().split("\n")
    column = lines[0].split(",").index("latency_ms")
    wrong = lines[1].split(",")
    wrong[column] = "fast"
    profile = {"name": "x", "waitMilliseconds": {"uniform": [0, 500]}, "weights": {"publish": 5, "disconnect": 1}}
    texts = {
        "a-file": "x", "ca.pem": "x", "key.pem": "x", "empty.json": "", "empty.csv": "",
        "not-json.json": "hello", "truncated.json": '{ "name": "x",', "array.json": "[]",
        "other.csv": "time,temperature\n1,20\n",
        "messages.csv": "publisher,number,phase,qos,payload_bytes,intended_us,sent_us\n0,0,counted,1,20,1,1\n",
        "log.csv": "\n".join(lines[:400]) + "\n", "header.csv": lines[0] + "\n",
        "bad-number.csv": "\n".join([lines[0], ",".join(wrong), lines[2]]) + "\n",
        # Its waits are short, so that runs of the cases are.
        "fast.json": json.dumps(profile | {"name": "fast", "waitMilliseconds": {"uniform": [5, 20]}, "sequenceLength": 10}),
    }
    # The wrong profiles are those of the test of bad input: a key removed, or with another value.
    source = (ROOT / "tests/MqttCheck.Cli.Tests/BadInputFiles.cs").read_text()
    for name, key, value in re.findall(r'Changed\("([\w-]+)", "(\w+)", (null|"(?:\\.|[^"])*")\);', source):
        changed = {k: v for k, v in profile.items() if k != key}
        if value != "null":
            changed[key] = json.loads(json.loads(value))
        texts[f"profile-{name}.json"] = json.dumps(changed)
    for name, text in texts.items():
        (inputs / name).write_text(text)
    shutil.copy(inputs / "embedded.run.json", inputs / "log.run.json")
    for words in commands:
        done = subprocess.run([old.tool, *old.words(inputs, words)], cwd=inputs, capture_output=True, text=True)
        if done.returncode not in (0, 1, 4):
            sys.exit(f"golden-parts/cases: input {shlex.join(words)}: {done.stderr}")
    model = (inputs / "model.json").read_text()
    (inputs / "model-truncated.json").write_text(model[: len(model) // 2])
