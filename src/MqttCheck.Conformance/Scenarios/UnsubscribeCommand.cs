using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends UNSUBSCRIBE.</summary>
/// <param name="Filters">Symbolic filters; they need not be subscribed.</param>
internal sealed record UnsubscribeCommand(ValueList<string> Filters) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Unsubscribe;

    /// <summary>MQTT 5: whether there are user properties, which are for the broker alone.</summary>
    public bool WithUserProperties { get; init; }
}
