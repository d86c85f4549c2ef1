"""Uses a broker as Eclipse Paho does, over one transport: for each version and QoS a subscriber, a publisher and ten messages.

Prints one line for each message that arrives.
Arguments: tcp|websockets PORT [CA-FILE]
"""
import queue
import sys

import paho.mqtt.client as mqtt

PATIENCE = 10


def connect(name, transport, port, ca_file, version):
    events = queue.Queue()
    options = {} if version == mqtt.MQTTv5 else {"clean_session": True}
    client = mqtt.Client(name, protocol=version, transport=transport, **options)
    client.on_connect = lambda *arguments: events.put(("connected", arguments[3]))
    client.on_subscribe = lambda *arguments: events.put(("subscribed", arguments[3]))
    client.on_message = lambda client, user, message: events.put(("message", message))
    if transport == "websockets":
        client.ws_set_options(path="/mqtt")
    if ca_file:
        client.tls_set(ca_certs=ca_file)
    client.connect("127.0.0.1", port)
    client.loop_start()
    expect(events, "connected")
    return client, events


def expect(events, kind):
    met, value = events.get(timeout=PATIENCE)
    if met != kind:
        raise AssertionError(f"{met} instead of {kind}")
    return value


def main(transport, port, ca_file=None):
    for version, number in ((mqtt.MQTTv311, 4), (mqtt.MQTTv5, 5)):
        for qos in (0, 1, 2):
            subscriber, events = connect(f"subscriber{number}{qos}", transport, int(port), ca_file, version)
            publisher, _ = connect(f"publisher{number}{qos}", transport, int(port), ca_file, version)
            topic = f"judge/{number}/{qos}"
            subscriber.subscribe(f"{topic}/+", qos)
            expect(events, "subscribed")
            for i in range(10):
                publisher.publish(f"{topic}/ä", str(i), qos).wait_for_publish(PATIENCE)
            for _ in range(10):
                message = expect(events, "message")
                print(number, message.qos, message.topic, message.payload.decode())
            for client in (publisher, subscriber):
                client.disconnect()
                client.loop_stop()


main(*sys.argv[1:])
