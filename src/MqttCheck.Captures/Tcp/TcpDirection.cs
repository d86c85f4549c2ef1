using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Tcp;

/// <summary>
/// Puts the segments of one direction of a connection in order. Bytes that the other side has acknowledged and that the
/// capture does not hold are missing; nothing is put in their place.
/// </summary>
internal sealed class TcpDirection
{
    // Beyond that a segment belongs to another connection.
    private const int Farthest = 1 << 26;
    private const int MostHeldBytes = 1 << 20;

    // The capture may hold two packets in the wrong order, so that an acknowledgement precedes what it acknowledges.
    private const long AcknowledgedPatience = 2_000_000;
    private const long Patience = 3_000_000_000;

    private List<KeptSegment>? _held;
    private int _heldBytes;
    private uint _next,
        _acknowledged;
    private bool _hasBegun,
        _isAcknowledged;

    /// <summary>Whether segments wait for others.</summary>
    public bool IsHolding => _held is { Count: > 0 };

    /// <summary>Whether the direction has ended.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>The direction begins.</summary>
    /// <param name="next">The sequence number of its first byte.</param>
    public void Begin(uint next) => (_hasBegun, _next) = (true, next);

    /// <summary>Takes a segment that was kept.</summary>
    /// <inheritdoc cref="Add(in TcpSegment, int, IConversation, CaptureCounts)"/>
    public void Add(KeptSegment segment, int side, IConversation to, CaptureCounts counts) =>
        Add(TcpSegment.Of(segment), side, to, counts);

    /// <summary>Takes a segment.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="side">The sender.</param>
    /// <param name="to">Takes the bytes.</param>
    /// <param name="counts">Counts what is out of order.</param>
    public void Add(in TcpSegment segment, int side, IConversation to, CaptureCounts counts)
    {
        if (segment.Length == 0 && !segment.IsFin)
            return;
        if (!_hasBegun)
            Begin(segment.Sequence);
        var offset = (int)(segment.Sequence - _next);
        if (offset is > Farthest or < -Farthest)
            counts.OutOfWindow++;
        else if (segment.Length > 0 && offset + segment.Length <= 0)
            counts.Repeated++;
        else if (offset > 0)
            Hold(segment, counts);
        else
            Take(segment.Data, segment.Length, -offset, segment.IsFin, segment.Nanoseconds, side, to, counts);
        Drain(side, to, counts);
        if (_heldBytes > MostHeldBytes)
            PassOver(side, to, counts);
    }

    /// <summary>The other side has received everything before a sequence number.</summary>
    public void Acknowledge(uint next) => (_isAcknowledged, _acknowledged) = (true, next);

    /// <summary>Gives up the bytes before what is held, if they cannot come any more.</summary>
    /// <param name="now">The time in the capture.</param>
    /// <param name="side">The sender.</param>
    /// <param name="to">Takes the bytes.</param>
    /// <param name="counts">Counts what is missing.</param>
    public void GiveUp(long now, int side, IConversation to, CaptureCounts counts)
    {
        while (IsHolding)
        {
            var first = _held![0];
            var isLost = _isAcknowledged && (int)(_acknowledged - first.Sequence) >= 0;
            if (now - first.Nanoseconds < (isLost ? AcknowledgedPatience : Patience))
                return;
            PassOver(side, to, counts);
        }
    }

    private void PassOver(int side, IConversation to, CaptureCounts counts)
    {
        var first = _held![0];
        counts.Gaps++;
        counts.MissingBytes += first.Sequence - _next;
        to.Missing(side, first.Sequence - _next, first.Nanoseconds);
        _next = first.Sequence;
        Drain(side, to, counts);
    }

    private void Hold(in TcpSegment segment, CaptureCounts counts)
    {
        counts.Early++;
        var held = _held ??= [];
        var place = held.Count;
        while (place > 0 && (int)(held[place - 1].Sequence - segment.Sequence) > 0)
            place--;
        held.Insert(place, segment.Keep());
        _heldBytes += segment.Data.Length + 64;
    }

    private void Drain(int side, IConversation to, CaptureCounts counts)
    {
        while (IsHolding && (int)(_held![0].Sequence - _next) <= 0)
        {
            var first = _held[0];
            _held.RemoveAt(0);
            _heldBytes -= first.Data.Length + 64;
            var offset = (int)(first.Sequence - _next);
            if (first.Length > 0 && offset + first.Length <= 0)
                counts.Repeated++;
            else
                Take(first.Data, first.Length, -offset, first.IsFin, first.Nanoseconds, side, to, counts);
        }
    }

    private void Take(
        ReadOnlySpan<byte> data,
        int length,
        int known,
        bool isFin,
        long nanoseconds,
        int side,
        IConversation to,
        CaptureCounts counts
    )
    {
        // A packet that only ends the direction may come again.
        if (known > length)
            return;
        _next += (uint)(length - known);
        if (data.Length > known)
            to.Data(side, data[known..], nanoseconds);
        var missing = length - Math.Max(data.Length, known);
        if (missing > 0)
        {
            counts.CutBytes += missing;
            to.Missing(side, missing, nanoseconds);
        }
        if (isFin && !IsClosed)
        {
            IsClosed = true;
            to.Closed(side, nanoseconds);
        }
    }
}
