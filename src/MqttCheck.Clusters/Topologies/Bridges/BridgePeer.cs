namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>The broker at an end of a bridge. It decides what protects against loops.</summary>
internal enum BridgePeer
{
    /// <summary>Eclipse Mosquitto, which knows the bridge bit of CONNECT.</summary>
    Mosquitto,

    /// <summary>VerneMQ.</summary>
    VerneMq,

    /// <summary>EMQX.</summary>
    Emqx,

    /// <summary>NanoMQ.</summary>
    NanoMq,

    /// <summary>HiveMQ.</summary>
    HiveMq,

    /// <summary>RabbitMQ.</summary>
    RabbitMq,

    /// <summary>AWS IoT Core.</summary>
    AwsIot,

    /// <summary>A broker of which only the specification is known.</summary>
    Other,
}
