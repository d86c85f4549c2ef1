using System.Text.Json;
using MqttCheck.App.Runs;

namespace MqttCheck.Cli.Terminal;

/// <summary>The text of a command as one JSON object: its tables, its files and other lines.</summary>
/// <param name="command">The command, as it is given on the command line.</param>
internal sealed class ResultJson(string command)
{
    private readonly List<string> _lines = [];
    private readonly List<string> _warnings = [];
    private readonly List<(IReadOnlyList<string> Headings, IReadOnlyList<TableCell[]> Rows)> _tables = [];
    private bool _isPrinted;

    /// <summary>Adds a line of text.</summary>
    public void Add(string line)
    {
        if (line.Trim() is { Length: > 0 } text)
            _lines.Add(text);
    }

    /// <summary>Adds a table.</summary>
    public void Add(IReadOnlyList<string> headings, IReadOnlyList<TableCell[]> rows) => _tables.Add((headings, rows));

    /// <summary>Adds a warning.</summary>
    public void Warn(string text) => _warnings.Add(text);

    /// <summary>Prints the object, unless that was done.</summary>
    /// <param name="exitCode">The exit code; null while the command goes on.</param>
    public void Print(Screen screen, int? exitCode = null)
    {
        if (_isPrinted)
            return;
        _isPrinted = true;
        screen.Json = null;
        screen.Line(JsonOutput.Of(writer => Write(writer, exitCode)));
    }

    private void Write(Utf8JsonWriter writer, int? exitCode)
    {
        writer.WriteStartObject();
        writer.WriteString("command", command);
        if (exitCode is { } code)
            writer.WriteNumber("exitCode", code);
        Write(writer, "warnings", _warnings);
        writer.WriteStartArray("tables");
        foreach (var (headings, rows) in _tables)
        {
            writer.WriteStartArray();
            foreach (var row in rows)
                Write(writer, headings, row);
            writer.WriteEndArray();
        }
        writer.WriteEndArray();
        Write(writer, "lines", _lines);
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, string name, List<string> texts)
    {
        writer.WriteStartArray(name);
        foreach (var text in texts)
            writer.WriteStringValue(text);
        writer.WriteEndArray();
    }

    // A column without a heading holds remarks.
    private static void Write(Utf8JsonWriter writer, IReadOnlyList<string> headings, TableCell[] row)
    {
        writer.WriteStartObject();
        for (var i = 0; i < row.Length; i++)
        {
            writer.WritePropertyName(headings[i].Length > 0 ? headings[i] : "remark");
            row[i].Write(writer);
        }
        writer.WriteEndObject();
    }
}
