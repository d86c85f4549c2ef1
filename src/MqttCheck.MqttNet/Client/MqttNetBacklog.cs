namespace MqttCheck.MqttNet.Client;

/// <summary>How many bytes of messages a client was given and has not handed to its socket.</summary>
internal sealed class MqttNetBacklog
{
    private long _bytes;

    /// <summary>The bytes.</summary>
    public int Bytes => (int)Math.Min(Interlocked.Read(ref _bytes), int.MaxValue);

    /// <summary>Counts bytes until they are sent.</summary>
    /// <param name="sending">What sends them.</param>
    /// <param name="bytes">How many.</param>
    public async Task WatchAsync(Task sending, long bytes)
    {
        ArgumentNullException.ThrowIfNull(sending);
        Interlocked.Add(ref _bytes, bytes);
        try
        {
            await sending.ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Add(ref _bytes, -bytes);
        }
    }
}
