using System.Diagnostics.CodeAnalysis;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>A node's state about one peer. It survives a lost connection.</summary>
/// <typeparam name="T">The type of a message.</typeparam>
internal sealed class TransportPeer<T>
{
    /// <summary>The stamp of a message that waits in the send queue.</summary>
    public const long InQueue = long.MaxValue;

    private readonly Dictionary<long, Sent> _sent = [];
    private readonly Dictionary<long, T> _early = [];
    private long _nextSequence = 1;

    /// <summary>The highest sequence number that the peer has acknowledged.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>The highest sequence number of the peer's messages without a gap before it.</summary>
    public long Contiguous { get; private set; }

    /// <summary>The highest sequence number of the peer's messages, gaps or not.</summary>
    public long Highest { get; private set; }

    /// <summary>How long the peer's receive queue was when it last said so.</summary>
    public int ReceiveQueueLength { get; set; }

    /// <summary>Whether there is no connection to the peer.</summary>
    public bool IsAway { get; set; }

    /// <summary>The messages that wait for the connection, in the order in which they were offered.</summary>
    public Queue<T> Parked { get; init; } = new();

    /// <summary>The messages that have a number and are not acknowledged, in their order.</summary>
    public IEnumerable<T> Unacknowledged
    {
        get
        {
            for (var sequence = Acknowledged + 1; sequence < _nextSequence; sequence++)
                yield return _sent[sequence].Message;
        }
    }

    /// <summary>Gives a message its sequence number; it is about to enter the send queue.</summary>
    public long Register(T message)
    {
        _sent.Add(_nextSequence, new Sent(message, InQueue));
        return _nextSequence++;
    }

    /// <summary>The message of a number; false when the peer has acknowledged it.</summary>
    public bool TryGet(long sequence, [MaybeNullWhen(false)] out T message)
    {
        var isKnown = _sent.TryGetValue(sequence, out var sent);
        message = sent.Message;
        return isKnown;
    }

    /// <summary>Notes when a message was put on the wire, or that it waits in the send queue again.</summary>
    public void Stamp(long sequence, long stamp) => _sent[sequence] = _sent[sequence] with { Stamp = stamp };

    /// <summary>The next message up to a number that the peer has now acknowledged; false if there is none.</summary>
    public bool TryForget(long upTo, [MaybeNullWhen(false)] out T message)
    {
        message = default;
        if (Acknowledged >= upTo || Acknowledged + 1 >= _nextSequence)
            return false;
        _sent.Remove(++Acknowledged, out var sent);
        message = sent.Message;
        return true;
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

    /// <summary>A message had its turn while there was no connection: it has to be sent again.</summary>
    public void Lose(long sequence)
    {
        if (_sent.ContainsKey(sequence))
            Stamp(sequence, long.MinValue);
    }

    /// <summary>Takes a message of the peer; false when it came before.</summary>
    /// <param name="sequence">Its number.</param>
    /// <param name="message">The message.</param>
    /// <param name="missingFrom">
    /// The first number that is missing below it and was not asked for yet, or 0 for none.
    /// </param>
    public bool Take(long sequence, T message, out long missingFrom)
    {
        missingFrom = 0;
        if (sequence <= Contiguous || !_early.TryAdd(sequence, message))
            return false;
        if (sequence > Highest + 1)
            missingFrom = Highest + 1;
        Highest = Math.Max(Highest, sequence);
        return true;
    }

    /// <summary>The next message that can be handed upward in order; false if there is none.</summary>
    public bool TryNext([MaybeNullWhen(false)] out T message)
    {
        if (!_early.Remove(Contiguous + 1, out message))
            return false;
        Contiguous++;
        return true;
    }

    private readonly record struct Sent(T Message, long Stamp);
}
