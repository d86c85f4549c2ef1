namespace MqttCheck.Reports.Documents;

/// <summary>A paragraph.</summary>
/// <param name="Text">Whole sentences.</param>
internal sealed record DocumentNote(string Text) : DocumentBlock;
