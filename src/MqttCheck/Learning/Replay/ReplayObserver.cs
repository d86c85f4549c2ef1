using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Simulation;

namespace MqttCheck.Learning.Replay;

/// <summary>
/// Collects the latencies of simulated exchanges that were sent within a window and do not belong to a reset, by kind,
/// and how long their connections were set up.
/// </summary>
internal struct ReplayObserver(double windowMilliseconds, List<double>[] latencies, List<double>? setUps = null)
    : IFleetObserver
{
    /// <summary>An empty list for each <see cref="MessageKind"/>.</summary>
    public static List<double>[] ByKind() =>
        [.. Enumerable.Range(0, MessageKinds.Count).Select(_ => new List<double>())];

    /// <summary>How many exchanges were sent within the window, those of resets included.</summary>
    public long Started;

    /// <summary>The sum over these of the open exchanges, the own included.</summary>
    public long Active;

    readonly void IFleetObserver.SetUp(
        int client,
        in ClientAction action,
        double begunMilliseconds,
        double nowMilliseconds
    )
    {
        if (nowMilliseconds <= windowMilliseconds && action.Phase != ExchangePhase.Reset)
            setUps?.Add(nowMilliseconds - begunMilliseconds);
    }

    void IFleetObserver.Started(
        int client,
        int sequence,
        in ClientAction action,
        in ExchangeFeatures features,
        double nowMilliseconds
    )
    {
        if (nowMilliseconds <= windowMilliseconds)
            (Started, Active) = (Started + 1, Active + features.Active);
    }

    readonly void IFleetObserver.Ended(
        int client,
        int sequence,
        in ClientAction action,
        double startedMilliseconds,
        double nowMilliseconds
    )
    {
        if (startedMilliseconds <= windowMilliseconds && action.Phase != ExchangePhase.Reset)
            latencies[(int)action.Kind].Add(nowMilliseconds - startedMilliseconds);
    }
}
