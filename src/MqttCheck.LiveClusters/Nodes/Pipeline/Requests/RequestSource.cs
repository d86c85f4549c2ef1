namespace MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

/// <summary>A connection from which requests come, and to which answers go.</summary>
/// <param name="server">Who answers.</param>
internal sealed class RequestSource(RequestServer server) : FrameReader
{
    /// <summary>Sends an answer. A client that has gone asks again over its next connection.</summary>
    /// <param name="number">The number of the request.</param>
    /// <param name="content">The content of the answer.</param>
    public void Answer(long number, ReadOnlySpan<byte> content) => Connection?.Send(Frames.Of(number, content));

    /// <inheritdoc/>
    protected override void Take(ReadOnlySpan<byte> content) => server.Take(this, content);
}
