"""A client of Paho: twelve messages on each connection, then a rest. Arguments: PORT 311|5."""
import sys, time
import paho.mqtt.client as mqtt

port, version = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "311"
is_v5 = version == "5"
if is_v5:
    from paho.mqtt.properties import Properties
    from paho.mqtt.packettypes import PacketTypes
    client = mqtt.Client(client_id="paho", protocol=mqtt.MQTTv5)
    properties = Properties(PacketTypes.CONNECT)
    properties.SessionExpiryInterval = 1000
    arguments = {"clean_start": False, "properties": properties}
else:
    client = mqtt.Client(client_id="paho", clean_session=False, protocol=mqtt.MQTTv311)
    arguments = {}
left = [0]

def connected(client, *_):
    left[0] = 12
    client.subscribe("t/#", 2)

client.on_connect = connected
client.reconnect_delay_set(min_delay=1, max_delay=1)
client.connect("127.0.0.1", port, keepalive=2, **arguments)
client.loop_start()
number = 0
while True:
    time.sleep(.03)
    if client.is_connected() and left[0] > 0:
        left[0] -= 1
        number += 1
        client.publish("t/of/the/client", f"message {number}", qos=1 + number % 2, retain=number % 5 == 0)
