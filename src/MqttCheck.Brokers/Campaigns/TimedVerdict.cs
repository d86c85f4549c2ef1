using MqttCheck.Verification;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>A verdict and the time that its runs took.</summary>
/// <param name="Verdict">The verdict.</param>
/// <param name="Time">Wall time of the runs that it rests on.</param>
internal sealed record TimedVerdict(Verdict Verdict, TimeSpan Time);
