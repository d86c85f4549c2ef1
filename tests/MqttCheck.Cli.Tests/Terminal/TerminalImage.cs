using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace MqttCheck.Cli.Tests.Terminal;

/// <summary>The picture that a terminal makes of the text and the control sequences it gets.</summary>
/// <param name="columns">Its width; a longer line goes on in the next one.</param>
internal sealed partial class TerminalImage(int columns) : StringWriter(CultureInfo.InvariantCulture)
{
    private readonly StringBuilder _written = new();
    private readonly List<StringBuilder> _lines = [new()];
    private string _begun = "";
    private int _row;
    private int _column;

    /// <summary>The lines on the screen.</summary>
    public string Text => string.Join('\n', _lines.Select(line => line.ToString().TrimEnd())).TrimEnd() + "\n";

    /// <summary>Everything that was written.</summary>
    public string Written => _written.ToString();

    public override void Write(char value) => Write(value.ToString());

    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    public override void Write(string? value)
    {
        _written.Append(value);
        _begun += value;
        // A sequence may come in parts.
        while (Part().Match(_begun) is { Success: true } part)
        {
            _begun = _begun[part.Length..];
            if (part.Groups["command"] is { Success: true } command)
                Control(command.Value, part.Groups["number"].Value);
            else
                Put(part.Value[0]);
        }
    }

    public override void WriteLine(string? value) => Write(value + "\n");

    private void Control(string command, string number)
    {
        switch (command)
        {
            case "A":
                _row = Math.Max(0, _row - (number.Length == 0 ? 1 : int.Parse(number, CultureInfo.InvariantCulture)));
                break;
            case "K":
                var from = number == "2" ? 0 : Math.Min(_column, Line.Length);
                Line.Length = from;
                break;
            case "h" or "l" or "m":
                break;
            default:
                throw new NotSupportedException($"The sequence that ends with {command} is not known.");
        }
    }

    private void Put(char value)
    {
        switch (value)
        {
            case '\r':
                _column = 0;
                return;
            case '\n':
                Move();
                return;
        }
        if (_column == columns)
            Move();
        while (Line.Length <= _column)
            Line.Append(' ');
        Line[_column++] = value;
    }

    private StringBuilder Line => _lines[_row];

    private void Move()
    {
        _column = 0;
        if (++_row == _lines.Count)
            _lines.Add(new());
    }

    [GeneratedRegex(@"^(?:\u001b\[\??(?<number>[0-9;]*)(?<command>[A-Za-z])|[^\u001b])", RegexOptions.Singleline)]
    private static partial Regex Part();
}
