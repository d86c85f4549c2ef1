using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>The sizes of payloads, as files say them.</summary>
/// <param name="Minimum">The smallest, in bytes.</param>
/// <param name="Maximum">The largest, in bytes.</param>
/// <param name="Law">The law between the two; null for a uniform one.</param>
internal sealed record PayloadSizes(int Minimum = 12, int Maximum = 80, Law? Law = null);
