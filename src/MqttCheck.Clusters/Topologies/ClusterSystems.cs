using System.Text;

namespace MqttCheck.Clusters.Topologies;

/// <summary>The spelling and the traits of cluster systems.</summary>
internal static class ClusterSystems
{
    private static readonly Dictionary<ClusterSystem, SystemTraits> s_traits = new()
    {
        [ClusterSystem.Flood] = SystemTraits.Own | SystemTraits.KeepsOrder | SystemTraits.PlainHops,
        [ClusterSystem.SpanningTree] =
            SystemTraits.Own
            | SystemTraits.KeepsOrder
            | SystemTraits.PlainHops
            | SystemTraits.Elects
            | SystemTraits.OverlaySettings,
        [ClusterSystem.SingleOverlay] =
            SystemTraits.Own | SystemTraits.Elects | SystemTraits.Overlay | SystemTraits.OverlaySettings,
        [ClusterSystem.TopicOverlay] = SystemTraits.Own | SystemTraits.Overlay | SystemTraits.OverlaySettings,
        [ClusterSystem.Transport] = SystemTraits.Own,
        [ClusterSystem.Pipeline] = SystemTraits.Own | SystemTraits.KeepsOrder,
        [ClusterSystem.MosquittoBridge] = SystemTraits.KeepsOrder | SystemTraits.RetainedConverges,
        [ClusterSystem.AedesRedis] = SystemTraits.RetainedLinearizable,
        [ClusterSystem.Nats] = SystemTraits.KeepsOrder,
        [ClusterSystem.RabbitMq] = SystemTraits.KeepsOrder,
    };

    /// <summary>The names of all systems, in the order of the enumeration.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Enum.GetValues<ClusterSystem>().Select(Spelling)];

    /// <summary>The name in files, for example <c>spanning-tree</c>.</summary>
    /// <param name="system">The system.</param>
    public static string Name(this ClusterSystem system) => Names[(int)system];

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
    internal static bool Has(this ClusterSystem system, SystemTraits trait) =>
        s_traits.GetValueOrDefault(system).HasFlag(trait);

    // The enumeration's names, with a hyphen between words; one program writes its two words as one.
    private static string Spelling(ClusterSystem system)
    {
        var text = new StringBuilder();
        foreach (var letter in system.ToString())
        {
            if (char.IsAsciiLetterUpper(letter) && text.Length > 0 && system != ClusterSystem.RabbitMq)
                text.Append('-');
            text.Append(char.ToLowerInvariant(letter));
        }
        return text.ToString();
    }
}
