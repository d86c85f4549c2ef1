namespace MqttCheck.Protocol.Decoders;

/// <summary>A broken rule that the observing decoder saw.</summary>
/// <param name="Statement">
/// The statement ("MQTT-3.3.1-4"), or the section of a rule without a number ("section 2.2.3").
/// </param>
/// <param name="Offset">Offset of the offending byte from the first byte of the packet.</param>
/// <param name="Message">A description of the error, with the value found.</param>
/// <param name="ReasonCode">The reason code that an MQTT 5 peer would give in CONNACK or DISCONNECT.</param>
public sealed record Violation(string Statement, int Offset, string Message, ReasonCode ReasonCode);
