using MqttCheck.Clients;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends PINGREQ.</summary>
public sealed record PingCommand : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Ping;
}
