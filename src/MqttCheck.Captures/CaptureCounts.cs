namespace MqttCheck.Captures;

/// <summary>Counts what a capture held, what of it could not be used, and why.</summary>
internal sealed class CaptureCounts
{
    private const int MostHandshakes = 10_000;

    /// <summary>Bytes of the file that were read.</summary>
    public long Bytes { get; set; }

    /// <summary>Packets in the file.</summary>
    public long Frames { get; set; }

    /// <summary>Packets of a link type that is not read.</summary>
    public long UnknownLinks { get; set; }

    /// <summary>Packets that are no TCP over IP.</summary>
    public long NotTcp { get; set; }

    /// <summary>Fragments of IP packets.</summary>
    public long Fragments { get; set; }

    /// <summary>Packets that were captured without their headers, or whose headers contradict each other.</summary>
    public long BadHeaders { get; set; }

    /// <summary>Packets without a time.</summary>
    public long Timeless { get; set; }

    /// <summary>TCP segments.</summary>
    public long Segments { get; set; }

    /// <summary>Segments whose bytes had been seen before.</summary>
    public long Repeated { get; set; }

    /// <summary>Segments that came before their turn.</summary>
    public long Early { get; set; }

    /// <summary>Segments whose sequence number is far from their connection's.</summary>
    public long OutOfWindow { get; set; }

    /// <summary>Places where bytes of a connection are not in the capture.</summary>
    public long Gaps { get; set; }

    /// <summary>Bytes that are missing there.</summary>
    public long MissingBytes { get; set; }

    /// <summary>Bytes of segments that the capture cut off.</summary>
    public long CutBytes { get; set; }

    /// <summary>Bytes of MQTT that were passed over for want of a border of packets.</summary>
    public long PassedOverBytes { get; set; }

    /// <summary>Streams that were found again at a border of packets.</summary>
    public long Resumed { get; set; }

    /// <summary>Connections that carried MQTT.</summary>
    public long MqttConnections { get; set; }

    /// <summary>Those of them over WebSocket.</summary>
    public long WebSockets { get; set; }

    /// <summary>Those that had begun before the capture.</summary>
    public long Joined { get; set; }

    /// <summary>Connections over TLS, which are not read.</summary>
    public long TlsConnections { get; set; }

    /// <summary>TCP connections without MQTT.</summary>
    public long OtherConnections { get; set; }

    /// <summary>WebSocket connections that are compressed or do not speak MQTT.</summary>
    public long UnreadWebSockets { get; set; }

    /// <summary>Connections with bytes that are no MQTT, read up to there.</summary>
    public long BrokenConnections { get; set; }

    /// <summary>Packets of MQTT.</summary>
    public long MqttPackets { get; set; }

    /// <summary>Packets of MQTT that break a rule, or whose beginning is missing.</summary>
    public long BadPackets { get; set; }

    /// <summary>Answers whose request was not seen.</summary>
    public long AnswersWithoutRequest { get; set; }

    /// <summary>Deliveries whose publication was not seen.</summary>
    public long DeliveriesWithoutPublication { get; set; }

    /// <summary>Retained messages.</summary>
    public long RetainedMessages { get; set; }

    /// <summary>Messages that were sent again.</summary>
    public long Redeliveries { get; set; }

    /// <summary>Deliveries through a shared subscription, which are not awaited.</summary>
    public long SharedDeliveries { get; set; }

    /// <summary>Answers with an earlier time than their request.</summary>
    public long EarlyAnswers { get; set; }

    /// <summary>Exchanges whose end is not known.</summary>
    public long UnknownEnds { get; set; }

    /// <summary>All exchanges.</summary>
    public long Exchanges { get; set; }

    /// <summary>Publications on topics beyond the number that a log holds.</summary>
    public long TopicsTooMany { get; set; }

    /// <summary>
    /// How long the handshakes of connections took from the capture to the broker and back, and to the client and back,
    /// in nanoseconds; of the first ones.
    /// </summary>
    public List<(long ToBroker, long ToClient)> Handshakes { get; } = [];

    /// <summary>A connection was set up.</summary>
    public void Add(long toBroker, long toClient)
    {
        if (Handshakes.Count < MostHandshakes)
            Handshakes.Add((toBroker, toClient));
    }

    /// <summary>All that was not usable, in words; nothing where everything was.</summary>
    public IEnumerable<(long Count, string What)> NotUsed =>
        new (long Count, string What)[]
        {
            (UnknownLinks, "packets of a link type that is not read"),
            (Fragments, "fragments of IP packets"),
            (BadHeaders, "packets without whole headers"),
            (Timeless, "packets without a time"),
            (OutOfWindow, "segments far from their connection's sequence numbers"),
            (Gaps, "gaps in connections"),
            (MissingBytes, "bytes missing in gaps"),
            (CutBytes, "bytes that the capture cut off"),
            (PassedOverBytes, "bytes passed over until a border of MQTT packets"),
            (TlsConnections, "connections over TLS"),
            (UnreadWebSockets, "WebSocket connections that are compressed or carry no MQTT"),
            (OtherConnections, "TCP connections without MQTT"),
            (BrokenConnections, "connections with bytes that are no MQTT"),
            (BadPackets, "MQTT packets that break a rule or miss their beginning"),
            (AnswersWithoutRequest, "answers whose request was not seen"),
            (DeliveriesWithoutPublication, "deliveries whose publication was not seen"),
            (SharedDeliveries, "deliveries through shared subscriptions, which are not awaited"),
            (EarlyAnswers, "answers with a time before their request's"),
            (UnknownEnds, "exchanges whose end is not known"),
            (TopicsTooMany, "publications on topics beyond the 65 536 that a log holds"),
        }.Where(one => one.Count > 0);
}
