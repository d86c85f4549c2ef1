using MqttCheck.Health;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Replay;

/// <summary>The result of a replay.</summary>
internal sealed record ReplayResult
{
    /// <summary>The clients that sent.</summary>
    public required int Clients { get; init; }

    /// <summary>From the first step to the end of what was under way.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Messages that were sent.</summary>
    public required long Publications { get; init; }

    /// <summary>Messages that arrived.</summary>
    public required long Deliveries { get; init; }

    /// <summary>How busy and how late the sender was.</summary>
    public required RunHealth Health { get; init; }

    /// <summary>When the latencies became stationary.</summary>
    public required WarmUp WarmUp { get; init; }

    /// <summary>The sessions of the clients, for the log.</summary>
    public required ObservedSessions Sessions { get; init; }

    /// <summary>The number of clients of the log.</summary>
    public required int LoggedClients { get; init; }

    /// <summary>Whether it was ended before its end.</summary>
    public required bool IsInterrupted { get; init; }

    /// <summary>Sessions that may be left on the broker.</summary>
    public required int SessionsLeft { get; init; }

    /// <summary>Remarks on what was joined, left out and not readable, and the first failed connections.</summary>
    public required IReadOnlyList<string> Notes { get; init; }
}
