namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>One message from a node to its neighbour, independent of how it is carried.</summary>
internal readonly struct PeerMessage
{
    /// <summary>The kind of the message.</summary>
    public required PeerMessageKind Kind { get; init; }

    /// <summary>The kind of a control message, in the numbering of the protocol.</summary>
    public byte ControlKind { get; init; }

    /// <summary>The application message; a control message may use its topic.</summary>
    public RoutedMessage Data { get; init; }

    /// <summary>The numbers of a control message.</summary>
    public ControlFields Fields { get; init; }

    /// <summary>PINGREQ.</summary>
    internal static PeerMessage Ping { get; } = new() { Kind = PeerMessageKind.Ping };

    /// <summary>PINGREQ with a control message inside.</summary>
    /// <param name="inside">The control message.</param>
    internal static PeerMessage PingWith(in PeerMessage inside) =>
        new()
        {
            Kind = PeerMessageKind.Ping,
            ControlKind = inside.ControlKind,
            Fields = inside.Fields,
        };

    /// <summary>PINGRESP.</summary>
    internal static PeerMessage Pong { get; } = new() { Kind = PeerMessageKind.Pong };

    /// <summary>An application message.</summary>
    internal static PeerMessage Of(in RoutedMessage data) => new() { Kind = PeerMessageKind.Data, Data = data };

    /// <summary>A control message.</summary>
    /// <param name="kind">Which one, in the numbering of the protocol.</param>
    /// <param name="fields">Its numbers.</param>
    /// <param name="topic">The topic that it is about; empty for none.</param>
    internal static PeerMessage Control(byte kind, in ControlFields fields = default, string topic = "") =>
        new()
        {
            Kind = PeerMessageKind.Control,
            ControlKind = kind,
            Fields = fields,
            Data = new RoutedMessage
            {
                Origin = 0,
                Incarnation = 0,
                Counter = 0,
                Topic = topic,
            },
        };
}
