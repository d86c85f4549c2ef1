namespace MqttCheck.Captures.Files;

/// <summary>A segment that is kept beyond the reading of its packet.</summary>
/// <param name="Nanoseconds">When it passed.</param>
/// <param name="Sequence">The sequence number of its first byte.</param>
/// <param name="Length">How many bytes of data it had.</param>
/// <param name="IsFin">Whether its sender has no more to send.</param>
/// <param name="Data">The captured beginning of its data.</param>
internal sealed record KeptSegment(long Nanoseconds, uint Sequence, int Length, bool IsFin, byte[] Data);
