using System.Net;

namespace MqttCheck.Captures.Logs;

/// <summary>Asks for the exchange log of a capture.</summary>
/// <param name="Capture">The path of the capture.</param>
/// <param name="Log">The path of the log to write, a new file.</param>
/// <param name="ToolVersion">The version that is noted in it.</param>
internal sealed record CaptureRequest(string Capture, string Log, string ToolVersion)
{
    /// <summary>The ports of the broker; empty for those that are found.</summary>
    public IReadOnlyCollection<int> Ports { get; init; } = [];

    /// <summary>The addresses of the broker; empty for those that are found.</summary>
    public IReadOnlyCollection<IPAddress> Addresses { get; init; } = [];

    /// <summary>The path of the key log of TLS, or null.</summary>
    public string? TlsKeys { get; init; }

    /// <summary>Whether the names of clients and topics are written as they are.</summary>
    public bool KeepsNames { get; init; }
}
