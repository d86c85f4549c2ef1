namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>A client, as far as its duties go.</summary>
internal sealed class WatchedClient
{
    /// <summary>The exchanges by identifier; those that ended are kept until the identifier is taken again.</summary>
    public Dictionary<ushort, SentExchange> Exchanges { get; } = [];

    /// <summary>Exchanges whose session the client was to drop, and the reason.</summary>
    public Dictionary<ushort, (SentExchange Exchange, DroppedBy By)> Dropped { get; } = [];

    /// <summary>Identifiers that were delivered on a connection before and not answered there.</summary>
    public HashSet<ushort> Unanswered { get; } = [];

    /// <summary>How many messages it has sent.</summary>
    public long Messages { get; set; }

    /// <summary>How many connections it had.</summary>
    public int Connections { get; set; }

    /// <summary>Whether its last accepted connection left a session behind.</summary>
    public bool HasSession { get; set; }
}

/// <summary>The reason for which a client was to drop a session.</summary>
internal enum DroppedBy : byte
{
    CleanStart,
    NotPresent,
}
