namespace MqttCheck.Brokers.Processes;

/// <summary>The kind of a broker.</summary>
internal enum BrokerKind : byte
{
    /// <summary>MqttCheck's own, in a process of its own.</summary>
    Embedded,

    /// <summary>The server of MQTTnet, in a process of its own.</summary>
    MqttNet,

    /// <summary>Eclipse Mosquitto, as installed.</summary>
    Mosquitto,

    /// <summary>RabbitMQ with its MQTT plug-in, as installed.</summary>
    RabbitMq,

    /// <summary>ejabberd with mod_mqtt, as installed.</summary>
    Ejabberd,

    /// <summary>nats-server with JetStream and MQTT, as installed.</summary>
    Nats,

    /// <summary>aedes on Node.js, as installed.</summary>
    Aedes,

    /// <summary>aedes with its sessions and messages in a Redis server of its own, both as installed.</summary>
    AedesRedis,

    /// <summary>One broker of MqttCheck's pipeline with its log and its store.</summary>
    Pipeline,

    /// <summary>A program named by its command line.</summary>
    Command,

    /// <summary>A broker that runs already.</summary>
    Running,

    /// <summary>Several brokers that work together: a topology, or the addresses of those that run.</summary>
    Cluster,
}
