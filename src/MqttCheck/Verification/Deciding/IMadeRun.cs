using MqttCheck.Clients;
using MqttCheck.Health;

namespace MqttCheck.Verification.Deciding;

/// <summary>A run that was made: what it yielded, and what it says of itself.</summary>
internal interface IMadeRun
{
    /// <summary>The counted sequences in the order in which they began.</summary>
    IReadOnlyList<Outcome> Outcomes { get; }

    /// <summary>How busy and how late the generator was.</summary>
    RunHealth Health { get; }

    /// <summary>When the run's latencies became stationary, or that they never did.</summary>
    WarmUp WarmUp { get; }
}
