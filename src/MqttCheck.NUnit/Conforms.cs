namespace MqttCheck.NUnit;

/// <summary>What the answers of a broker can be asked to conform to, as NUnit constraints.</summary>
public static class Conforms
{
    /// <summary>No statement of the MQTT standard that says MUST is seen violated.</summary>
    public static ConformanceConstraint ToMqtt() => new();
}
