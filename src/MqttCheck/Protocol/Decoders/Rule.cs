namespace MqttCheck.Protocol.Decoders;

/// <summary>
/// A rule of the wire format: the statement that states it in each version ("3.3.1-4"), or the section if it has no
/// number ("3.3.2.1"), and the reason code of MQTT 5 that fits its violation.
/// </summary>
internal sealed record Rule(string In311, string In5, ReasonCode ReasonCode)
{
    internal Rule(string both, ReasonCode reasonCode)
        : this(both, both, reasonCode) { }

    /// <summary>"MQTT-3.3.1-4" or "section 3.3.2.1".</summary>
    internal string Statement(ProtocolVersion version)
    {
        var number = version >= ProtocolVersion.V5 ? In5 : In311;
        return number.Contains('-', StringComparison.Ordinal) ? "MQTT-" + number : "section " + number;
    }
}
