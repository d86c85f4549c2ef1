namespace MqttCheck.Protocol.Defects;

/// <summary>Every <see cref="PacketDefect"/>.</summary>
internal static class PacketDefects
{
    /// <summary>All defects; their names are unique.</summary>
    public static ValueList<PacketDefect> All { get; } =
    [
        .. FrameDefects.All,
        .. PropertyDefects.All,
        .. ConnectDefects.All,
        .. PublishDefects.All,
        .. SubscriptionDefects.All,
    ];

    /// <summary>The defects that exist for packets of a type.</summary>
    /// <param name="type">The type of the packet to break.</param>
    /// <param name="version">The protocol version of the connection.</param>
    public static IEnumerable<PacketDefect> For(PacketType type, ProtocolVersion version) =>
        All.Where(defect => defect.AppliesTo(type, version));

    /// <summary>The defect of a name.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="InputException">There is none; the message lists all names.</exception>
    public static PacketDefect Find(string name) =>
        All.FirstOrDefault(defect => defect.Name == name)
        ?? throw new InputException(
            $"Unknown packet defect \"{name}\". Known: {string.Join(", ", All.Select(defect => defect.Name))}."
        );
}
