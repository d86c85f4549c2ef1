namespace MqttCheck.Clusters.Events;

/// <summary>The topic of a fault's event begins with one of these names, which tells the kind of fault.</summary>
internal static class FaultNames
{
    /// <summary>The node's process has ended; without a beginning, it joins.</summary>
    public const string Kill = "kill";

    /// <summary>The node leaves in order. When its process starts again, the end of a kill says so.</summary>
    public const string Stop = "stop";

    /// <summary>The node's process stands still.</summary>
    public const string Freeze = "freeze";

    /// <summary>The link takes no connections.</summary>
    public const string Cut = "cut";

    /// <summary>Packets on the link wait until the fault ends.</summary>
    public const string Stall = "stall";

    /// <summary>The link has another delay, rate or loss.</summary>
    public const string Slow = "slow";

    /// <summary>Whether a fault ends the node's process, and with it what its clients' sessions knew.</summary>
    public static bool EndsProcess(string topic) => Is(topic, Kill) || Is(topic, Stop);

    /// <summary>Whether a fault's event is of a kind: its topic is the kind, or the text of the fault.</summary>
    public static bool Is(string topic, string name) => topic.StartsWith(name, StringComparison.Ordinal);
}
