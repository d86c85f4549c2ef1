namespace MqttCheck.Brokers.Processes.Children;

/// <summary>The last lines that a process printed on one of its outputs; safe to use from several threads.</summary>
internal sealed class OutputTail
{
    private const int MaximumLines = 30;
    private const int MaximumLineLength = 500;

    private readonly Queue<string> _lines = new();

    /// <summary>Adds a line.</summary>
    /// <param name="line">The line; of a long one the start is kept.</param>
    public void Add(string line)
    {
        lock (_lines)
        {
            if (_lines.Count == MaximumLines)
                _lines.Dequeue();
            _lines.Enqueue(line.Length <= MaximumLineLength ? line : line[..MaximumLineLength] + "...");
        }
    }

    /// <summary>The lines.</summary>
    public string[] ToArray()
    {
        lock (_lines)
            return [.. _lines];
    }
}
