namespace MqttCheck.Testing;

/// <summary>
/// Makes tests of a process load brokers one at a time, even if the tests run in parallel. Two loads at once would
/// affect each other's latencies.
/// </summary>
internal static class Turns
{
    // A lock of the process, not data: it holds nothing.
    private static readonly SemaphoreSlim s_turn = new(1);

    /// <summary>Does something while nothing else of this class is done.</summary>
    public static TResult Take<TResult>(Func<TResult> work, CancellationToken cancellation)
    {
        s_turn.Wait(cancellation);
        try
        {
            return work();
        }
        finally
        {
            s_turn.Release();
        }
    }
}
