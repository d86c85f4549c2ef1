using MqttCheck.Clusters.Hops;
using MqttCheck.Clusters.SpanningTree;

namespace MqttCheck.Clusters.Overlays;

/// <summary>The control messages of a topic's overlay. Each carries the topic and the sender's version of the members.</summary>
internal static class TopicMessage
{
    /// <summary>Asks every broker whether it is a member, and says that the sender is one.</summary>
    public const byte Ping = 20;

    /// <summary>The answer of a member.</summary>
    public const byte Pong = 21;

    /// <summary>The sender knows other members than before; version 0: it is a member no longer.</summary>
    public const byte Version = 22;

    /// <summary>A statement of the topic's tree.</summary>
    public const byte Statement = 23;

    /// <summary>Asks for an answer that measures the round trip of a link of the tree.</summary>
    public const byte Probe = 24;

    /// <summary>That answer.</summary>
    public const byte Echo = 25;

    public static bool Is(byte controlKind) => controlKind is >= Ping and <= Echo;

    public static PeerMessage Of(byte kind, string topic, long version) =>
        new()
        {
            Kind = PeerMessageKind.Control,
            ControlKind = kind,
            Data = Labelled(topic, version),
        };

    /// <summary>A ping, with what elects the root.</summary>
    public static PeerMessage OfPing(string topic, long version, double capability, int rooted, int clients) =>
        new()
        {
            Kind = PeerMessageKind.Control,
            ControlKind = Ping,
            Data = Labelled(topic, version),
            Fields = new ControlFields
            {
                [0] = BitConverter.DoubleToInt64Bits(capability),
                [1] = rooted,
                [2] = clients,
            },
        };

    /// <summary>A statement of the spanning tree, as one of a topic's tree.</summary>
    public static PeerMessage OfStatement(string topic, long version, in PeerMessage statement) =>
        new()
        {
            Kind = PeerMessageKind.Control,
            ControlKind = Statement,
            Data = Labelled(topic, version),
            Fields = statement.Fields,
        };

    /// <summary>The statement of the spanning tree in one of a topic's tree.</summary>
    public static PeerMessage ToStatement(in PeerMessage message) =>
        new()
        {
            Kind = PeerMessageKind.Control,
            ControlKind = Bpdu.ControlKind,
            Fields = message.Fields,
        };

    public static long VersionOf(in PeerMessage message) => message.Data.Counter;

    private static RoutedMessage Labelled(string topic, long version) =>
        new()
        {
            Origin = 0,
            Incarnation = 0,
            Counter = version,
            Topic = topic,
        };
}
