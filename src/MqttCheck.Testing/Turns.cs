namespace MqttCheck.Testing;

/// <summary>
/// What loads a broker takes turns within a process, whatever tests run in parallel: two at once would measure each
/// other.
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
