"""
Stands between a client and a broker, and makes the client look faulty.
Arguments: PORT FAULT COMMAND..., where PROXY in the command becomes the port that the client connects to.
"""
import ctypes
import signal
import socket
import struct
import subprocess
import sys
import threading

broker_port, fault, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
CONNECT, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP, PINGREQ, PINGRESP, AUTH = 1, 2, 3, 4, 5, 6, 7, 12, 13, 15
SWALLOWED = {"no-puback": PUBACK, "no-pubrec": PUBREC, "no-pubrel": PUBREL, "no-pubcomp": PUBCOMP, "no-ping": PINGREQ}
REVERSED = {"reversed-puback": PUBACK, "reversed-pubrec": PUBREC}
FORGOTTEN = {"no-server-keep-alive": 0x13}
LENGTHS = {0x21: 2, 0x24: 1, 0x25: 1, 0x13: 2, 0x22: 2, 0x27: 4, 0x11: 4, 0x28: 1, 0x29: 1, 0x2A: 1}


def receive(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return data


def read(connection):
    first = receive(connection, 1)
    length, shift, header = 0, 0, first
    while True:
        byte = receive(connection, 1)
        header += byte
        length |= (byte[0] & 127) << shift
        shift += 7
        if byte[0] < 128 or shift > 21:
            break
    return header, receive(connection, length)


def without(body, identifier):
    """CONNACK of MQTT 5 without a property. Its properties are shorter than 128 bytes here."""
    properties, kept, at = body[3:3 + body[2]], b"", 0
    while at < len(properties):
        size = 1 + LENGTHS.get(properties[at], len(properties))
        if properties[at] != identifier:
            kept += properties[at:at + size]
        at += size
    return body[:2] + bytes([len(kept)]) + kept


def packet(first, body):
    return bytes([first, len(body)]) + body


def from_client(client, broker):
    held = []
    while True:
        header, body = read(client)
        kind = header[0] >> 4
        if SWALLOWED.get(fault) == kind:
            if kind == PINGREQ:
                client.sendall(packet(PINGRESP << 4, b""))
            continue
        if fault == "no-dup" and kind == PUBLISH:
            header = bytes([header[0] & ~8]) + header[1:]
        if fault == "wrong-puback" and kind == PUBACK:
            body = struct.pack(">H", struct.unpack(">H", body[:2])[0] + 100) + body[2:]
        if fault == "auth" and kind == PUBLISH:
            broker.sendall(packet(AUTH << 4, b"\x19\x06\x15\x00\x03abc"))
        if fault == "second-connect" and kind == CONNECT:
            broker.sendall(header + body)
        if REVERSED.get(fault) == kind:
            held.append(header + body)
            if len(held) == 2:
                broker.sendall(held[1] + held[0])
                held.clear()
            continue
        broker.sendall(header + body)


def from_broker(broker, client):
    while True:
        header, body = read(broker)
        if header[0] >> 4 == CONNACK:
            if fault in FORGOTTEN and len(body) > 2:
                client.sendall(packet(header[0], without(body, FORGOTTEN[fault])))
                continue
        client.sendall(header + body)


def pump(work, source, target):
    try:
        work(source, target)
    except OSError:
        pass
    for connection in (source, target):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    port = str(listener.getsockname()[1])
    # The client ends with the proxy.
    subprocess.Popen(
        [word.replace("PROXY", port) for word in command],
        preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL),
    )
    while True:
        client, _ = listener.accept()
        broker = socket.create_connection(("127.0.0.1", broker_port))
        for connection in (client, broker):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=pump, args=(from_client, client, broker), daemon=True).start()
        threading.Thread(target=pump, args=(from_broker, broker, client), daemon=True).start()


main()
