using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <summary>
/// The control messages of a topic's overlay. Each carries the topic and the sender's version of the members.
/// </summary>
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

    private const int TreeField = 3;

    // The places of the hops and of the change of topology in a statement.
    private const int HopsField = 4;
    private const int VersionField = 8;

    public static bool Is(byte controlKind) => controlKind is >= Ping and <= Echo;

    /// <summary>A message without numbers of its own, but for that of the sender's tree.</summary>
    public static PeerMessage Of(byte kind, string topic, long version, long tree) =>
        PeerMessage.Control(kind, new ControlFields { [TreeField] = tree, [VersionField] = version }, topic);

    /// <summary>A ping, with what elects the root.</summary>
    public static PeerMessage OfPing(
        string topic,
        long version,
        long tree,
        double capability,
        int rooted,
        int clients
    ) =>
        PeerMessage.Control(
            Ping,
            new ControlFields
            {
                [0] = BitConverter.DoubleToInt64Bits(capability),
                [1] = rooted,
                [2] = clients,
                [TreeField] = tree,
                [VersionField] = version,
            },
            topic
        );

    /// <summary>A statement of the spanning tree, as one of a topic's tree.</summary>
    public static PeerMessage OfStatement(string topic, long version, in PeerMessage statement)
    {
        // A statement uses all numbers; whether the topology changed takes a sign of one that has none.
        var fields = statement.Fields;
        if (fields[VersionField] != 0)
            fields[HopsField] = ~fields[HopsField];
        fields[VersionField] = version;
        return PeerMessage.Control(Statement, fields, topic);
    }

    /// <summary>The statement of the spanning tree in one of a topic's tree.</summary>
    public static PeerMessage ToStatement(in PeerMessage message)
    {
        var fields = message.Fields;
        fields[VersionField] = fields[HopsField] < 0 ? 1 : 0;
        if (fields[HopsField] < 0)
            fields[HopsField] = ~fields[HopsField];
        return PeerMessage.Control(Bpdu.ControlKind, fields);
    }

    /// <summary>The number of the sender's tree: a node that builds it anew tells its neighbours so.</summary>
    public static long TreeOf(in PeerMessage message) => message.Fields[TreeField];

    public static long VersionOf(in PeerMessage message) => message.Fields[VersionField];
}
