using MqttCheck.Brokers.Fleets;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Logs;
using MqttCheck.Captures.Messages;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Captures.Replay;

/// <summary>
/// The first reading of a capture: its clients, the connections that stood when it began, and its busiest second.
/// </summary>
internal sealed class ReplaySurvey : IMqttListener
{
    private readonly Dictionary<string, SeenFromWithin> _joined = new(StringComparer.Ordinal);
    private readonly ExchangeBook _book;
    private long _second = long.MinValue,
        _inSecond;

    private ReplaySurvey() => _book = new(new ExchangeRows(new NoLog(), 1, Counts), Counts);

    /// <summary>The counts of the capture.</summary>
    public CaptureCounts Counts { get; } = new();

    /// <summary>How long it is.</summary>
    public TimeSpan Duration { get; private set; }

    /// <summary>Why it was not read to its end, or null.</summary>
    public string? Damage { get; private set; }

    /// <summary>The names of its clients; one that was joined has the name of its socket.</summary>
    public SeenNames Names => _book.Names;

    /// <summary>The most requests of clients in a second.</summary>
    public long MostInSecond { get; private set; }

    /// <summary>The connections that stood when the capture began, by the name of their client's socket.</summary>
    public IEnumerable<(
        string Name,
        ProtocolVersion Version,
        QualityOfService Qos,
        IReadOnlyList<byte[]> Topics
    )> Joined
    {
        get
        {
            var topics = Names.Topics.ToLookup(topic => topic.Number, topic => topic.Name);
            foreach (var (name, seen) in _joined)
            {
                var standing = Names.Clients.TryGetValue(name, out var client) ? client.Standing : [];
                yield return (
                    name,
                    seen.Conversation.IsVersionCertain ? seen.Conversation.Version : ProtocolVersion.V311,
                    seen.Qos,
                    [.. standing.Order().SelectMany(number => topics[number])]
                );
            }
        }
    }

    /// <summary>Reads a capture.</summary>
    /// <exception cref="InputException">It cannot be read, or holds no MQTT or that of several brokers.</exception>
    public static ReplaySurvey Of(CaptureRequest request)
    {
        var survey = new ReplaySurvey();
        try
        {
            survey.Damage = CapturePackets.Read(request, survey, _ => { }, survey.Counts, out var span);
            survey.Duration = span.Duration;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            throw new InputException($"capture \"{request.Capture}\": {failure.Message}", failure);
        }
        survey._book.End();
        CaptureLog.RequireOneBroker(request, survey._book, survey.Counts);
        return survey;
    }

    /// <summary>Refuses a broker that may not get so many messages.</summary>
    /// <param name="speed">How many times as fast as the capture.</param>
    /// <param name="cap">How many it may get per second, or null for no limit.</param>
    /// <exception cref="InputException">The busiest second has more.</exception>
    public void RequireBelow(double speed, double? cap)
    {
        // A second of the replay lies in this many of the capture.
        var most = MostInSecond * Math.Ceiling(speed + 1);
        if (cap < most)
            throw new InputException(
                Invariant($"--replay: up to {most} messages/s at {speed} times the speed of the capture; allowed: at ")
                    + Invariant($"most {cap} messages/s, or a higher --rate-cap")
            );
    }

    /// <inheritdoc/>
    public void Packet(MqttConversation conversation, in SeenPacket packet)
    {
        if (packet.IsFromClient)
            Count(packet.FirstNanoseconds);
        _book.Packet(conversation, packet);
        if (!conversation.IsJoined)
            return;
        var name = conversation.Client.ToString();
        if (!_joined.TryGetValue(name, out var seen))
            _joined.Add(name, seen = new(conversation));
        if (
            !packet.IsFromClient
            && packet.Type == PacketType.Publish
            && MessageHead.TryParse(conversation.Version, packet, out var head)
            && head.Qos > seen.Qos
        )
            seen.Qos = head.Qos;
    }

    /// <inheritdoc/>
    public void Lost(MqttConversation conversation, bool fromClient, long nanoseconds) =>
        _book.Lost(conversation, fromClient, nanoseconds);

    /// <inheritdoc/>
    public void Closed(MqttConversation conversation, bool byClient, long nanoseconds) =>
        _book.Closed(conversation, byClient, nanoseconds);

    private void Count(long nanoseconds)
    {
        var second = nanoseconds / 1_000_000_000;
        (_second, _inSecond) = (second, second == _second ? _inSecond + 1 : 1);
        MostInSecond = Math.Max(MostInSecond, _inSecond);
    }

    private sealed class SeenFromWithin(MqttConversation conversation)
    {
        public MqttConversation Conversation => conversation;

        public QualityOfService Qos { get; set; }
    }
}
