namespace MqttCheck.Clusters.Topologies;

/// <summary>The systems that a cluster can run: which brokers it consists of and how they work together.</summary>
internal enum ClusterSystem
{
    /// <summary>MqttCheck's own nodes, which flood over the links of the file.</summary>
    Flood,

    /// <summary>MqttCheck's own nodes, which build one spanning tree.</summary>
    SpanningTree,

    /// <summary>MqttCheck's own nodes, which route by interest over one tree.</summary>
    SingleOverlay,

    /// <summary>MqttCheck's own nodes, which build a tree for each topic.</summary>
    TopicOverlay,

    /// <summary>MqttCheck's own nodes, which exchange messages over an acknowledged transport.</summary>
    Transport,

    /// <summary>A persistent pipeline of brokers, a log and a store.</summary>
    Pipeline,

    /// <summary>Mosquitto brokers that are joined by bridges.</summary>
    MosquittoBridge,

    /// <summary>A NATS cluster with JetStream.</summary>
    Nats,

    /// <summary>A RabbitMQ cluster.</summary>
    RabbitMq,

    /// <summary>aedes brokers that share a Redis server.</summary>
    AedesRedis,

    /// <summary>Programs of the user's own, each started by a command line.</summary>
    Exec,

    /// <summary>Brokers that run already; they are used, not started.</summary>
    Running,
}
