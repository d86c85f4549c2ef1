namespace MqttCheck.Cli.Terminal;

/// <summary>
/// A table in plain text, with columns as wide as their longest cell: readable in a terminal, in a log and in a pipe.
/// </summary>
internal sealed class TextTable(params string[] headings)
{
    private readonly List<string[]> _rows = [];

    /// <summary>Adds a row.</summary>
    public void Add(params string[] cells) => _rows.Add(cells);

    /// <summary>Prints the table.</summary>
    public void Print(Screen screen)
    {
        if (screen.Json is { } json)
        {
            json.Add(headings, _rows);
            return;
        }
        var widths = headings
            .Select((heading, column) => _rows.Select(row => row[column].Length).Append(heading.Length).Max())
            .ToArray();
        string Line(string[] cells) =>
            string.Join("  ", cells.Select((cell, column) => cell.PadRight(widths[column]))).TrimEnd();
        screen.Line(Line(headings));
        screen.Line(string.Join("  ", widths.Select(width => new string('-', width))));
        foreach (var row in _rows)
            screen.Line(Line(row));
    }
}
