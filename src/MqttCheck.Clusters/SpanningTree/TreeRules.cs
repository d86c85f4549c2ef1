namespace MqttCheck.Clusters.SpanningTree;

/// <summary>The sets of rules by which nodes build a tree.</summary>
public enum TreeRules
{
    /// <summary>With an epoch, an age and a hop limit for what neighbours say, and changes sent at once.</summary>
    Safe,

    /// <summary>
    /// The rules of the paper "MQTT-ST": a topology change is told to direct neighbours only, and nothing grows old.
    /// </summary>
    Paper,

    /// <summary>As <see cref="Paper"/>, but a topology change is told to nobody.</summary>
    Silent,
}
