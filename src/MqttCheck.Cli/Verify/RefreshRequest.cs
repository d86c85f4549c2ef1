using MqttCheck.App.Runs;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Results;
using MqttCheck.Predictions;

namespace MqttCheck.Cli.Verify;

/// <summary>Everything that refreshing a prediction needs beside the broker.</summary>
internal sealed record RefreshRequest : LiveRequest
{
    /// <summary>The prediction that may be out of date.</summary>
    public required Prediction Prediction { get; init; }

    /// <summary>How long to explore.</summary>
    public required TimeSpan Exploration { get; init; }

    /// <summary>The files for log, model and prediction.</summary>
    public required RunFiles Files { get; init; }
}
