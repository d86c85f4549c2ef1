namespace MqttCheck.Captures.Logs;

/// <summary>The origin of the packets of a log.</summary>
/// <param name="Source">In a word: capture or tap.</param>
/// <param name="ToolVersion">The version that is noted in it.</param>
/// <param name="KeepsNames">Whether the names of clients and topics are written as they are.</param>
internal sealed record LogOrigin(string Source, string ToolVersion, bool KeepsNames);
