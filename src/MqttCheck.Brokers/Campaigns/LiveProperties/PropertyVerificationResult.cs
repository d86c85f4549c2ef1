using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;
using MqttCheck.Properties.Live;

namespace MqttCheck.Brokers.Campaigns.LiveProperties;

/// <summary>The result of the verification of a property.</summary>
/// <param name="Result">The result of the test; withheld if the runs cannot be used.</param>
/// <param name="Cases">The runs that were made.</param>
/// <param name="Runs">The result of each run, without the logged exchanges.</param>
/// <param name="Spent">How long they took.</param>
/// <param name="Interrupted">Whether it was cut short by the user.</param>
internal sealed record PropertyVerificationResult(
    LivePropertyResult Result,
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    TimeSpan Spent,
    bool Interrupted
);
