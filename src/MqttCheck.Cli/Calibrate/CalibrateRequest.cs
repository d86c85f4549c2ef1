using MqttCheck.Cli.Live;
using MqttCheck.Cli.Results;
using MqttCheck.Learning.Learners;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Calibrate;

/// <summary>What a calibration does.</summary>
internal sealed record CalibrateRequest
{
    /// <summary>The broker.</summary>
    public required BrokerChoice Broker { get; init; }

    /// <summary>The profiles.</summary>
    public required IReadOnlyList<Population> Populations { get; init; }

    /// <summary>The client counts.</summary>
    public required IReadOnlyList<int> Clients { get; init; }

    /// <summary>The thresholds in milliseconds.</summary>
    public required IReadOnlyList<double> ThresholdsMilliseconds { get; init; }

    /// <summary>How long all training cases together run.</summary>
    public required TimeSpan Training { get; init; }

    /// <summary>How often each setup is measured.</summary>
    public required int Runs { get; init; }

    /// <summary>How many sequences of each client count in a run.</summary>
    public required int SequencesPerClient { get; init; }

    /// <summary>The learners to compare, at least one.</summary>
    public required IReadOnlyList<ILearner> Learners { get; init; }

    /// <summary>The protocol that the clients speak.</summary>
    public required ProtocolVersion ProtocolVersion { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Where to write.</summary>
    public required RunFiles Files { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }

    /// <summary>Where pictures go, or null for none.</summary>
    public string? Plots { get; init; }
}
