using System.Diagnostics;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Processes.Probes;

/// <summary>
/// Waits until a broker that was just started accepts a client. An open port is not enough, because some brokers listen
/// before they can serve.
/// </summary>
internal static class Readiness
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(5);

    /// <summary>Asks until the broker accepts, ends, or the time is over.</summary>
    /// <param name="child">The broker's process.</param>
    /// <param name="endpoint">The address and transport that the broker is to serve.</param>
    /// <param name="credentials">How to log in.</param>
    /// <param name="timeout">How long it may take.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Null when it accepts clients, otherwise the last answer of the broker.</returns>
    public static async Task<string?> WaitAsync(
        ChildProcess child,
        WireEndpoint endpoint,
        Credentials? credentials,
        TimeSpan timeout,
        CancellationToken cancellation
    )
    {
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            var problem = await ConnectionProbe.AskAsync(endpoint, credentials, AnswerTimeout, cancellation);
            if (child.Exited.IsCompleted)
                return problem ?? "has ended";
            if (problem is null || Stopwatch.GetElapsedTime(start) > timeout)
                return problem;
            await Task.WhenAny(child.Exited, Task.Delay(Pause, cancellation));
            cancellation.ThrowIfCancellationRequested();
        }
    }
}
