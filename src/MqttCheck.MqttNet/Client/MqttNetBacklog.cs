namespace MqttCheck.MqttNet.Client;

/// <summary>Counts the bytes of messages that a client was given and could not hand to its socket.</summary>
internal sealed class MqttNetBacklog
{
    // A call may wait some microseconds for another thread that sends an acknowledgement. This is no sign of a broker
    // that does not read.
    private static readonly TimeSpan s_contention = TimeSpan.FromMilliseconds(10);

    // After a pause of the machine many messages are sent at once. Bytes above this limit, which no kernel buffer
    // holds, count before the contention time is over.
    private const long MostUncounted = 4 << 20;

    private long _given;
    private long _waiting;

    public int Bytes =>
        (int)
            Math.Min(
                Math.Max(Interlocked.Read(ref _waiting), Interlocked.Read(ref _given) - MostUncounted),
                int.MaxValue
            );

    /// <summary>Counts bytes until they are sent, if that takes a while.</summary>
    /// <param name="sending">The task that sends them.</param>
    /// <param name="bytes">How many.</param>
    public async Task WatchAsync(Task sending, long bytes)
    {
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
