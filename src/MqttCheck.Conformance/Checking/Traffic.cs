using System.Globalization;
using System.Text;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Keeps the publications of all runs of a runner. They bound the foreign messages that a run can receive. The travel
/// time of a foreign message shows how long the queue is.
/// </summary>
internal sealed class Traffic
{
    // Messages of a run may still arrive for this long after its end.
    private const long KeptNanoseconds = 5_000_000_000;

    private readonly Dictionary<string, List<long>> _sent = new(StringComparer.Ordinal);
    private readonly Queue<(long Until, string Token)> _ended = new();
    private readonly Dictionary<string, long> _emptied = new(StringComparer.Ordinal);
    private readonly Queue<(long Sent, string Topic)> _emptiedInOrder = new();

    /// <summary>How many messages were published.</summary>
    public long Published { get; private set; }

    /// <summary>A message of a run is published.</summary>
    /// <param name="names">The names of the run.</param>
    /// <param name="message">The message; payloads of a run are numbered in the order in which they are made.</param>
    /// <param name="nowNanoseconds">When, on the wire's clock.</param>
    public void Sent(ScenarioNames names, PublishPacket message, long nowNanoseconds)
    {
        Published++;
        if (message.Payload.IsEmpty)
        {
            Emptied(message.Topic, nowNanoseconds);
            return;
        }
        if (!TryRead(message.Payload, out var token, out var number) || token != names.Token)
            return;
        var times = _sent.GetOrNew(token);
        // A missing number belongs to a will, whose time of publication is unknown.
        while (times.Count <= number)
            times.Add(long.MinValue);
        times[number] = nowNanoseconds;
    }

    /// <summary>A run is over.</summary>
    /// <param name="names">Its names.</param>
    /// <param name="nowNanoseconds">When, on the wire's clock.</param>
    public void Ended(ScenarioNames names, long nowNanoseconds)
    {
        _ended.Enqueue((nowNanoseconds + KeptNanoseconds, names.Token));
        while (_ended.TryPeek(out var oldest) && oldest.Until < nowNanoseconds)
            _sent.Remove(_ended.Dequeue().Token);
    }

    /// <summary>When a message was published; null where that is not known.</summary>
    /// <param name="message">
    /// The message. An empty message is identified by its topic, and the last one on the topic counts.
    /// </param>
    public long? SentAt(PublishPacket message)
    {
        if (message.Payload.IsEmpty)
            return _emptied.TryGetValue(message.Topic, out var sent) ? sent : null;
        return
            TryRead(message.Payload, out var token, out var number)
            && _sent.TryGetValue(token, out var times)
            && number < times.Count
            && times[number] != long.MinValue
            ? times[number]
            : null;
    }

    // Runs delete their retained messages, so a subscription to # receives such deletions all the time.
    private void Emptied(string topic, long nowNanoseconds)
    {
        _emptied[topic] = nowNanoseconds;
        _emptiedInOrder.Enqueue((nowNanoseconds, topic));
        while (_emptiedInOrder.Peek() is var (sent, oldest) && sent + KeptNanoseconds < nowNanoseconds)
        {
            _emptiedInOrder.Dequeue();
            if (_emptied.GetValueOrDefault(oldest) == sent)
                _emptied.Remove(oldest);
        }
    }

    private static bool TryRead(Bytes payload, out string token, out int number)
    {
        (token, number) = ("", 0);
        var bytes = payload.Span.TrimEnd((byte)'.');
        var colon = bytes.IndexOf((byte)':');
        if (colon <= 0 || !int.TryParse(bytes[(colon + 1)..], CultureInfo.InvariantCulture, out number) || number < 0)
            return false;
        token = Encoding.ASCII.GetString(bytes[..colon]);
        return true;
    }
}
