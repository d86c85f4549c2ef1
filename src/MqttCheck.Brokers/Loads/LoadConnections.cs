using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// Tracks the connections. It connects the clients a few at a time, counts the connected ones, and decides when further
/// attempts are pointless.
/// </summary>
/// <param name="engine">The run.</param>
/// <param name="clients">How many clients there are.</param>
internal sealed class LoadConnections(LoadEngine engine, int clients)
{
    private const int MostConnecting = 50;
    private const int MostLossNotes = 4;

    // A broker that restarts ends each connection once. One that ends three in a row at the same payload size does not
    // accept that size.
    private const int OversizedLossesToGiveUp = 3;

    private readonly Queue<LoadClient> _toConnect = new();
    private readonly long _patience = engine.Setup.ConnectPatience.Ticks * TimeSpan.NanosecondsPerTick;
    private int _connecting,
        _awaited;
    private long _nobodySince;
    private string _lastProblem = "";
    private LoadPublisher? _rejected;

    /// <summary>How many clients are connected and ready.</summary>
    public int Online { get; private set; }

    /// <summary>Whether every client is.</summary>
    public bool IsComplete => Online == clients;

    /// <summary>Connects in their order the clients for which the load waits.</summary>
    /// <param name="order">The clients.</param>
    public void Begin(IReadOnlyCollection<LoadClient> order)
    {
        _nobodySince = engine.Wire.NowNanoseconds;
        _awaited = order.Count;
        foreach (var client in order)
            _toConnect.Enqueue(client);
        ConnectMore();
    }

    /// <summary>A client is connected, and subscribed if it is to be.</summary>
    public void Ready()
    {
        Online++;
        if (engine.Phase != LoadPhase.Connecting)
            return;
        _connecting--;
        ConnectMore();
        if (Online == _awaited)
            engine.BeginSending();
    }

    /// <summary>A client that was ready is no longer connected.</summary>
    public void NoteOffline(long atNanoseconds)
    {
        if (--Online == 0)
            _nobodySince = atNanoseconds;
    }

    /// <summary>A client lost its connection, or could not connect.</summary>
    /// <returns>Whether it may try again.</returns>
    public bool Failed(LoadClient client, bool wasOnline, string problem, long atNanoseconds)
    {
        if (wasOnline)
        {
            var lost = ++engine.Books.Counters.ConnectionsLost;
            NoteOffline(atNanoseconds);
            if (lost <= MostLossNotes)
                engine.Note(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{(client is LoadPublisher ? "publisher" : "subscriber")} {client.Number}: {problem}"
                    )
                );
        }
        if (engine.Phase >= LoadPhase.Leaving || engine.Exception is not null)
            return false;
        if (engine.Phase != LoadPhase.Connecting)
        {
            _lastProblem = problem;
            if (wasOnline && client is LoadPublisher { OversizedLosses: >= OversizedLossesToGiveUp } publisher)
                _rejected ??= publisher;
            return true;
        }
        // A connection that was lost before the load begins is replaced like a first one.
        if (wasOnline)
            _connecting++;
        if (engine.Wire.NowNanoseconds - client.FailingSince < _patience)
            return true;
        engine.Fail(
            new BrokerException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Online} of {_awaited} clients could connect to "
                        + $"{engine.Setup.Endpoint.Address}, the next one could not: {problem}."
                )
            )
        );
        return false;
    }

    /// <summary>Why the load cannot go on because nobody has been connected for too long; null when it can.</summary>
    public string? Abandoned(long nowNanoseconds) =>
        Online > 0 || nowNanoseconds - _nobodySince < _patience
            ? null
            : "no client was connected any more for "
                + string.Create(
                    CultureInfo.InvariantCulture,
                    $"{engine.Setup.ConnectPatience.TotalSeconds:0.#} s: {_lastProblem}"
                );

    /// <summary>
    /// Why the load cannot go on because the broker ends the connections of publishers; null when it can.
    /// </summary>
    public string? Rejected()
    {
        if (_rejected is not { OversizedLosses: >= OversizedLossesToGiveUp } publisher)
            return null;
        var taken = engine.Books.LargestTakenBytes;
        return string.Create(
                CultureInfo.InvariantCulture,
                $"the broker ended {publisher.OversizedLosses} connections of publisher {publisher.Number} "
                    + $"in a row while a message with a payload of {publisher.LargestLostBytes} bytes was under way"
            )
            + (
                taken < 0
                    ? ", and has taken no message at all"
                    : string.Create(CultureInfo.InvariantCulture, $", and has taken none above {taken} bytes")
            )
            + $": {_lastProblem}. Probably the packet is larger than the broker "
            + $"allows{(engine.Setup.Version == ProtocolVersion.V311 ? ", which MQTT 3.1.1 does not tell" : "")}, "
            + "or the client may not publish to this topic; choose a smaller "
            + "--payload, or see the broker's log";
    }

    /// <summary>The broker refused a client permanently, so further attempts are pointless.</summary>
    public void Refused(ReasonCode code)
    {
        if (engine.Phase != LoadPhase.Connecting)
            return;
        var words = code switch
        {
            ReasonCode.BadUserNameOrPassword or ReasonCode.NotAuthorized =>
                "give --user and --password that it accepts",
            ReasonCode.UnsupportedProtocolVersion => "it does not speak this version of MQTT; choose another by --mqtt",
            _ => "the broker's log may say why",
        };
        engine.Fail(
            new BrokerException($"Broker {engine.Setup.Endpoint.Address} refuses a client with {code}: {words}.")
        );
    }

    /// <summary>Compares the limits in a broker's CONNACK with the needs of the workload.</summary>
    /// <param name="answer">The CONNACK.</param>
    /// <param name="largestPacketBytes">The size of the largest packet.</param>
    /// <returns>Null, or a description of the conflict.</returns>
    public string? Limits(ConnackPacket answer, int largestPacketBytes)
    {
        if (engine.Phase != LoadPhase.Connecting)
            return null;
        var (workload, offer) = (engine.Setup.Workload, answer.Properties);
        string? problem = null;
        if (
            offer.MaximumQos is { } qos
            && (workload.Qos > qos || workload.SecondQos > qos || workload.SubscribeQos > qos)
        )
            problem = $"the broker offers QoS {(int)qos} at most; ask for no more by --qos";
        else if (offer.MaximumPacketSizeBytes is { } limit && largestPacketBytes > limit)
            problem = string.Create(
                CultureInfo.InvariantCulture,
                $"messages need packets of up to {largestPacketBytes} bytes, and "
                    + $"the broker takes {limit} at most; choose a smaller --payload"
            );
        else if (
            offer.WildcardSubscriptionAvailable == false
            && engine.Names.Filters[0].AsSpan().IndexOfAny('+', '#') >= 0
        )
            problem = "the filter has a wildcard, and the broker offers none";
        if (problem is null)
            return null;
        engine.Fail(new InputException($"Broker {engine.Setup.Endpoint.Address}: {problem}."));
        return problem;
    }

    private void ConnectMore()
    {
        while (_connecting < MostConnecting && _toConnect.TryDequeue(out var client))
        {
            _connecting++;
            client.Connect();
        }
    }
}
