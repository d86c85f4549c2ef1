namespace MqttCheck.Clusters.Monitors;

/// <summary>A statement about a cluster that did not hold.</summary>
/// <param name="Invariant">Its name, such as I4; of I4 also which part of it, such as I4-root.</param>
/// <param name="AtNanoseconds">When it was seen not to hold.</param>
/// <param name="Text">What is wrong, in a sentence.</param>
public sealed record TreeViolation(string Invariant, long AtNanoseconds, string Text);
