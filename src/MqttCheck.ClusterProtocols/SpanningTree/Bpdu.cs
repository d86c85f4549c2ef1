using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>
/// The message in which a node describes its tree to a neighbour: a bridge protocol data unit, named after IEEE 802.1D.
/// </summary>
internal readonly record struct Bpdu
{
    /// <summary>The control message's number.</summary>
    public const byte ControlKind = 1;

    public required long Epoch { get; init; }

    public required double RootCapability { get; init; }

    public required int Root { get; init; }

    /// <summary>The sender's path cost to the root, in nanoseconds of round trip.</summary>
    public required long Cost { get; init; }

    public required int Hops { get; init; }

    /// <summary>The sender's parent; -1 for none.</summary>
    public required int Parent { get; init; }

    public required double SenderCapability { get; init; }

    /// <summary>The cost of the link between sender and receiver, as the sender measured it; -1 for unknown.</summary>
    public required long LinkCost { get; init; }

    /// <summary>Whether the sender has just noticed that the topology changed.</summary>
    public required bool TopologyChange { get; init; }

    public PeerMessage ToMessage() =>
        PeerMessage.Control(
            ControlKind,
            new ControlFields
            {
                [0] = Epoch,
                [1] = BitConverter.DoubleToInt64Bits(RootCapability),
                [2] = Root,
                [3] = Cost,
                [4] = Hops,
                [5] = Parent,
                [6] = BitConverter.DoubleToInt64Bits(SenderCapability),
                [7] = LinkCost,
                [8] = TopologyChange ? 1 : 0,
            }
        );

    public static Bpdu From(in PeerMessage message)
    {
        var fields = message.Fields;
        return new Bpdu
        {
            Epoch = fields[0],
            RootCapability = BitConverter.Int64BitsToDouble(fields[1]),
            Root = (int)fields[2],
            Cost = fields[3],
            Hops = (int)fields[4],
            Parent = (int)fields[5],
            SenderCapability = BitConverter.Int64BitsToDouble(fields[6]),
            LinkCost = fields[7],
            TopologyChange = fields[8] != 0,
        };
    }
}
