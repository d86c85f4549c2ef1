namespace MqttCheck.Protocol.Packets;

/// <summary>The payload format indicator of MQTT 5 (section 3.3.2.3.2).</summary>
internal enum PayloadFormat : byte
{
    /// <summary>Unspecified bytes.</summary>
    Bytes = 0,

    /// <summary>UTF-8 text.</summary>
    Utf8 = 1,
}
