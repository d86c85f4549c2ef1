namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The kinds of steps in a simulated run.</summary>
internal enum SimulationStepKind
{
    /// <summary>A client of the node publishes a message.</summary>
    Publish,

    /// <summary>A client of the node subscribes.</summary>
    Subscribe,

    /// <summary>A client of the node ends a subscription.</summary>
    Unsubscribe,

    /// <summary>A client of a persistent session loses its connection.</summary>
    Leave,

    /// <summary>It comes back to its session.</summary>
    Return,

    /// <summary>A fault of the node or the link begins.</summary>
    FaultBegins,

    /// <summary>A fault of the node or the link ends.</summary>
    FaultEnds,
}
