#!/usr/bin/env python3
"""Makes the capture that the manual uses as an example: sensors and dashboards with paho on Mosquitto for ten seconds,
all on loopback, with payloads of one letter. Argument: the file to write, such as samples/captures/plant.pcap."""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
target = pathlib.Path(sys.argv[1]).resolve()
PORT = 18830
GROUPS = [
    {"name": "sensor", "clients": 6, "topic": "plant/{}/temp", "every": 500, "bytes": [40, 60], "qos": 1},
    {"name": "dashboard", "clients": 2, "filters": ["plant/+/temp"], "keepAlive": 30},
]

with tempfile.TemporaryDirectory() as folder:
    config = pathlib.Path(folder) / "mosquitto.conf"
    config.write_text(f"listener {PORT} 127.0.0.1\nallow_anonymous true\n")
    broker = subprocess.Popen(["mosquitto", "-c", config], stderr=subprocess.DEVNULL)
    capture = subprocess.Popen(
        ["dumpcap", "-P", "-q", "-i", "lo", "-f", f"tcp port {PORT}", "-w", target], stderr=subprocess.DEVNULL
    )
    try:
        time.sleep(2)
        subprocess.run(
            ["/usr/bin/python3", here / "paho_clients.py", str(PORT), "10", json.dumps(GROUPS)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        time.sleep(1)
    finally:
        for process in [capture, broker]:
            process.terminate()
            process.wait(20)
