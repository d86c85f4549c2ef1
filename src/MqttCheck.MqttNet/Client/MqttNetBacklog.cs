namespace MqttCheck.MqttNet.Client;

/// <summary>How many bytes of messages a client was given and could not hand to its socket.</summary>
internal sealed class MqttNetBacklog
{
    // A call that meets another thread's, which sends an acknowledgement, waits for microseconds: that is no sign of a
    // broker that does not read.
    private static readonly TimeSpan s_contention = TimeSpan.FromMilliseconds(10);

    // A machine that stood still sends many messages at once. What no kernel takes counts before that time is over.
    private const long MostUncounted = 4 << 20;

    private long _given;
    private long _waiting;

    /// <summary>The bytes.</summary>
    public int Bytes =>
        (int)
            Math.Min(
                Math.Max(Interlocked.Read(ref _waiting), Interlocked.Read(ref _given) - MostUncounted),
                int.MaxValue
            );

    /// <summary>Counts bytes until they are sent, if that takes a while.</summary>
    /// <param name="sending">What sends them.</param>
    /// <param name="bytes">How many.</param>
    public async Task WatchAsync(Task sending, long bytes)
    {
        ArgumentNullException.ThrowIfNull(sending);
        var isWaiting = false;
        Interlocked.Add(ref _given, bytes);
        try
        {
            await sending.WaitAsync(s_contention).ConfigureAwait(false);
        }
        catch (TimeoutException) when (!sending.IsCompleted)
        {
            isWaiting = true;
            Interlocked.Add(ref _waiting, bytes);
            await sending.ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Add(ref _given, -bytes);
            if (isWaiting)
                Interlocked.Add(ref _waiting, -bytes);
        }
    }
}
