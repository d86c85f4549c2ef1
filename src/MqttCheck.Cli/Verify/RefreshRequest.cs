using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Results;
using MqttCheck.Predictions;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Verify;

/// <summary>Everything that refreshing a prediction needs beside the broker.</summary>
internal sealed record RefreshRequest
{
    /// <summary>The prediction that may be out of date.</summary>
    public required Prediction Prediction { get; init; }

    /// <summary>How long to explore.</summary>
    public required TimeSpan Exploration { get; init; }

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

    /// <summary>Where log, model and prediction are written.</summary>
    public required RunFiles Files { get; init; }
}
