using System.Text;

namespace MqttCheck.Cli.WhatIf;

/// <summary>Hands on whole lines of what is written.</summary>
/// <param name="take">Takes a line.</param>
internal sealed class LineWriter(Action<string> take) : TextWriter
{
    private readonly Lock _gate = new();
    private readonly StringBuilder _line = new();

    /// <inheritdoc/>
    public override Encoding Encoding => Encoding.UTF8;

    /// <inheritdoc/>
    public override void Write(char value)
    {
        string line;
        lock (_gate)
        {
            if (value == '\r')
                return;
            if (value != '\n')
            {
                _line.Append(value);
                return;
            }
            line = _line.ToString();
            _line.Clear();
        }
        take(line);
    }
}
