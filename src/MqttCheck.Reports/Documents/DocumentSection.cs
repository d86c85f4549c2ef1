namespace MqttCheck.Reports.Documents;

/// <summary>A section of a document.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Meaning">One plain sentence that says what it shows.</param>
/// <param name="Blocks">The blocks of the section, in order.</param>
internal sealed record DocumentSection(string Title, string Meaning, IReadOnlyList<DocumentBlock> Blocks);
