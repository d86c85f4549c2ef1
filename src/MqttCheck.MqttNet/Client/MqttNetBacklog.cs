namespace MqttCheck.MqttNet.Client;

/// <summary>How many bytes of messages a client was given and could not hand to its socket.</summary>
internal sealed class MqttNetBacklog
{
    // A call that meets another thread's, which sends an acknowledgement, waits for microseconds: that is no sign of a
    // broker that does not read.
    private static readonly TimeSpan s_contention = TimeSpan.FromMilliseconds(10);

    private long _bytes;

    /// <summary>The bytes.</summary>
    public int Bytes => (int)Math.Min(Interlocked.Read(ref _bytes), int.MaxValue);

    /// <summary>Counts bytes until they are sent, if that takes a while.</summary>
    /// <param name="sending">What sends them.</param>
    /// <param name="bytes">How many.</param>
    public async Task WatchAsync(Task sending, long bytes)
    {
        ArgumentNullException.ThrowIfNull(sending);
        try
        {
            await sending.WaitAsync(s_contention).ConfigureAwait(false);
            return;
        }
        catch (TimeoutException) when (!sending.IsCompleted) { }
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
