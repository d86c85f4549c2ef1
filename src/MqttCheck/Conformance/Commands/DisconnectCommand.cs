using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance;

/// <summary>Sends DISCONNECT and ends the connection.</summary>
/// <param name="WithWill">MQTT 5: asks for the will to be published (reason code 04).</param>
public sealed record DisconnectCommand(bool WithWill = false) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Disconnect;
}
