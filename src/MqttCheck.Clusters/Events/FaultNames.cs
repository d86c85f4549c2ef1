namespace MqttCheck.Clusters.Events;

/// <summary>What the topic of a fault's event is: which kind of fault.</summary>
internal static class FaultNames
{
    /// <summary>The node's process has ended; without a beginning, it joins.</summary>
    public const string Kill = "kill";

    /// <summary>The node's process stands still.</summary>
    public const string Freeze = "freeze";

    /// <summary>The link takes no connections.</summary>
    public const string Cut = "cut";

    /// <summary>What is on the link waits.</summary>
    public const string Stall = "stall";

    /// <summary>The link has another delay, rate or loss.</summary>
    public const string Slow = "slow";

    /// <summary>Whether a fault's event is of a kind: its topic is the kind, or the text of the fault.</summary>
    public static bool Is(string topic, string name) => topic.StartsWith(name, StringComparison.Ordinal);
}
