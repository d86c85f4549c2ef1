namespace MqttCheck.Protocol.Packets;

/// <summary>
/// One topic filter of SUBSCRIBE with its options (section 3.8.3). The options other than QoS are MQTT 5 only.
/// </summary>
/// <param name="Filter">The topic filter.</param>
/// <param name="Qos">The highest quality of service of deliveries.</param>
/// <param name="NoLocal">Do not deliver what this client itself publishes.</param>
/// <param name="RetainAsPublished">Deliver live messages with the publisher's retain flag.</param>
/// <param name="RetainHandling">When to send retained messages.</param>
internal readonly record struct SubscriptionRequest(
    string Filter,
    QualityOfService Qos,
    bool NoLocal = false,
    bool RetainAsPublished = false,
    RetainHandling RetainHandling = RetainHandling.Send
);
