using MqttCheck.App.Runs;
using MqttCheck.Cli.Live;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Requirements;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>Everything that the verification of a property needs beside the broker.</summary>
internal sealed record PropertyVerifyRequest : LiveRequest
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

    /// <summary>The log to write.</summary>
    public required string Log { get; init; }

    /// <summary>The verdict file to write.</summary>
    public required string Output { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }
}
