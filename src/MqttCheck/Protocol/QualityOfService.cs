namespace MqttCheck.Protocol;

/// <summary>The delivery guarantee of a message (MQTT 3.1.1 and 5, section 4.3).</summary>
public enum QualityOfService : byte
{
    /// <summary>QoS 0: no acknowledgement, may be lost.</summary>
    AtMostOnce = 0,

    /// <summary>QoS 1: acknowledged by PUBACK, may arrive more than once.</summary>
    AtLeastOnce = 1,

    /// <summary>QoS 2: PUBREC, PUBREL, PUBCOMP; arrives exactly once.</summary>
    ExactlyOnce = 2,
}
