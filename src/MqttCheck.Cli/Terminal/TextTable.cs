namespace MqttCheck.Cli.Terminal;

/// <summary>
/// A table in plain text, with columns as wide as their longest cell: readable in a terminal, in a log and in a pipe.
/// </summary>
internal sealed class TextTable(params string[] headings)
{
    private readonly List<TableCell[]> _rows = [];
    private bool _isRecorded;

    /// <summary>The headings of further cells of each row, which JSON has and text leaves out.</summary>
    public string[] OnlyInJson { get; init; } = [];

    /// <summary>Adds a row.</summary>
    public void Add(params TableCell[] cells) => _rows.Add(cells);

    /// <summary>Prints the table.</summary>
    public void Print(Screen screen)
    {
        if (screen.Json is not null)
        {
            Record(screen);
            return;
        }
        var rules = headings
            .Select(
                (heading, column) =>
                    new string(
                        '-',
                        _rows.Aggregate(heading.Length, (most, row) => Math.Max(most, row[column].Text.Length))
                    )
            )
            .ToArray();
        string Line(Func<int, string> cell) =>
            string.Join("  ", rules.Select((rule, column) => cell(column).PadRight(rule.Length))).TrimEnd();
        screen.Line(Line(column => headings[column]));
        screen.Line(string.Join("  ", rules));
        screen.Lines(_rows.Select(row => Line(column => row[column].Text)));
    }

    /// <summary>Gives the table to JSON only, where the text has the same in sentences.</summary>
    /// <remarks>Rows that are added later are in it too.</remarks>
    public void Record(Screen screen)
    {
        if (!_isRecorded)
            screen.Json?.Add([.. headings, .. OnlyInJson], _rows);
        _isRecorded = true;
    }
}
