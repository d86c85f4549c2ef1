namespace MqttCheck.Clusters.Topologies;

/// <summary>The spelling and the traits of cluster systems.</summary>
internal static class ClusterSystems
{
    private static readonly Dictionary<ClusterSystem, (string Name, SystemTraits Traits)> s_rows = new()
    {
        [ClusterSystem.Flood] = ("flood", SystemTraits.Own | SystemTraits.PlainHops),
        [ClusterSystem.SpanningTree] = (
            "spanning-tree",
            SystemTraits.Own | SystemTraits.PlainHops | SystemTraits.Elects | SystemTraits.OverlaySettings
        ),
        [ClusterSystem.SingleOverlay] = (
            "single-overlay",
            SystemTraits.Own | SystemTraits.Elects | SystemTraits.Overlay | SystemTraits.OverlaySettings
        ),
        [ClusterSystem.TopicOverlay] = (
            "topic-overlay",
            SystemTraits.Own | SystemTraits.Overlay | SystemTraits.OverlaySettings
        ),
        [ClusterSystem.Transport] = ("transport", SystemTraits.Own),
        [ClusterSystem.Pipeline] = ("pipeline", SystemTraits.Own),
        [ClusterSystem.MosquittoBridge] = ("mosquitto-bridge", SystemTraits.None),
        [ClusterSystem.Nats] = ("nats", SystemTraits.None),
        [ClusterSystem.RabbitMq] = ("rabbitmq", SystemTraits.None),
        [ClusterSystem.AedesRedis] = ("aedes-redis", SystemTraits.None),
        [ClusterSystem.Exec] = ("exec", SystemTraits.None),
        [ClusterSystem.Running] = ("running", SystemTraits.None),
    };

    /// <summary>The names of all systems, in the order of the enumeration.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Enum.GetValues<ClusterSystem>().Select(Name)];

    /// <summary>The name in files, for example <c>spanning-tree</c>.</summary>
    /// <param name="system">The system.</param>
    public static string Name(this ClusterSystem system) => s_rows[system].Name;

    /// <summary>Finds a system by its name.</summary>
    /// <param name="name">The name in files.</param>
    /// <param name="system">The system, or the first one.</param>
    /// <returns>Whether there is such a system.</returns>
    public static bool TryParse(string name, out ClusterSystem system)
    {
        var index = Names.ToList().IndexOf(name);
        system = (ClusterSystem)Math.Max(0, index);
        return index >= 0;
    }

    /// <summary>Whether the nodes are MqttCheck's own, which can be simulated too.</summary>
    /// <param name="system">The system.</param>
    public static bool IsOwn(this ClusterSystem system) => system.Has(SystemTraits.Own);

    /// <summary>
    /// Whether a file may say how nodes find each other and route, or that clients draw their topics: overlays, and the
    /// tree that they are compared with.
    /// </summary>
    /// <param name="system">The system.</param>
    internal static bool HasOverlay(this ClusterSystem system) => system.Has(SystemTraits.OverlaySettings);

    /// <summary>Whether nodes discover each other and route by interest.</summary>
    /// <param name="system">The system.</param>
    internal static bool IsOverlay(this ClusterSystem system) => system.Has(SystemTraits.Overlay);

    /// <summary>Whether it has a trait.</summary>
    internal static bool Has(this ClusterSystem system, SystemTraits trait) => s_rows[system].Traits.HasFlag(trait);
}
