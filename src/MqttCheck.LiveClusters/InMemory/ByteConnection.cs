using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>
/// A connection that one node has opened to another, in two parts: near is the node that has opened it, far the one
/// that serves it. Between them packets pass the links.
/// </summary>
/// <param name="links">All links.</param>
/// <param name="index">The link from near to far.</param>
/// <param name="generation">Its number on that link.</param>
/// <param name="isRefused">Whether the link is cut, so that nothing passes.</param>
internal sealed class ByteConnection(ByteLinks links, int index, int generation, bool isRefused)
{
    private WireConnection? _near;
    private WireConnection? _far;
    private Side? _nearSide;
    private Side? _farSide;

    public int Generation => generation;

    /// <summary>Takes what the near node sends.</summary>
    public IWireHandler Near() =>
        _nearSide = new Side(
            connection => _near = connection,
            packet => links.SendThere(index, this, packet),
            () => links.NearEnded(index, this)
        )
        {
            IsIgnored = isRefused,
        };

    /// <summary>A CONNECT has arrived: the far node is connected to.</summary>
    public void OpenFar(Func<IWireHandler, WireConnection> connect)
    {
        _farSide = new Side(_ => { }, packet => links.SendBack(index, this, packet), () => links.FarEnded(index, this));
        _far = connect(_farSide);
    }

    public void ToFar(byte[] packet) => _far?.Send(packet);

    public void ToNear(byte[] packet) => _near?.Send(packet);

    /// <summary>The far node's process has ended, or its connection is reset.</summary>
    public void CloseFar()
    {
        if (_farSide is not null)
            _farSide.IsGone = true;
        _far?.Abort();
        _far = null;
    }

    /// <summary>The near node's process has ended, or its connection is reset.</summary>
    public void CloseNear()
    {
        if (_nearSide is not null)
            _nearSide.IsGone = true;
        _near?.Abort();
        _near = null;
    }

    private sealed class Side(Action<WireConnection> opened, Action<byte[]> packet, Action ended) : IWireHandler
    {
        /// <summary>Whether its end is known already.</summary>
        public bool IsGone { get; set; }

        /// <summary>Whether what comes is dropped.</summary>
        public bool IsIgnored { get; init; }

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => opened(connection);

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            if (IsGone || IsIgnored)
                return bytes.Length;
            var consumed = 0;
            while (PacketFrame.TryRead(bytes[consumed..], int.MaxValue, out var frame) == FrameStatus.Complete)
            {
                packet(bytes.Slice(consumed, frame.TotalLength).ToArray());
                consumed += frame.TotalLength;
            }
            return consumed;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
        {
            if (IsGone)
                return;
            IsGone = true;
            ended();
        }
    }
}
