using MqttCheck.Brokers.Campaigns;

namespace MqttCheck.Cli.Live;

/// <summary>Shows the progress of a campaign.</summary>
/// <param name="report">Takes the share done and a few words.</param>
internal sealed class ScreenProgress(Action<double, string> report) : IProgress<CampaignProgress>
{
    public void Report(CampaignProgress value) => report(value.Share, value.Detail);
}
