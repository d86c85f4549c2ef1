namespace MqttCheck.Broker.Peers;

/// <summary>Constants of the protocol by which brokers that work together exchange messages over MQTT 5.</summary>
internal static class PeerProtocol
{
    /// <summary>The user property that tells a peer by its CONNECT, and that carries a message's identity.</summary>
    public const string PropertyName = "mqttcheck-peer";

    /// <summary>Messages of the protocol itself are published under this; only peers may.</summary>
    public const string ControlTopicPrefix = "$mqttcheck/";

    /// <summary>The client identifiers of peers begin with this; no other client may use them.</summary>
    public const string ClientIdPrefix = "mqttcheck-peer-";

    /// <summary>By how much a packet of a peer may be larger than one of a client, in bytes.</summary>
    public const int ExtraBytes = 128;
}
