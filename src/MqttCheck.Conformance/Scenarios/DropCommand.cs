using MqttCheck.Clients;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Ends the connection without DISCONNECT.</summary>
internal sealed record DropCommand : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Drop;
}
