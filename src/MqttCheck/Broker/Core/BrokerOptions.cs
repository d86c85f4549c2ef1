using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Peers;

namespace MqttCheck.Broker.Core;

/// <summary>The features, access rules and deliberate faults of a broker.</summary>
public sealed record BrokerOptions
{
    /// <summary>Limits and abilities.</summary>
    public BrokerLimits Limits { get; init; } = new();

    /// <summary>Users and access rules. Default: everybody may do everything.</summary>
    public BrokerAccess Access { get; init; } = BrokerAccess.Open;

    /// <summary>Faults and disturbances. Default none.</summary>
    public FaultPlan Faults { get; init; } = FaultPlan.None;

    /// <summary>The seed of what is decided by chance.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>The brokers that it works together with. Default null: it is alone.</summary>
    internal IBrokerPeers? Peers { get; init; }

    /// <summary>
    /// A deviation from the specification that the core always shows, to measure whether a checker finds it.
    /// </summary>
    internal BrokerMutant Mutant { get; init; }

    /// <summary>Permitted behaviour that the core does not show by default, to see that a checker accepts it.</summary>
    internal BrokerHabits Habits { get; init; }
}
