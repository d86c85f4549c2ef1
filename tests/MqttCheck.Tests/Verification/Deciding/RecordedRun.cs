using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Verification.Deciding;

/// <summary>A run as it might have been made.</summary>
/// <param name="LagMilliseconds">How late the generator was; more than 1 is too late.</param>
/// <param name="SettledAfter">When it became stationary in seconds; NaN if it never did.</param>
internal sealed record RecordedRun(double LagMilliseconds, double SettledAfter) : IMadeRun
{
    public static RecordedRun Sound { get; } = new(.01, 0);

    public static RecordedRun Unsettled { get; } = new(.01, double.NaN);

    public IReadOnlyList<Outcome> Outcomes { get; init; } = [];

    public RunHealth Health =>
        new()
        {
            Loop = LoadLoop.Closed,
            LatencyP99Milliseconds = 10,
            LagP99Microseconds = 1000 * LagMilliseconds,
        };

    public WarmUp WarmUp =>
        new(double.IsNaN(SettledAfter) ? StationarityState.Never : StationarityState.Reached, SettledAfter);

    public static RecordedRun Late(double milliseconds) => new(milliseconds, 0);
}
