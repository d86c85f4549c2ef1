using MqttCheck.Brokers.Campaigns;

namespace MqttCheck.App.Progress;

/// <summary>Hands on the progress of a campaign.</summary>
/// <param name="report">Takes the share done and a few words.</param>
internal sealed class CampaignRelay(Action<double, string> report) : IProgress<CampaignProgress>
{
    public void Report(CampaignProgress value) => report(value.Share, value.Detail);
}
