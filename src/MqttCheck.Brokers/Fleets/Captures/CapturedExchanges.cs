using MqttCheck.Brokers.Fleets.Requests;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Brokers.Fleets.Captures;

/// <summary>Finds the publications of a fleet, and their acknowledgements, among captured segments.</summary>
internal static class CapturedExchanges
{
    private const int LargestPacketBytes = 1 << 20;

    /// <summary>The acknowledged publications at QoS 1.</summary>
    /// <param name="segments">The segments in order of time.</param>
    /// <param name="brokerPort">The port of the broker; clients speak MQTT over plain TCP with it.</param>
    /// <param name="setup">The run: its topics and the marks of its messages.</param>
    public static IReadOnlyList<CapturedPublish> Find(
        IReadOnlyList<CapturedSegment> segments,
        int brokerPort,
        FleetSetup setup
    )
    {
        var packets = new RequestPackets(setup);
        var found = new List<CapturedPublish>();
        // The key is the client's port; a port that is reused begins with a CONNECT.
        var connections = new Dictionary<int, Connection>();
        foreach (var segment in segments)
        {
            var toBroker = segment.DestinationPort == brokerPort;
            if (!toBroker && segment.SourcePort != brokerPort)
                continue;
            var port = toBroker ? segment.SourcePort : segment.DestinationPort;
            if (!connections.TryGetValue(port, out var connection) || (toBroker && segment.Data.Span[0] == 0x10))
                connections[port] = connection = new();
            var stream = toBroker ? connection.ToBroker : connection.ToClient;
            stream.Add(segment);
            while (stream.TryTake(out var packet, out var first, out var last))
            {
                if (
                    toBroker
                    && PublishView.TryParse(setup.ProtocolVersion, packet, out var message, PacketOrigin.Client)
                )
                {
                    if (
                        message.Qos == QualityOfService.AtLeastOnce
                        && packets.TryRead(message.Topic, message.Payload, out _, out var number)
                    )
                        connection.Open = (message.PacketId, number, first);
                }
                else if (
                    !toBroker
                    && AckView.TryParse(setup.ProtocolVersion, packet, out var ack, PacketOrigin.Server)
                    && ack.Type == PacketType.Puback
                    && connection.Open is { } open
                    && open.PacketId == ack.PacketId
                )
                {
                    // A client has one open publication at a time.
                    connection.Open = null;
                    found.Add(new((int)(open.Number >> 32), (uint)open.Number, open.Sent, last));
                }
            }
        }
        return found;
    }

    private sealed class Connection
    {
        public Stream ToBroker { get; } = new();

        public Stream ToClient { get; } = new();

        public (ushort PacketId, ulong Number, long Sent)? Open { get; set; }
    }

    // One direction of a connection: the bytes that are not yet whole packets, and the time of each segment.
    private sealed class Stream
    {
        private readonly List<(int End, long Nanoseconds)> _times = [];
        private byte[] _bytes = new byte[256];
        private int _first,
            _end;
        private uint _next;
        private bool _begun;

        public void Add(in CapturedSegment segment)
        {
            // A retransmitted segment begins before the expected sequence number.
            if (_begun && (int)(segment.Sequence - _next) < 0)
                return;
            (_begun, _next) = (true, segment.Sequence + (uint)segment.Data.Length);
            if (_end + segment.Data.Length > _bytes.Length)
                Compact(segment.Data.Length);
            segment.Data.Span.CopyTo(_bytes.AsSpan(_end));
            _end += segment.Data.Length;
            _times.Add((_end, segment.Nanoseconds));
        }

        public bool TryTake(out ReadOnlySpan<byte> packet, out long first, out long last)
        {
            packet = default;
            (first, last) = (0, 0);
            if (
                PacketFrame.TryRead(_bytes.AsSpan(_first, _end - _first), LargestPacketBytes, out var frame)
                != FrameStatus.Complete
            )
                return false;
            packet = _bytes.AsSpan(_first, frame.TotalLength);
            (first, last) = (TimeOf(_first), TimeOf(_first + frame.TotalLength - 1));
            _first += frame.TotalLength;
            _times.RemoveAll(time => time.End <= _first);
            return true;
        }

        private long TimeOf(int position) => _times.Find(time => position < time.End).Nanoseconds;

        private void Compact(int room)
        {
            var rest = _bytes.AsSpan(_first, _end - _first);
            var bytes = new byte[Math.Max(256, 2 * (rest.Length + room))];
            rest.CopyTo(bytes);
            for (var i = 0; i < _times.Count; i++)
                _times[i] = (_times[i].End - _first, _times[i].Nanoseconds);
            (_bytes, _first, _end) = (bytes, 0, rest.Length);
        }
    }
}
