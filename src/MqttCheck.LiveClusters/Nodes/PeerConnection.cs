using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>A connection that a node has opened to a peer. It reports nothing after the node has given it up.</summary>
/// <param name="host">The node.</param>
/// <param name="peer">The peer.</param>
internal sealed class PeerConnection(NodeHost host, int peer) : IWireHandler
{
    private WireConnection? _wire;

    /// <summary>Whether it is the present one.</summary>
    public bool IsCurrent { get; set; } = true;

    /// <summary>Begins to connect.</summary>
    public void Begin(Func<IWireHandler, WireConnection> connect) => _wire = connect(this);

    public void Send(ReadOnlySpan<byte> packet) => _wire!.Send(packet);

    public void Close()
    {
        IsCurrent = false;
        _wire!.Close();
    }

    public void Abort()
    {
        IsCurrent = false;
        _wire!.Abort();
    }

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        if (IsCurrent)
            host.Opened(peer);
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) =>
        IsCurrent ? host.Answered(peer, bytes) : bytes.Length;

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (!IsCurrent)
            return;
        IsCurrent = false;
        host.Ended(peer);
    }
}
