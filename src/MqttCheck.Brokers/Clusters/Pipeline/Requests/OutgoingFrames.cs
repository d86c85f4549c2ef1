using System.Threading.Channels;

namespace MqttCheck.Brokers.Clusters.Pipeline.Requests;

/// <summary>Frames that wait for a stream. Adding one takes no time, and those that wait leave together.</summary>
internal sealed class OutgoingFrames
{
    private readonly Channel<byte[]> _frames = Channel.CreateUnbounded<byte[]>(
        new UnboundedChannelOptions { SingleReader = true }
    );

    /// <summary>Adds a frame, from any thread; one that comes after the end is dropped.</summary>
    public void Send(byte[] frame) => _frames.Writer.TryWrite(frame);

    /// <summary>Nothing more comes.</summary>
    public void End() => _frames.Writer.TryComplete();

    /// <summary>Writes what comes until the end, or until the stream is gone.</summary>
    public async Task WriteAsync(Stream stream, CancellationToken cancellation)
    {
        using var together = new MemoryStream();
        try
        {
            while (await _frames.Reader.WaitToReadAsync(cancellation))
            {
                together.SetLength(0);
                while (_frames.Reader.TryRead(out var frame))
                    together.Write(frame);
                await stream.WriteAsync(together.GetBuffer().AsMemory(0, (int)together.Length), cancellation);
            }
        }
        catch (Exception gone) when (gone is IOException or ObjectDisposedException or OperationCanceledException)
        {
            // Who reads the stream sees its end too.
        }
    }
}
