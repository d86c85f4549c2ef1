using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Live;
using MqttCheck.Predictions;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Verify;

/// <summary>Everything that a verification needs beside the broker.</summary>
internal sealed record VerifyRequest : LiveRequest
{
    /// <summary>The prediction.</summary>
    public required Prediction Prediction { get; init; }

    /// <summary>Its file.</summary>
    public required string PredictionFile { get; init; }

    /// <summary>Which of its points are verified.</summary>
    public required VerificationChoice Chosen { get; init; }

    /// <summary>The test and the time for it.</summary>
    public required AskedTest Asked { get; init; }

    /// <summary>The log to write.</summary>
    public required string Log { get; init; }

    /// <summary>The verdict file to write.</summary>
    public required string Output { get; init; }

    /// <summary>The log of what is measured again after the verdicts to check them.</summary>
    public required string MonteCarloLog { get; init; }

    /// <summary>Who watches it beside the screen; null for nobody.</summary>
    public IProgress<VerificationProgress>? Watcher { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }
}
