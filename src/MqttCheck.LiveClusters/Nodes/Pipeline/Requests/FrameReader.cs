using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

/// <summary>Takes the frames of a connection one by one; a malformed frame ends the connection.</summary>
internal abstract class FrameReader : IWireHandler
{
    /// <summary>The connection; null before it is made and when it has ended.</summary>
    protected WireConnection? Connection { get; private set; }

    /// <inheritdoc/>
    public virtual void OnConnected(WireConnection connection, in ArrivalStamp stamp) => Connection = connection;

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        while (Frames.TryRead(bytes[consumed..], out var content))
        {
            if (content.IsEmpty)
                return consumed;
            Take(content);
            consumed += Frames.HeadBytes + content.Length;
        }
        connection.Abort();
        return bytes.Length;
    }

    /// <inheritdoc/>
    public virtual void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        Connection = null;

    /// <summary>Takes a frame.</summary>
    /// <param name="content">The number of a request, followed by the request or its answer.</param>
    protected abstract void Take(ReadOnlySpan<byte> content);
}
