using MqttCheck.Clients;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends SUBSCRIBE.</summary>
/// <param name="Requests">Symbolic filters with their options.</param>
/// <param name="Identifier">MQTT 5: the subscription identifier, null for none.</param>
internal sealed record SubscribeCommand(ValueList<SubscriptionRequest> Requests, uint? Identifier = null) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Subscribe;

    /// <summary>MQTT 5: whether there are user properties, which are for the broker alone.</summary>
    public bool WithUserProperties { get; init; }
}
