namespace MqttCheck.Protocol;

/// <summary>The MQTT protocol level as it stands in CONNECT.</summary>
public enum ProtocolVersion : byte
{
    /// <summary>MQTT 3.1 (protocol name "MQIsdp"), read and written with the layout of 3.1.1.</summary>
    V31 = 3,

    /// <summary>MQTT 3.1.1 (OASIS 2014).</summary>
    V311 = 4,

    /// <summary>MQTT 5.0 (OASIS 2019).</summary>
    V5 = 5,
}
