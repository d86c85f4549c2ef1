using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Tcp;

/// <summary>A TCP connection of a capture.</summary>
/// <param name="conversation">Takes its bytes.</param>
internal sealed class TcpConnection(IConversation conversation)
{
    private const int MostWaitingBytes = 1 << 20;
    private const int SegmentBytes = 128;

    private readonly TcpDirection[] _directions = [new(), new()];
    private readonly uint?[] _first = new uint?[2];
    private Queue<(KeptSegment Segment, int Side)>? _waiting;
    private int _waitingBytes;
    private long? _asked;
    private (long At, long ToBroker, int Side)? _answered;

    /// <summary>Takes its bytes.</summary>
    public IConversation Conversation => conversation;

    /// <summary>When its last packet passed.</summary>
    public long LastNanoseconds { get; private set; }

    /// <summary>Whether segments wait for others.</summary>
    public bool IsHolding => _directions[0].IsHolding || _directions[1].IsHolding;

    /// <summary>Whether it is in the list of those that wait.</summary>
    public bool IsListed { get; set; }

    /// <summary>Whether both sides have ended it, or one has broken it off.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Takes a segment.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="side">Its sender.</param>
    /// <param name="counts">Counts what is out of order.</param>
    public void Add(in TcpSegment segment, int side, CaptureCounts counts)
    {
        LastNanoseconds = segment.Nanoseconds;
        if (segment.IsSyn)
        {
            // A SYN that is sent again changes nothing.
            if (_first[side] is not null)
                return;
            if (!segment.IsAck)
                _asked = segment.Nanoseconds;
            else if (_asked is { } asked)
                _answered = (segment.Nanoseconds, segment.Nanoseconds - asked, side);
            _directions[side].Begin(segment.Sequence + 1);
            _first[side] = segment.Sequence;
            return;
        }
        if (_answered is { } answered && side != answered.Side)
        {
            _answered = null;
            conversation.Stands(answered.ToBroker, segment.Nanoseconds - answered.At);
        }
        if (segment.IsAck)
            _directions[1 - side].Acknowledge(segment.Acknowledgement);
        if (IsHolding)
            GiveUp(segment.Nanoseconds, counts);
        // An answer is read behind what it answers.
        if (_waiting is { Count: > 0 } || _directions[1 - side].IsHolding)
            Wait(segment, side, counts);
        else
            _directions[side].Add(segment, side, conversation, counts);
        if (_waiting is not null)
            TakeWaiting(counts);
        if (segment.IsReset)
            BreakOff(counts);
        IsOver |= _directions[0].IsClosed && _directions[1].IsClosed;
    }

    /// <summary>Whether it is the connection that a SYN began.</summary>
    /// <param name="side">The sender of the SYN.</param>
    /// <param name="sequence">Its sequence number.</param>
    public bool BeganWith(int side, uint sequence) => _first[side] == sequence;

    /// <summary>Nothing of it will come any more.</summary>
    public void BreakOff(CaptureCounts counts)
    {
        if (IsOver)
            return;
        GiveUp(long.MaxValue, counts);
        conversation.Closed(0, LastNanoseconds);
        conversation.Closed(1, LastNanoseconds);
        IsOver = true;
    }

    /// <summary>Gives up bytes that cannot come any more.</summary>
    /// <param name="now">The time in the capture; the largest number at its end.</param>
    /// <param name="counts">Counts what is missing.</param>
    public void GiveUp(long now, CaptureCounts counts)
    {
        for (var side = 0; side < 2; side++)
            _directions[side].GiveUp(now, side, conversation, counts);
        if (_waiting is not null)
            TakeWaiting(counts);
    }

    private void Wait(in TcpSegment segment, int side, CaptureCounts counts)
    {
        // The side that has a gap may fill it.
        if (_directions[side].IsHolding)
        {
            _directions[side].Add(segment, side, conversation, counts);
            return;
        }
        if (segment.Length == 0 && !segment.IsFin)
            return;
        (_waiting ??= []).Enqueue((segment.Keep(), side));
        _waitingBytes += segment.Data.Length + SegmentBytes;
        if (_waitingBytes > MostWaitingBytes)
            GiveUp(long.MaxValue, counts);
    }

    private void TakeWaiting(CaptureCounts counts)
    {
        while (_waiting!.TryPeek(out var next) && !_directions[1 - next.Side].IsHolding)
        {
            _waiting.Dequeue();
            _waitingBytes -= next.Segment.Data.Length + SegmentBytes;
            _directions[next.Side].Add(next.Segment, next.Side, conversation, counts);
        }
    }
}
