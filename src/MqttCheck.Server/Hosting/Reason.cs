using System.Text.Json.Serialization;

namespace MqttCheck.Server.Hosting;

/// <summary>Why a request is refused.</summary>
/// <param name="Text">Every finding, one per line.</param>
internal sealed record Reason([property: JsonPropertyName("reason")] string Text)
{
    /// <summary>Whether there is an answer all the same, beyond training.</summary>
    public bool IsAnsweredBeyond { get; init; }

    /// <summary>The findings, each with the key that it is about.</summary>
    public IReadOnlyList<Mistake> Findings => [.. Text.Split('\n').Select(Mistake.Of)];
}
