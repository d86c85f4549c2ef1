namespace MqttCheck.Latency;

/// <summary>A feature of a question that training has not seen.</summary>
/// <param name="Feature">Its name, for example <c>payload size</c>.</param>
/// <param name="Place">How far it is from what was seen.</param>
/// <param name="Sentence">What is asked, what was seen, and what mends it.</param>
internal sealed record TrainingFinding(string Feature, TrainingPlace Place, string Sentence)
{
    /// <summary>Whether no answer is given to it, even where others are given beyond training.</summary>
    public bool IsImpossible { get; init; }
}
