namespace MqttCheck.Health;

/// <summary>Something about a run that bears on how far its numbers can be trusted.</summary>
/// <param name="Code">A short name for programs, for example <c>send-lag</c>.</param>
/// <param name="Invalidates">Whether the numbers must not be used; otherwise it is a remark.</param>
/// <param name="Text">One sentence for people, with the numbers.</param>
public sealed record HealthFinding(string Code, bool Invalidates, string Text);
