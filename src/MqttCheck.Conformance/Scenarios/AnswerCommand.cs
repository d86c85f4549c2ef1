using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>
/// MQTT 5: says how the client writes PUBACK, PUBREC, PUBREL and PUBCOMP from now on, until its connection ends.
/// </summary>
internal sealed record AnswerCommand : Command
{
    /// <summary>The reason codes with which a client may refuse a message.</summary>
    public static ReasonCode[] Refusals { get; } =
    [
        ReasonCode.UnspecifiedError,
        ReasonCode.ImplementationSpecificError,
        ReasonCode.NotAuthorized,
        ReasonCode.TopicNameInvalid,
        ReasonCode.PacketIdentifierInUse,
        ReasonCode.QuotaExceeded,
        ReasonCode.PayloadFormatInvalid,
    ];

    /// <inheritdoc/>
    public override ClientInput? Input => null;

    /// <summary>The reason code of PUBACK and PUBREC.</summary>
    public ReasonCode Reason { get; init; }

    /// <summary>Whether reason code and property length are written where they could be left out.</summary>
    public bool IsLong { get; init; }

    /// <summary>Whether there is a reason string.</summary>
    public bool WithReasonString { get; init; }

    /// <summary>Whether there are user properties.</summary>
    public bool WithUserProperties { get; init; }
}
