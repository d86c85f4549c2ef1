namespace MqttCheck.Reports.Documents;

/// <summary>A table of texts; the first column names the row.</summary>
/// <param name="Label">The contents of the table, for people who do not see where it stands.</param>
/// <param name="Columns">The headings.</param>
/// <param name="Rows">The cells, as many in each row as there are headings.</param>
internal sealed record DocumentTable(
    string Label,
    IReadOnlyList<string> Columns,
    IReadOnlyList<IReadOnlyList<string>> Rows
) : DocumentBlock
{
    /// <summary>
    /// Whether its cells are sentences: they wrap, and a row becomes labelled lines on a narrow screen.
    /// </summary>
    public bool IsText { get; init; }
}
