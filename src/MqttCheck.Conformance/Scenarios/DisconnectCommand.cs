using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends DISCONNECT and ends the connection.</summary>
/// <param name="WithWill">MQTT 5: asks for the will to be published (reason code 04).</param>
/// <param name="SessionExpirySeconds">MQTT 5: how long the session outlives the connection, instead of what CONNECT
/// said; null to leave that as it is.</param>
internal sealed record DisconnectCommand(bool WithWill = false, uint? SessionExpirySeconds = null) : Command
{
    /// <summary>The reason codes of errors that a client may send.</summary>
    public static ReasonCode[] Errors { get; } =
    [
        ReasonCode.UnspecifiedError,
        ReasonCode.MalformedPacket,
        ReasonCode.ProtocolError,
        ReasonCode.ImplementationSpecificError,
        ReasonCode.TopicNameInvalid,
        ReasonCode.ReceiveMaximumExceeded,
        ReasonCode.TopicAliasInvalid,
        ReasonCode.PacketTooLarge,
        ReasonCode.MessageRateTooHigh,
        ReasonCode.QuotaExceeded,
        ReasonCode.AdministrativeAction,
        ReasonCode.PayloadFormatInvalid,
    ];

    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Disconnect;

    /// <summary>MQTT 5: an error that is told to the broker, which then publishes the will; null for none.</summary>
    public ReasonCode? Error { get; init; }

    /// <summary>MQTT 5: the reason code that is sent.</summary>
    public ReasonCode Reason => Error ?? (WithWill ? ReasonCode.DisconnectWithWill : ReasonCode.Success);

    /// <summary>MQTT 5: whether reason code and property length are written where they could be left out.</summary>
    public bool IsLong { get; init; }

    /// <summary>MQTT 5: whether there is a reason string.</summary>
    public bool WithReasonString { get; init; }

    /// <summary>MQTT 5: whether there are user properties.</summary>
    public bool WithUserProperties { get; init; }
}
