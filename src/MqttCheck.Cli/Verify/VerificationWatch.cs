using MqttCheck.Brokers.Campaigns;

namespace MqttCheck.Cli.Verify;

/// <summary>Who watches a verification beside the screen, and where its log goes.</summary>
/// <param name="Watcher">Is told of every run; null for nobody.</param>
/// <param name="Directory">The directory of the log. Default: the current one.</param>
internal sealed record VerificationWatch(IProgress<VerificationProgress>? Watcher = null, string Directory = ".");
