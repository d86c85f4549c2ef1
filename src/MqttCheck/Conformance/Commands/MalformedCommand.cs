using MqttCheck.Clients;

namespace MqttCheck.Conformance;

/// <summary>Sends a packet that breaks one rule, and PINGREQ behind it; the broker must close the connection.</summary>
/// <param name="Defect">The name of a packet defect, <c>second-connect</c> or <c>no-connect</c>.</param>
public sealed record MalformedCommand(string Defect) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Misbehave;

    /// <summary>A second CONNECT on the same connection: well formed, but forbidden.</summary>
    public const string SecondConnect = "second-connect";

    /// <summary>PINGREQ in place of CONNECT, on a connection of its own.</summary>
    public const string NoConnect = "no-connect";
}
