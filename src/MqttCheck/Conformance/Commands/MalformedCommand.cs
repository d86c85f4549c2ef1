namespace MqttCheck.Conformance;

/// <summary>Sends a packet that breaks one rule, and PINGREQ behind it; the broker must close the connection.</summary>
/// <param name="Defect">The name of a packet defect, or <c>second-connect</c>.</param>
public sealed record MalformedCommand(string Defect) : Command
{
    /// <summary>A second CONNECT on the same connection: well formed, but forbidden.</summary>
    public const string SecondConnect = "second-connect";
}
