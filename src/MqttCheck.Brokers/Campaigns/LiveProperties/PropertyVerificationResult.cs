using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;
using MqttCheck.Properties.Live;

namespace MqttCheck.Brokers.Campaigns.LiveProperties;

/// <summary>What the verification of a property found.</summary>
/// <param name="Result">What the runs say; withheld where they cannot be used.</param>
/// <param name="Cases">The runs that were made.</param>
/// <param name="Runs">What each run yielded beside the log.</param>
/// <param name="Spent">How long they took.</param>
/// <param name="Interrupted">Whether it was cut short by the user.</param>
public sealed record PropertyVerificationResult(
    LivePropertyResult Result,
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    TimeSpan Spent,
    bool Interrupted
);
