namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>The packets of a hop: those of MQTT that a client and a server exchange on it.</summary>
internal enum HopPacketKind : byte
{
    Connect,
    Connack,
    Publish,
    Puback,
    Pubrec,
    Pubrel,
    Pubcomp,
    Pingreq,
    Pingresp,
}
