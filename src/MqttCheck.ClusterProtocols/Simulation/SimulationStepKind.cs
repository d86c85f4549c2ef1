namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The kinds of steps in a simulated run.</summary>
public enum SimulationStepKind
{
    /// <summary>A client of the node publishes a message.</summary>
    Publish,

    /// <summary>A client of the node subscribes.</summary>
    Subscribe,

    /// <summary>A client of the node ends a subscription.</summary>
    Unsubscribe,

    /// <summary>The node's process ends at once; its neighbours' connections are closed by the system.</summary>
    Kill,

    /// <summary>The node takes leave of its clients and its neighbours, and then its process ends.</summary>
    Leave,

    /// <summary>The node's process starts with nothing remembered.</summary>
    Start,

    /// <summary>The node's process stands still; its connections stay.</summary>
    Freeze,

    /// <summary>The node's process goes on.</summary>
    Continue,

    /// <summary>The connections of a link are reset, and new ones are refused until it is mended.</summary>
    Cut,

    /// <summary>The link takes connections again.</summary>
    Mend,

    /// <summary>Packets on the link wait until they are released.</summary>
    Stall,

    /// <summary>The link goes on, and nothing is lost.</summary>
    Release,

    /// <summary>The link has another delay, rate or loss from now on.</summary>
    Slow,
}
