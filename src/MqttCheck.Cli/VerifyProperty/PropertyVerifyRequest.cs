using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Protocol;
using MqttCheck.Requirements;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>Everything that the verification of a property needs beside the broker.</summary>
internal sealed record PropertyVerifyRequest
{
    /// <summary>The property.</summary>
    public required LiveProperty Property { get; init; }

    /// <summary>Its requirement.</summary>
    public required RequirementOptions Requirement { get; init; }

    /// <summary>Who the clients are and what they do.</summary>
    public required Population Population { get; init; }

    /// <summary>How many clients.</summary>
    public required int Clients { get; init; }

    /// <summary>How long it may take; null for what the planned runs take.</summary>
    public required TimeSpan? Budget { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The protocol that the clients speak.</summary>
    public required ProtocolVersion ProtocolVersion { get; init; }

    /// <summary>Which MQTT client carries the requests.</summary>
    public required ClientKind Client { get; init; }

    /// <summary>Who makes the runs.</summary>
    public required IFleetRunner Fleets { get; init; }

    /// <summary>The largest rate, or null.</summary>
    public required int? RateCap { get; init; }

    /// <summary>The log to write.</summary>
    public required string Log { get; init; }

    /// <summary>The verdict file to write.</summary>
    public required string Output { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }
}
