using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Links;

/// <summary>
/// One direction of one relayed connection. It takes bytes from its source, delays them by the law of the link, and
/// hands them to its sink in order.
/// </summary>
/// <param name="network">The network.</param>
/// <param name="relay">The connection.</param>
/// <param name="link">The link.</param>
internal sealed class LinkPipe(LinkNetwork network, RelayedConnection relay, DirectedLink link) : ITimerHandler
{
    // The pipe holds at most this many bytes. More bytes wait at the source, whose peer then sees back-pressure.
    private const int MostWaitingBytes = 1 << 20;

    // The sink holds at most this many bytes. The wire does not report free room, so the pipe polls it.
    private const int MostPendingBytes = 256 << 10;
    private const long RetryNanoseconds = 500_000;

    private readonly ByteQueue _bytes = new(network.Buffers);
    private readonly Queue<Segment> _segments = new();
    private MqttStreamScanner? _entering;
    private MqttStreamScanner? _leaving;
    private long _lastDue = long.MinValue;
    private long _ticket;

    private enum Ending : byte
    {
        None,
        Close,
        Reset,
    }

    /// <summary>The connection that bytes come from.</summary>
    public WireConnection? Source { get; set; }

    /// <summary>The connection that bytes go to; null until it is made.</summary>
    public WireConnection? Sink { get; set; }

    /// <summary>The link.</summary>
    public DirectedLink Link => link;

    /// <summary>Begins to look for packets.</summary>
    public void Scan()
    {
        _entering = new(new Passing(this, relay, isEntering: true));
        if (network.Observer is not null)
            _leaving = new(new Passing(this, relay, isEntering: false));
    }

    /// <summary>Stops looking for packets, because the stream is not MQTT.</summary>
    public void StopScanning()
    {
        _entering?.Stop();
        _leaving?.Stop();
    }

    /// <summary>Bytes have come from the source.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="arrived">When.</param>
    public void Take(ReadOnlySpan<byte> bytes, long arrived)
    {
        link.Counters.Bytes += bytes.Length;
        _entering?.Take(bytes, arrived);
        if (_segments.Count == 0 && link.IsIdle && Sink is { } sink && sink.PendingBytes < MostPendingBytes)
        {
            Deliver(sink, bytes);
            return;
        }
        _bytes.Append(bytes);
        var delay = link.DrawDelay();
        var size = link.CutsSegments ? DirectedLink.SegmentBytes : bytes.Length;
        for (var start = 0; start < bytes.Length; start += size)
        {
            var count = Math.Min(size, bytes.Length - start);
            Add(link.Serialize(arrived, count) + delay + link.DrawRepair(), count, Ending.None);
        }
        if (_bytes.Count > MostWaitingBytes && Source is not null)
            Source.ReadingPaused = true;
        Pump();
    }

    /// <summary>The source has ended; the sink ends after the bytes under way.</summary>
    /// <param name="isReset">Whether the source was reset.</param>
    /// <param name="at">When.</param>
    public void End(bool isReset, long at)
    {
        Source = null;
        Add(link.Serialize(at, 0) + link.DrawDelay(), 0, isReset ? Ending.Reset : Ending.Close);
        Pump();
    }

    /// <summary>Hands on the segments that are due.</summary>
    public void Pump()
    {
        while (
            _segments.TryPeek(out var segment)
            && !link.IsStalled
            && segment.Due <= network.Wire.NowNanoseconds
            && Sink is { } sink
        )
        {
            if (sink.PendingBytes >= MostPendingBytes)
            {
                Wake(network.Wire.NowNanoseconds + RetryNanoseconds);
                return;
            }
            _segments.Dequeue();
            if (segment.Ending != Ending.None)
            {
                Finish(sink, segment.Ending);
                return;
            }
            Deliver(sink, _bytes.Bytes[..segment.Bytes]);
            _bytes.Consume(segment.Bytes);
        }
        if (_bytes.Count <= MostWaitingBytes / 2 && Source is { ReadingPaused: true } source)
            source.ReadingPaused = false;
        if (Sink is not null && !link.IsStalled && _segments.TryPeek(out var next))
            Wake(next.Due);
    }

    /// <summary>Drops the bytes under way.</summary>
    public void Drop()
    {
        (Source, Sink) = (null, null);
        _segments.Clear();
        _bytes.Clear();
        network.Wire.Cancel(_ticket);
        _ticket = 0;
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _ticket = 0;
        Pump();
    }

    private void Add(long due, int bytes, Ending ending)
    {
        // TCP keeps the order, so a segment waits for those before it.
        _lastDue = Math.Max(due, _lastDue);
        _segments.Enqueue(new(_lastDue, bytes, ending));
    }

    private void Deliver(WireConnection sink, ReadOnlySpan<byte> bytes)
    {
        _leaving?.Take(bytes, network.Wire.NowNanoseconds);
        sink.Send(bytes);
    }

    private static void Finish(WireConnection sink, Ending ending)
    {
        if (ending == Ending.Reset)
            sink.Abort();
        else
            sink.Close();
    }

    private void Wake(long at)
    {
        if (_ticket == 0)
            _ticket = network.Wire.Schedule(this, at, 0);
    }

    private readonly record struct Segment(long Due, int Bytes, Ending Ending);

    private sealed class Passing(LinkPipe pipe, RelayedConnection relay, bool isEntering) : IPacketFound
    {
        public void Packet(byte first, int bytes, ReadOnlySpan<byte> head, long nanoseconds)
        {
            var type = first >> 4;
            if (isEntering)
                relay.Saw(pipe, first, head, nanoseconds);
            if (relay.Version is not { } version)
                return;
            if (isEntering)
                pipe.Link.Counters.Count(type);
            if (type == (int)PacketType.Publish)
                relay.Published(pipe, version, first, bytes, head, nanoseconds, isEntering);
        }
    }
}
