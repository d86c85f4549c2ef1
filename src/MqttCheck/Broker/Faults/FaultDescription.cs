namespace MqttCheck.Broker.Faults;

/// <summary>Describes a fault or disturbance.</summary>
/// <param name="Fault">Which.</param>
/// <param name="Name">Its name in options.</param>
/// <param name="Statement311">
/// The statement of MQTT 3.1.1 that it violates; null for a disturbance, which the specification allows.
/// </param>
/// <param name="Statement5">The statement of MQTT 5 that it violates; null for a disturbance.</param>
/// <param name="Effect">The effect on clients, as part of a sentence.</param>
internal sealed record FaultDescription(
    BrokerFault Fault,
    string Name,
    string? Statement311,
    string? Statement5,
    string Effect
)
{
    /// <summary>Whether the specification allows it.</summary>
    public bool IsDisturbance => Statement311 is null;
}
