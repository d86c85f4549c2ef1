using System.Collections.Immutable;

namespace MqttCheck.Logs;

/// <summary>An exchange log as read from its file.</summary>
public sealed record ExchangeLog
{
    /// <summary>The exchanges in the order of the file.</summary>
    public required ImmutableArray<Exchange> Exchanges { get; init; }

    /// <summary>How the log came about; derived from the exchanges where the file beside the log is missing.</summary>
    public required RunInformation Information { get; init; }

    /// <summary>Warnings for the user, such as a last line that is cut or a missing file beside the log.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>
    /// The SHA-256 of the CSV file, in lower-case hexadecimal digits; empty for a log that was never a file.
    /// </summary>
    public string Sha256 { get; init; } = "";

    /// <summary>The name of the log in messages: its path.</summary>
    public string Source { get; init; } = "log";
}
