using MqttCheck.Brokers.Processes;

namespace MqttCheck.Cli.Selfcheck;

/// <summary>What a self-check is to do.</summary>
internal sealed record SelfcheckRequest
{
    /// <summary>The broker of the comparison with the wire, or null for the embedded one.</summary>
    public BrokerSpecification? Broker { get; init; }

    /// <summary>How many clients the comparison with the wire has.</summary>
    public required int Clients { get; init; }

    /// <summary>How long it takes.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Whether requests are stamped by the kernel too.</summary>
    public required bool Audit { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The bounds of the comparison with the wire.</summary>
    public SelfcheckBounds Bounds => Audit ? SelfcheckBounds.Audit : SelfcheckBounds.KernelArrival;
}
