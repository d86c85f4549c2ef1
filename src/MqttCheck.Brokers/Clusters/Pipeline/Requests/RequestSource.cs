namespace MqttCheck.Brokers.Clusters.Pipeline.Requests;

/// <summary>A connection from which requests come, and to which answers go.</summary>
internal sealed class RequestSource
{
    private readonly OutgoingFrames _queue = new();

    /// <summary>Sends an answer; a client that has gone asks again over its next connection.</summary>
    /// <param name="content">The number of the request, and what belongs to it.</param>
    public void Answer(ReadOnlySpan<byte> content) => _queue.Send(Frames.Of(content));

    /// <summary>Sends answers until the end.</summary>
    public Task WriteAsync(Stream stream, CancellationToken cancellation) => _queue.WriteAsync(stream, cancellation);

    /// <summary>The connection ends.</summary>
    public void End() => _queue.End();
}
