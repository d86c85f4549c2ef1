using System.Buffers.Binary;
using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>
/// The statement inside a PINGREQ, 36 bytes, all numbers in network order: epoch (4), root (2), parent (2, all bits set
/// for none), hops (1), flags (1, bit 0: topology change), capability of the root and of the sender (8 each, IEEE 754),
/// path cost and cost of the link (5 each, nanoseconds of round trip, all bits set for unknown).
/// </summary>
/// <remarks>
/// The paper gives the length alone. A number that is too large for its place is sent as the largest.
/// </remarks>
internal sealed class StatementBytes : IPingContent
{
    private const ushort None = ushort.MaxValue;
    private const long Unknown = (1L << 40) - 1;
    private const int FirstCapability = 10;
    private const int FirstCost = 26;
    private const int CostBytes = 5;

    private StatementBytes() { }

    /// <summary>It has no state.</summary>
    public static StatementBytes Instance { get; } = new();

    /// <inheritdoc/>
    public bool Carries(byte controlKind) => controlKind == Bpdu.ControlKind;

    /// <inheritdoc/>
    public void Write(Span<byte> to, in PeerMessage statement)
    {
        var bpdu = Bpdu.From(statement);
        BinaryPrimitives.WriteUInt32BigEndian(to, (uint)Math.Min(bpdu.Epoch, uint.MaxValue));
        BinaryPrimitives.WriteUInt16BigEndian(to[4..], (ushort)bpdu.Root);
        BinaryPrimitives.WriteUInt16BigEndian(to[6..], bpdu.Parent < 0 ? None : (ushort)bpdu.Parent);
        to[8] = (byte)Math.Min(bpdu.Hops, byte.MaxValue);
        to[9] = bpdu.TopologyChange ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteDoubleBigEndian(to[FirstCapability..], bpdu.RootCapability);
        BinaryPrimitives.WriteDoubleBigEndian(to[(FirstCapability + 8)..], bpdu.SenderCapability);
        WriteCost(to[FirstCost..], bpdu.Cost);
        WriteCost(to[(FirstCost + CostBytes)..], bpdu.LinkCost);
    }

    /// <inheritdoc/>
    public bool TryRead(ReadOnlySpan<byte> from, int nodes, out PeerMessage statement)
    {
        statement = default;
        if (from.Length != HopBytes.StatementBytes || from[9] > 1)
            return false;
        var root = BinaryPrimitives.ReadUInt16BigEndian(from[4..]);
        var parent = BinaryPrimitives.ReadUInt16BigEndian(from[6..]);
        var ofRoot = BinaryPrimitives.ReadDoubleBigEndian(from[FirstCapability..]);
        var ofSender = BinaryPrimitives.ReadDoubleBigEndian(from[(FirstCapability + 8)..]);
        var cost = ReadCost(from[FirstCost..]);
        if (
            root >= nodes
            || (parent >= nodes && parent != None)
            || !double.IsFinite(ofRoot)
            || !double.IsFinite(ofSender)
            || cost == TreeNeighbour.Unknown
        )
            return false;
        statement = new Bpdu
        {
            Epoch = BinaryPrimitives.ReadUInt32BigEndian(from),
            RootCapability = ofRoot,
            Root = root,
            Cost = cost,
            Hops = from[8],
            Parent = parent == None ? -1 : parent,
            SenderCapability = ofSender,
            LinkCost = ReadCost(from[(FirstCost + CostBytes)..]),
            TopologyChange = from[9] == 1,
        }.ToMessage();
        return true;
    }

    private static void WriteCost(Span<byte> to, long cost)
    {
        var value = cost < 0 ? Unknown : Math.Min(cost, Unknown - 1);
        to[0] = (byte)(value >> 32);
        BinaryPrimitives.WriteUInt32BigEndian(to[1..], (uint)value);
    }

    private static long ReadCost(ReadOnlySpan<byte> from)
    {
        var value = ((long)from[0] << 32) | BinaryPrimitives.ReadUInt32BigEndian(from[1..]);
        return value == Unknown ? TreeNeighbour.Unknown : value;
    }
}
