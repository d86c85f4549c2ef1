namespace MqttCheck.Clusters.Transport;

/// <summary>What a node remembers of one peer. It survives a lost connection.</summary>
internal sealed class TransportPeer
{
    /// <summary>The stamp of a message that waits in the send queue.</summary>
    public const long InQueue = long.MaxValue;

    private readonly Dictionary<long, Sent> _sent = [];
    private readonly Dictionary<long, long> _early = [];
    private long _nextSequence = 1;
    private long _highest;

    /// <summary>The highest sequence number that the peer has acknowledged.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>The highest sequence number of the peer's messages without a gap before it.</summary>
    public long Contiguous { get; private set; }

    /// <summary>The highest sequence number of the peer's messages, gaps or not.</summary>
    public long Highest => _highest;

    /// <summary>How long the peer's receive queue was when it last said so.</summary>
    public int ReceiveQueueLength { get; set; }

    /// <summary>Gives a message its sequence number; it is about to enter the send queue.</summary>
    public long Register(long message)
    {
        _sent.Add(_nextSequence, new Sent(message, InQueue));
        return _nextSequence++;
    }

    /// <summary>The message of a number, or null when the peer has acknowledged it.</summary>
    public long? MessageOf(long sequence) => _sent.TryGetValue(sequence, out var sent) ? sent.Message : null;

    /// <summary>Notes when a message was put on the wire, or that it waits in the send queue again.</summary>
    public void Stamp(long sequence, long stamp) => _sent[sequence] = _sent[sequence] with { Stamp = stamp };

    /// <summary>The next message below a number that the peer has now acknowledged, or null.</summary>
    public long? Forget(long upTo)
    {
        if (Acknowledged >= upTo)
            return null;
        _sent.Remove(++Acknowledged, out var sent);
        return sent.Message;
    }

    /// <summary>The sequence numbers that were put on the wire before a time, and are not acknowledged.</summary>
    public IEnumerable<long> SentBefore(long time)
    {
        for (var sequence = Acknowledged + 1; sequence < _nextSequence; sequence++)
        {
            if (_sent[sequence].Stamp < time)
                yield return sequence;
        }
    }

    /// <summary>Whether a message is on its way, so that a request for it makes sense.</summary>
    public bool IsOnTheWire(long sequence) => _sent.TryGetValue(sequence, out var sent) && sent.Stamp != InQueue;

    /// <summary>The connection is new: what was on the wire may be lost, and with it what the peer last said.</summary>
    public void MarkLost()
    {
        ReceiveQueueLength = 0;
        for (var sequence = Acknowledged + 1; sequence < _nextSequence; sequence++)
        {
            if (_sent[sequence].Stamp != InQueue)
                Stamp(sequence, long.MinValue);
        }
    }

    /// <summary>Takes a message of the peer; false when it came before.</summary>
    /// <param name="sequence">Its number.</param>
    /// <param name="message">The message.</param>
    /// <param name="missingFrom">
    /// The first number that is missing below it and was not asked for yet, or 0 for none.
    /// </param>
    public bool Take(long sequence, long message, out long missingFrom)
    {
        missingFrom = 0;
        if (sequence <= Contiguous || !_early.TryAdd(sequence, message))
            return false;
        if (sequence > _highest + 1)
            missingFrom = _highest + 1;
        _highest = Math.Max(_highest, sequence);
        return true;
    }

    /// <summary>The next message that can be handed upward in order, or null.</summary>
    public long? NextInOrder()
    {
        if (!_early.Remove(Contiguous + 1, out var message))
            return null;
        Contiguous++;
        return message;
    }

    private readonly record struct Sent(long Message, long Stamp);
}
