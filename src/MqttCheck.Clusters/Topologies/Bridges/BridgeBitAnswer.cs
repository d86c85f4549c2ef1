namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>How a broker answers the CONNECT of a bridge, whose protocol level has the bit 0x80.</summary>
internal enum BridgeBitAnswer
{
    /// <summary>It accepts it and does not send back to a bridge what came from it.</summary>
    Protects,

    /// <summary>It accepts it and treats the bridge as any client.</summary>
    Accepts,

    /// <summary>It refuses it with CONNACK and code 1. Mosquitto then comes without the bit.</summary>
    Refuses,

    /// <summary>It closes the connection without an answer. Mosquitto comes again with the bit, for ever.</summary>
    Closes,

    /// <summary>Nothing is known. The worst is assumed: it accepts it and sends back.</summary>
    Unknown,
}
