using MqttCheck.Clients;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends PINGREQ.</summary>
internal sealed record PingCommand : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Ping;
}
