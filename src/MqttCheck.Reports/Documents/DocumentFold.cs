namespace MqttCheck.Reports.Documents;

/// <summary>Blocks that are folded until somebody opens them. In Markdown they stand open.</summary>
/// <param name="Title">What is in it, and how many.</param>
/// <param name="Blocks">The blocks.</param>
internal sealed record DocumentFold(string Title, IReadOnlyList<DocumentBlock> Blocks) : DocumentBlock;
