using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>An act that a client owes on a connection, as long as that is open.</summary>
internal sealed record OwedAct(Statement Statement, string Circumstances, string Explanation)
{
    public required WatchedConnection Connection { get; init; }

    /// <summary>Tells it from others of the connection.</summary>
    public required string Key { get; init; }

    /// <summary>Since when it is awaited.</summary>
    public required long SinceNanoseconds { get; set; }

    /// <summary>Whether the client may wait with it until its own messages are acknowledged.</summary>
    public bool NeedsWindow { get; init; }
}
