namespace MqttCheck.Broker.Faults;

/// <summary>The faults and disturbances with their names and the statements they violate.</summary>
internal static class FaultCatalogue
{
    /// <summary>All of them, in the order of <see cref="BrokerFault"/>.</summary>
    public static IReadOnlyList<FaultDescription> All { get; } =
    [
        new(
            BrokerFault.Lose,
            "lose",
            "MQTT-4.5.0-1",
            "MQTT-4.5.0-1",
            "a QoS 1 or 2 message is not delivered to one subscriber"
        ),
        new(
            BrokerFault.Duplicate,
            "duplicate",
            "MQTT-4.3.3-2",
            "MQTT-4.3.3-12",
            "a QoS 0 or 2 message is delivered to one subscriber twice"
        ),
        new(
            BrokerFault.Reorder,
            "reorder",
            "MQTT-4.6.0-6",
            "MQTT-4.6.0-6",
            "a message is delivered to one subscriber after the next one"
        ),
        new(
            BrokerFault.WrongQos,
            "wrong-qos",
            "MQTT-3.8.4-6",
            "MQTT-3.8.4-8",
            "a message is delivered with another quality of service than granted"
        ),
        new(
            BrokerFault.IgnoreUnsubscribe,
            "ignore-unsubscribe",
            "MQTT-3.10.4-1",
            "MQTT-3.10.4-1",
            "a subscription goes on after UNSUBACK"
        ),
        new(
            BrokerFault.ForgetRetained,
            "forget-retained",
            "MQTT-3.3.1-5",
            "MQTT-3.3.1-5",
            "a message published with RETAIN is not kept"
        ),
        new(
            BrokerFault.StaleSession,
            "stale-session",
            "MQTT-3.1.2-6",
            "MQTT-3.1.2-4",
            "the old session lives on after a clean start"
        ),
        new(BrokerFault.LoseQos0, "lose-qos0", null, null, "a QoS 0 message is not delivered to one subscriber"),
        new(BrokerFault.RepeatQos1, "repeat-qos1", null, null, "a QoS 1 message is delivered to one subscriber twice"),
        new(BrokerFault.Refuse, "refuse", null, null, "a CONNECT is refused as 'server unavailable'"),
        new(BrokerFault.Disconnect, "disconnect", null, null, "the connection is closed on receipt of a packet"),
        new(
            BrokerFault.SlowReader,
            "slow-reader",
            null,
            null,
            "the broker stops reading from the connection for 100 ms"
        ),
    ];

    /// <summary>The description of one.</summary>
    /// <param name="fault">A defined fault.</param>
    public static FaultDescription Describe(BrokerFault fault) => All[(int)fault];
}
