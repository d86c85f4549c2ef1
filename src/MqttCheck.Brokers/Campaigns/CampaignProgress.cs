namespace MqttCheck.Brokers.Campaigns;

/// <summary>How far a campaign has come.</summary>
/// <param name="Share">The share that is done, 0 .. 1.</param>
/// <param name="Detail">A few words for people: which run, how many messages.</param>
public readonly record struct CampaignProgress(double Share, string Detail);
