using MqttCheck.Brokers.Campaigns;

namespace MqttCheck.Cli.Verify;

/// <summary>Who watches a verification beside the screen, and where its log goes.</summary>
internal sealed record VerificationWatch
{
    /// <summary>Is told of every run; null for nobody.</summary>
    public IProgress<VerificationProgress>? Watcher { get; init; }

    /// <summary>The directory of the log. Default: the current one.</summary>
    public string Directory { get; init; } = ".";
}
