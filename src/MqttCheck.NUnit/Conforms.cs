namespace MqttCheck.NUnit;

/// <summary>The NUnit constraints for the conformance of a broker.</summary>
public static class Conforms
{
    /// <summary>No statement of the MQTT standard that says MUST is seen violated.</summary>
    public static ConformanceConstraint ToMqtt() => new();
}
