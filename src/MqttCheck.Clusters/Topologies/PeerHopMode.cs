namespace MqttCheck.Clusters.Topologies;

/// <summary>How a node of MqttCheck hands a message to the next one.</summary>
internal enum PeerHopMode
{
    /// <summary>PUBLISH of QoS 0.</summary>
    Qos0,

    /// <summary>PUBLISH of QoS 1.</summary>
    Qos1,

    /// <summary>PUBLISH of QoS 2.</summary>
    Qos2,

    /// <summary>A transport whose acknowledgements share the queue of the data.</summary>
    Transport417,

    /// <summary>A transport whose acknowledgements pass the queue of the data.</summary>
    Transport418,
}
