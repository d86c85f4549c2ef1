namespace MqttCheck.Clusters.Properties;

/// <summary>The fates of retained messages, each the only one on its topic.</summary>
/// <param name="Acknowledged">How many were acknowledged.</param>
/// <param name="Missing">How many of these their node did not hand out at the end.</param>
/// <param name="First">The first of the missing ones in words; empty for none.</param>
internal sealed record KeptOutcome(long Acknowledged, long Missing, string First);
