using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MqttCheck.LiveClusters.Tests.Bridges;

/// <summary>
/// A client of MQTT 3.1.1 that counts what arrives at one broker. It shares no code with what is tested.
/// </summary>
internal sealed class RawSubscriber : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
    {
        NoDelay = true,
    };

    private readonly byte[] _buffer = new byte[1 << 16];
    private readonly HashSet<string> _activeBridges = [];
    private int _length;

    /// <summary>Subscribes to all topics, and to the states of the bridges that the broker opens.</summary>
    public RawSubscriber(int port)
    {
        _socket.Connect(IPAddress.Loopback, port);
        Send(0x10, [0, 4, .. "MQTT"u8, 4, 2, 0, 60, .. Text($"counter{port}")]);
        Send(0x82, [0, 1, .. Text("#"), 0, .. Text("$SYS/broker/connection/#"), 0]);
    }

    /// <summary>How many publications have arrived since the last reset.</summary>
    public int Arrivals { get; private set; }

    /// <summary>How many bridges of the broker say that they are connected.</summary>
    public int ActiveBridges => _activeBridges.Count;

    /// <summary>Publishes without an acknowledgement.</summary>
    public void Publish(string topic) => Send(0x30, [.. Text(topic), (byte)'x']);

    /// <summary>Counts from 0 on.</summary>
    public void Reset() => Arrivals = 0;

    /// <summary>Takes what has arrived, and waits for more for a time.</summary>
    /// <returns>Whether something came.</returns>
    public bool Read(int milliseconds)
    {
        if (!_socket.Poll(1000 * milliseconds, SelectMode.SelectRead))
            return false;
        var read = _socket.Receive(_buffer.AsSpan(_length));
        _length += read;
        var start = 0;
        while (Packet(_buffer.AsSpan(start.._length)) is { } size)
        {
            Take(_buffer.AsSpan(start, size));
            start += size;
        }
        _buffer.AsSpan(start.._length).CopyTo(_buffer);
        _length -= start;
        return read > 0;
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    private void Take(ReadOnlySpan<byte> packet)
    {
        if (packet[0] >> 4 != 3)
            return;
        var at = 1;
        while ((packet[at++] & 0x80) != 0) { }
        var length = packet[at] << 8 | packet[at + 1];
        var topic = Encoding.UTF8.GetString(packet.Slice(at + 2, length));
        if (!topic.StartsWith('$'))
            Arrivals++;
        else if (packet[^1] == '1')
            _activeBridges.Add(topic);
        else
            _activeBridges.Remove(topic);
    }

    // The length of the first packet, if all of it is there.
    private static int? Packet(ReadOnlySpan<byte> bytes)
    {
        var (length, shift) = (0, 0);
        for (var at = 1; at < bytes.Length; at++)
        {
            length |= (bytes[at] & 0x7f) << shift;
            shift += 7;
            if ((bytes[at] & 0x80) == 0)
                return at + 1 + length <= bytes.Length ? at + 1 + length : null;
        }
        return null;
    }

    // Packets of up to 127 bytes.
    private void Send(byte first, byte[] body) => _socket.Send([first, (byte)body.Length, .. body]);

    private static byte[] Text(string text) =>
        [(byte)(text.Length >> 8), (byte)text.Length, .. Encoding.UTF8.GetBytes(text)];
}
