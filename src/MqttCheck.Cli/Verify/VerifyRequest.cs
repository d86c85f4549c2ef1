using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Live;
using MqttCheck.Predictions;
using MqttCheck.Verification;
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

    /// <summary>The test, with the smallest number of runs.</summary>
    public required VerificationOptions Test { get; init; }

    /// <summary>
    /// Whether the first look is after that number of runs, or after as many as promise a verdict soonest.
    /// </summary>
    public required bool IsNumberOfRunsFixed { get; init; }

    /// <summary>How long it may take; null for as long as the planned runs take, with a quarter more.</summary>
    public required TimeSpan? Budget { get; init; }

    /// <summary>The log to write.</summary>
    public required string Log { get; init; }

    /// <summary>The verdict file to write.</summary>
    public required string Output { get; init; }

    /// <summary>
    /// How many sequences of each setup are measured again after the verdicts to check them, or null.
    /// </summary>
    public int? MonteCarloSequences { get; init; }

    /// <summary>The log of those.</summary>
    public required string MonteCarloLog { get; init; }

    /// <summary>Who watches it beside the screen; null for nobody.</summary>
    public IProgress<VerificationProgress>? Watcher { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }
}
