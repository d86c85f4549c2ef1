using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;

namespace MqttCheck.App.Estimate;

/// <summary>A property that is asked of simulated fleets.</summary>
/// <param name="ShowsProgress">Whether each setup is reported; workers show their own progress.</param>
internal sealed record EstimateRequest(
    TraceProperty Property,
    PropertyOptions Options,
    IReadOnlyList<AskedFleet> Fleets,
    bool ShowsProgress
);
