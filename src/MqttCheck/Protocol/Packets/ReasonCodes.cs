namespace MqttCheck.Protocol.Packets;

/// <summary>Says which packets may carry a reason code (table 2-6 of MQTT 5 and the tables of the packets).</summary>
internal static class ReasonCodes
{
    /// <summary>True for failures: 0x80 and above.</summary>
    /// <param name="code">Any code.</param>
    public static bool IsError(this ReasonCode code) => (byte)code >= 0x80;

    /// <summary>True if a packet of MQTT 5 from this sender may carry the code.</summary>
    /// <param name="code">The code.</param>
    /// <param name="type">The packet's type.</param>
    /// <param name="origin">Who sends it; <see cref="PacketOrigin.Unknown"/> allows what either may send.</param>
    public static bool IsAllowedIn(this ReasonCode code, PacketType type, PacketOrigin origin = PacketOrigin.Unknown) =>
        type switch
        {
            PacketType.Connack => IsConnackCode(code),
            PacketType.Puback or PacketType.Pubrec => IsPubackCode(code, origin),
            PacketType.Pubrel or PacketType.Pubcomp => code
                is ReasonCode.Success
                    or ReasonCode.PacketIdentifierNotFound,
            PacketType.Suback => IsSubackCode(code),
            PacketType.Unsuback => IsUnsubackCode(code),
            PacketType.Disconnect => IsDisconnectCode(code, origin),
            PacketType.Auth => IsAuthCode(code, origin),
            _ => false,
        };

    private static bool IsConnackCode(ReasonCode code) =>
        code
            is ReasonCode.Success
                or (>= ReasonCode.UnspecifiedError and <= ReasonCode.Banned)
                or ReasonCode.BadAuthenticationMethod
                or ReasonCode.TopicNameInvalid
                or ReasonCode.PacketTooLarge
                or ReasonCode.QuotaExceeded
                or (>= ReasonCode.PayloadFormatInvalid and <= ReasonCode.ServerMoved)
                or ReasonCode.ConnectionRateExceeded;

    private static bool IsPubackCode(ReasonCode code, PacketOrigin origin) =>
        code switch
        {
            ReasonCode.NoMatchingSubscribers => origin != PacketOrigin.Client,
            ReasonCode.Success
            or ReasonCode.UnspecifiedError
            or ReasonCode.ImplementationSpecificError
            or ReasonCode.NotAuthorized
            or ReasonCode.TopicNameInvalid
            or ReasonCode.PacketIdentifierInUse
            or ReasonCode.QuotaExceeded
            or ReasonCode.PayloadFormatInvalid => true,
            _ => false,
        };

    private static bool IsSubackCode(ReasonCode code) =>
        code
            is ReasonCode.Success
                or ReasonCode.GrantedQos1
                or ReasonCode.GrantedQos2
                or ReasonCode.UnspecifiedError
                or ReasonCode.ImplementationSpecificError
                or ReasonCode.NotAuthorized
                or ReasonCode.TopicFilterInvalid
                or ReasonCode.PacketIdentifierInUse
                or ReasonCode.QuotaExceeded
                or ReasonCode.SharedSubscriptionsNotSupported
                or ReasonCode.SubscriptionIdentifiersNotSupported
                or ReasonCode.WildcardSubscriptionsNotSupported;

    private static bool IsUnsubackCode(ReasonCode code) =>
        code
            is ReasonCode.Success
                or ReasonCode.NoSubscriptionExisted
                or ReasonCode.UnspecifiedError
                or ReasonCode.ImplementationSpecificError
                or ReasonCode.NotAuthorized
                or ReasonCode.TopicFilterInvalid
                or ReasonCode.PacketIdentifierInUse;

    // BadAuthenticationMethod is missing in the table of section 3.14.2.1 but named for DISCONNECT in table 2-6.
    private static bool IsDisconnectCode(ReasonCode code, PacketOrigin origin) =>
        code switch
        {
            ReasonCode.DisconnectWithWill => origin != PacketOrigin.Server,
            ReasonCode.Success
            or ReasonCode.UnspecifiedError
            or ReasonCode.MalformedPacket
            or ReasonCode.ProtocolError
            or ReasonCode.ImplementationSpecificError
            or ReasonCode.BadAuthenticationMethod
            or ReasonCode.TopicNameInvalid
            or ReasonCode.ReceiveMaximumExceeded
            or ReasonCode.TopicAliasInvalid
            or ReasonCode.PacketTooLarge
            or ReasonCode.MessageRateTooHigh
            or ReasonCode.QuotaExceeded
            or ReasonCode.AdministrativeAction
            or ReasonCode.PayloadFormatInvalid => true,
            ReasonCode.NotAuthorized
            or ReasonCode.ServerBusy
            or ReasonCode.ServerShuttingDown
            or ReasonCode.KeepAliveTimeout
            or ReasonCode.SessionTakenOver
            or ReasonCode.TopicFilterInvalid
            or (>= ReasonCode.RetainNotSupported and <= ReasonCode.WildcardSubscriptionsNotSupported) => origin
                != PacketOrigin.Client,
            _ => false,
        };

    private static bool IsAuthCode(ReasonCode code, PacketOrigin origin) =>
        code switch
        {
            ReasonCode.Success => origin != PacketOrigin.Client,
            ReasonCode.ContinueAuthentication => true,
            ReasonCode.Reauthenticate => origin != PacketOrigin.Server,
            _ => false,
        };
}
