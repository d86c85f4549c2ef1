"""Runs groups of clients with paho: BROKER_PORT SECONDS GROUPS(JSON). Prints what each group did, as JSON."""

import json
import random
import sys
import threading
import time

import paho.mqtt.client as mqtt

port, seconds, groups = int(sys.argv[1]), float(sys.argv[2]), json.loads(sys.argv[3])
end = time.monotonic() + seconds
done = {group["name"]: {"intervals": [], "sizes": [], "absences": []} for group in groups}


def wait(group):
    mean = group["every"] / 1000
    return random.expovariate(1 / mean) if group.get("random") else mean


def connected(group, name):
    client = mqtt.Client(name, clean_session=group.get("clean", True))
    ready = threading.Event()
    if "birth" in group:
        client.will_set(group["birth"].format(name), "gone", 1, True)
    client.on_connect = lambda *_: ready.set()

    def answer(_, __, message):
        if "answer" in group:
            client.publish(group["answer"].format(message.topic.split("/")[-1]), "r" * 30, 0)

    client.on_message = answer
    client.connect("127.0.0.1", port, group.get("keepAlive", 60))
    client.loop_start()
    ready.wait(10)
    if "birth" in group:
        client.publish(group["birth"].format(name), "b" * 12, 1, True)
    for filter in group.get("filters", []):
        client.subscribe(filter.format(name), group.get("subscribeQos", 0))
    return client


def left(client):
    client.disconnect()
    client.loop_stop()


def run(group, number):
    name = f'{group["name"]}-{number:03}'
    time.sleep(random.random() * 0.5)
    client = connected(group, name)
    latest = None
    time.sleep(0.2 + (wait(group) * random.random() if "topic" in group else 0))
    while time.monotonic() < end:
        if "topic" not in group:
            time.sleep(0.1)
            continue
        now = time.monotonic()
        size = random.randint(*group["bytes"])
        client.publish(group["topic"].format(name), "x" * size, group["qos"], group.get("retain", False)).wait_for_publish(5)
        if latest is not None:
            done[group["name"]]["intervals"].append(now - latest)
        done[group["name"]]["sizes"].append(size)
        latest = now
        if "away" in group:
            gone = time.monotonic()
            left(client)
            latest = None
            time.sleep(group["away"] / 1000)
            done[group["name"]]["absences"].append(time.monotonic() - gone)
            if time.monotonic() < end:
                client = connected(group, name)
            continue
        time.sleep(max(0, now + wait(group) - time.monotonic()))
    if "away" not in group:
        left(client)


threads = [threading.Thread(target=run, args=(group, i)) for group in groups for i in range(group["clients"])]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(done))
