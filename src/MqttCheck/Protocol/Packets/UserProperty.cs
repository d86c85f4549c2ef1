namespace MqttCheck.Protocol.Packets;

/// <summary>
/// A user property of MQTT 5: a name and a value without meaning to the protocol; order and repetition count.
/// </summary>
/// <param name="Name">The name, may repeat.</param>
/// <param name="Value">The value.</param>
public readonly record struct UserProperty(string Name, string Value);
