#!/usr/bin/env python3
"""Captures clients of three programs in five behaviours on two brokers, and compares the profile that 'learn' finds
with what ran. Arguments: the tool (such as artifacts/mqttcheck), a directory with node_modules/mqtt, seconds of a run.
With a fourth argument, such as paho, it takes clients of that program only, and goes on: it predicts twice as many of
the clients found, and holds ten live runs on Mosquitto against the prediction. Further arguments choose behaviours.
Everything is on loopback."""

import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
tool, node_modules, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
doubled = sys.argv[4] if len(sys.argv) > 4 else None
RUNS = 10
SHORT_SEQUENCE, SHORT_STAY = 10, 4000

SENSOR = {"name": "sensor", "clients": 8, "topic": "plant/{}/temp", "every": 400, "bytes": [180, 220], "qos": 1}
BEHAVIOURS = {
    "sensors": [SENSOR, {"name": "dashboard", "clients": 2, "filters": ["plant/+/temp"], "keepAlive": 30}],
    "states": [
        {
            "name": "plug",
            "clients": 6,
            "birth": "tele/{}/LWT",
            "topic": "tele/{}/STATE",
            "every": 500,
            "bytes": [60, 60],
            "qos": 0,
            "retain": True,
        },
        {"name": "home", "clients": 1, "filters": ["tele/#"], "subscribeQos": 1, "clean": False},
    ],
    "requests": [
        {
            "name": "asker",
            "clients": 4,
            "topic": "ask/{}",
            "filters": ["reply/{}"],
            "every": 300,
            "random": True,
            "bytes": [40, 80],
            "qos": 0,
        },
        {"name": "service", "clients": 1, "filters": ["ask/+"], "answer": "reply/{}"},
    ],
    "visits": [
        {"name": "meter", "clients": 8, "topic": "m/{}", "away": 700, "every": 1, "bytes": [24, 24], "qos": 1},
        {"name": "store", "clients": 1, "filters": ["m/#"], "subscribeQos": 1},
    ],
    "events": [
        {"name": "source", "clients": 6, "topic": "events", "every": 350, "random": True, "bytes": [50, 150], "qos": 0},
        {"name": "logger", "clients": 3, "filters": ["events"], "keepAlive": 20},
    ],
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_broker(kind, port, directory):
    if kind == "mosquitto":
        config = directory / "mosquitto.conf"
        config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        return subprocess.Popen(["mosquitto", "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    config = directory / "nats.conf"
    config.write_text(
        f'server_name: s\nlisten: 127.0.0.1:{free_port()}\njetstream {{ store_dir: "{directory}" }}\n'
        f"mqtt {{ listen: 127.0.0.1:{port} }}\n"
    )
    return subprocess.Popen(["nats-server", "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for(port):
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"nobody listens on {port}")


def commands(program, port, groups):
    arguments = [str(port), str(seconds), json.dumps(groups)]
    return {
        "paho": ["/usr/bin/python3", here / "paho_clients.py", *arguments],
        "mqtt.js": ["node", here / "mqttjs_clients.cjs", *arguments],
        "mqttnet": ["dotnet", "run", "--no-build", here / "mqttnet_clients.cs", "--", *arguments],
    }[program]


def mean_of(law):
    (kind, value), *_ = [(k, v) for k, v in law.items() if k not in ("minimum", "maximum")]
    if kind in ("constant", "exponential"):
        return value
    return sum(value) / 2 if kind == "uniform" else value[0] if kind == "normal" else value[0] * 2.718281828 ** (value[1] ** 2 / 2)


def compare(groups, ran, file):
    """The differences between what ran and a profile; nothing where there are none."""
    read = json.loads(file.read_text())
    found = {group["name"]: group for group in read.get("groups", [{"name": read["name"], "share": 0, "profile": read}])}
    wrong = []
    if sorted(found) != sorted(group["name"] for group in groups):
        return [f"groups {sorted(found)}"]
    rate_error = size_error = 0.0
    for group in groups:
        there = found[group["name"]]
        profile = there["profile"]
        qos = profile.get("qos", 1)
        checks = [
            (there["share"], group["clients"], "clients"),
            (profile.get("keepAliveSeconds", 0), group.get("keepAlive", 60), "keep alive"),
            (profile.get("session", "persistent"), "clean" if group.get("clean", True) else "persistent", "session"),
            (profile.get("retain", False), group.get("retain", False), "retain"),
            ("will" in profile, "birth" in group, "will"),
            ("afterConnect" in profile, "birth" in group, "birth"),
        ]
        if "filters" in group:
            wanted = [one.replace("{}", "{client}").replace("events", "events0") for one in group["filters"]]
            checks.append((profile.get("filters"), wanted, "filters"))
            subscribe = qos["subscribe"] if isinstance(qos, dict) else qos
            checks.append((subscribe, group.get("subscribeQos", 0), "QoS of subscriptions"))
        if "topic" in group:
            topic = group["topic"].replace("{}", "{client}").replace("events", "events{topic}")
            publish = qos["publish"] if isinstance(qos, dict) else qos
            checks += [(profile.get("topicName"), topic, "topic"), (publish, group["qos"], "QoS")]
            sizes = ran[group["name"]]["sizes"]
            bytes_ = profile["payloadBytes"]
            least, most = (bytes_, bytes_) if isinstance(bytes_, int) else (
                (bytes_["minimum"], bytes_["maximum"]) if isinstance(bytes_, dict) else bytes_
            )
            checks.append(((least, most), (min(sizes), max(sizes)), "sizes"))
            mean = mean_of(bytes_) if isinstance(bytes_, dict) else (least + most) / 2
            size_error = max(size_error, abs(mean / statistics.mean(sizes) - 1))
            before = profile.get("waitMillisecondsBefore", {})
            law = before.get("connect") if "away" in group else before.get("publish", profile["waitMilliseconds"])
            expected = 1000 * statistics.mean(ran[group["name"]]["absences" if "away" in group else "intervals"])
            rate_error = max(rate_error, abs(mean_of(law) / expected - 1))
        wrong += [f"{group['name']}: {what} {is_} for {should}" for is_, should, what in checks if is_ != should]
    if rate_error > 0.05:
        wrong.append(f"rates off by {rate_error:.1%}")
    if size_error > 0.05:
        wrong.append(f"sizes off by {size_error:.1%}")
    print(f"   rates within {rate_error:.1%}, sizes within {size_error:.1%}")
    return wrong


def run(program, kind, behaviours, directory):
    """All behaviours at once, each with a broker and a capture of its own."""
    started, clients, captures = [], {}, []
    try:
        ports = {}
        for name in behaviours:
            ports[name] = free_port()
            own = directory / name
            own.mkdir()
            started.append(start_broker(kind, ports[name], own))
        for name in behaviours:
            wait_for(ports[name])
            capture = ["dumpcap", "-q", "-i", "lo", "-f", f"tcp port {ports[name]}", "-w", directory / f"{name}.pcapng"]
            captures.append(subprocess.Popen(capture, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        time.sleep(2)
        environment = {**os.environ, "NODE_PATH": str(pathlib.Path(node_modules) / "node_modules")}
        for name, groups in behaviours.items():
            clients[name] = subprocess.Popen(
                commands(program, ports[name], groups), stdout=subprocess.PIPE, text=True, env=environment
            )
        ran = {name: json.loads(client.communicate(timeout=seconds + 60)[0]) for name, client in clients.items()}
        time.sleep(1)
    finally:
        for process in [*clients.values(), *captures, *started]:
            if process.poll() is None:
                process.terminate()
                process.wait(20)
    good = 0
    for name, groups in behaviours.items():
        learned = subprocess.run(
            [tool, "learn", f"{name}.pcapng", "--names", "--learner", "binned-quantiles"],
            cwd=directory,
            capture_output=True,
            text=True,
            check=False,
        )
        file = directory / "models" / f"{name}.profile.json"
        print(f"{program} on {kind}, {name}:")
        wrong = compare(groups, ran[name], file) if file.exists() else [learned.stdout + learned.stderr]
        good += not wrong
        for line in wrong:
            print(f"   WRONG {line}")
    return good


def shortened(file):
    """A profile with shorter sequences, since each run waits for one of each client."""
    read = json.loads(file.read_text())
    for profile in [group["profile"] for group in read.get("groups", [])] or [read]:
        before = profile.get("waitMillisecondsBefore", {})
        if before.get("disconnect", {}).get("constant", 0) > SHORT_STAY:
            before["disconnect"]["constant"] = SHORT_STAY
        elif profile["sequenceLength"] > SHORT_SEQUENCE and profile.get("order", [""])[-1] != "disconnect":
            profile["sequenceLength"] = SHORT_SEQUENCE
    short = file.with_suffix(".short.json")
    short.write_text(json.dumps(read))
    return short


def run_doubled(kind, behaviours, directory):
    """Twice the clients that were found, live, against what the model of the capture predicts of them."""
    started, arguments = [], []
    try:
        for name in behaviours:
            port = free_port()
            own = directory / f"{name}-doubled"
            own.mkdir()
            started.append(start_broker(kind, port, own))
            models = directory / "models"
            arguments += [models / f"{name}.json", shortened(models / f"{name}.profile.json"), str(port)]
            wait_for(port)
        benchmarks = here.parent.parent / "benchmarks" / "MqttCheck.Benchmarks"
        command = ["dotnet", "run", "-c", "Release", "--no-build", "--project", benchmarks, "--", "found-fleets"]
        return subprocess.run([*command, str(RUNS), *arguments], check=False).returncode
    finally:
        for broker in started:
            broker.terminate()
            broker.wait(20)


if doubled:
    chosen = {name: BEHAVIOURS[name] for name in sys.argv[5:] or BEHAVIOURS}
    with tempfile.TemporaryDirectory() as folder:
        run(doubled, "mosquitto", chosen, pathlib.Path(folder))
        sys.exit(run_doubled("mosquitto", chosen, pathlib.Path(folder)))
subprocess.run(["dotnet", "build", here / "mqttnet_clients.cs", "-v", "q", "--nologo"], check=True)
total = 0
for program in ["paho", "mqtt.js", "mqttnet"]:
    for kind in ["mosquitto", "nats"]:
        with tempfile.TemporaryDirectory() as folder:
            total += run(program, kind, BEHAVIOURS, pathlib.Path(folder))
print(f"{total} of {3 * 2 * len(BEHAVIOURS)} found as they ran")
