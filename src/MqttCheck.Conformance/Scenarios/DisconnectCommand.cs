using MqttCheck.Clients;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends DISCONNECT and ends the connection.</summary>
/// <param name="WithWill">MQTT 5: asks for the will to be published (reason code 04).</param>
/// <param name="SessionExpirySeconds">MQTT 5: how long the session outlives the connection, instead of what CONNECT
/// said; null to leave that as it is.</param>
internal sealed record DisconnectCommand(bool WithWill = false, uint? SessionExpirySeconds = null) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Disconnect;
}
