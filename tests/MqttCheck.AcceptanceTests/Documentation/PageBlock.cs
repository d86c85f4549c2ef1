namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>A part of a page that is no code: a paragraph, an item of a list, a row of a table, or a heading.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Line">The number of its first line, from 1.</param>
/// <param name="Lines">Its lines as they stand in the file.</param>
internal sealed record PageBlock(PageBlockKind Kind, int Line, IReadOnlyList<string> Lines)
{
    /// <summary>Its text in one line.</summary>
    public string Text => string.Join(' ', Lines.Select(line => line.Trim()));
}
