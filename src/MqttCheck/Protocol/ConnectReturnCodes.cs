using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol;

/// <summary>
/// Translates between the CONNACK codes of 3.1.1 and the reason codes of 5, so that <see cref="ConnackPacket"/> needs
/// only one kind of code.
/// </summary>
internal static class ConnectReturnCodes
{
    // By return code.
    private static readonly ReasonCode[] s_reasons =
    [
        ReasonCode.Success,
        ReasonCode.UnsupportedProtocolVersion,
        ReasonCode.ClientIdentifierNotValid,
        ReasonCode.ServerUnavailable,
        ReasonCode.BadUserNameOrPassword,
        ReasonCode.NotAuthorized,
    ];

    /// <summary>
    /// The reason code that says the same as a 3.1.1 return code; a reserved return code keeps its number.
    /// </summary>
    /// <param name="code">The code byte of a 3.1.1 CONNACK.</param>
    public static ReasonCode ToReasonCode(ConnectReturnCode code) =>
        (int)code < s_reasons.Length ? s_reasons[(int)code] : (ReasonCode)code;

    /// <summary>
    /// The 3.1.1 return code that says the same as a reason code. False if 3.1.1 has none: a server then closes the
    /// connection without CONNACK (MQTT-3.2.2-6).
    /// </summary>
    /// <param name="reason">A reason code of MQTT 5.</param>
    /// <param name="code">The return code; for a reason without counterpart the same number.</param>
    public static bool TryFromReasonCode(ReasonCode reason, out ConnectReturnCode code)
    {
        var place = Array.IndexOf(s_reasons, reason);
        code = place < 0 ? (ConnectReturnCode)reason : (ConnectReturnCode)place;
        return place >= 0;
    }
}
