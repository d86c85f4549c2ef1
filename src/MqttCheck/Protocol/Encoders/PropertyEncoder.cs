using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Encoders;

/// <summary>Writes the properties of MQTT 5, in the order of their identifiers.</summary>
internal static class PropertyEncoder
{
    /// <summary>The length of the section and the section.</summary>
    internal static void WriteSection(ref PacketBuffer buffer, PacketProperties properties)
    {
        var extra = buffer.TakeExtraProperties();
        if (ReferenceEquals(properties, PacketProperties.Empty) && extra.IsEmpty)
        {
            buffer.Byte(0);
            return;
        }
        var counter = PacketBuffer.Counting();
        Write(ref counter, properties);
        buffer.VariableByteInteger((uint)(counter.Length + extra.Length));
        Write(ref buffer, properties);
        buffer.Raw(extra);
    }

    /// <summary>The section without its length.</summary>
    internal static void Write(ref PacketBuffer buffer, PacketProperties p)
    {
        OneByte(ref buffer, PropertyId.PayloadFormatIndicator, (byte?)p.PayloadFormatIndicator);
        FourBytes(ref buffer, PropertyId.MessageExpiryInterval, p.MessageExpiryIntervalSeconds);
        Text(ref buffer, PropertyId.ContentType, p.ContentType);
        Text(ref buffer, PropertyId.ResponseTopic, p.ResponseTopic);
        Binary(ref buffer, PropertyId.CorrelationData, p.CorrelationData);
        foreach (var identifier in p.SubscriptionIdentifiers)
        {
            buffer.Byte((int)PropertyId.SubscriptionIdentifier);
            buffer.VariableByteInteger(identifier);
        }
        FourBytes(ref buffer, PropertyId.SessionExpiryInterval, p.SessionExpiryIntervalSeconds);
        Text(ref buffer, PropertyId.AssignedClientIdentifier, p.AssignedClientIdentifier);
        TwoBytes(ref buffer, PropertyId.ServerKeepAlive, p.ServerKeepAliveSeconds);
        Text(ref buffer, PropertyId.AuthenticationMethod, p.AuthenticationMethod);
        Binary(ref buffer, PropertyId.AuthenticationData, p.AuthenticationData);
        Flag(ref buffer, PropertyId.RequestProblemInformation, p.RequestProblemInformation);
        FourBytes(ref buffer, PropertyId.WillDelayInterval, p.WillDelayIntervalSeconds);
        Flag(ref buffer, PropertyId.RequestResponseInformation, p.RequestResponseInformation);
        Text(ref buffer, PropertyId.ResponseInformation, p.ResponseInformation);
        Text(ref buffer, PropertyId.ServerReference, p.ServerReference);
        Text(ref buffer, PropertyId.ReasonString, p.ReasonString);
        TwoBytes(ref buffer, PropertyId.ReceiveMaximum, p.ReceiveMaximum);
        TwoBytes(ref buffer, PropertyId.TopicAliasMaximum, p.TopicAliasMaximum);
        TwoBytes(ref buffer, PropertyId.TopicAlias, p.TopicAlias);
        OneByte(ref buffer, PropertyId.MaximumQos, (byte?)p.MaximumQos);
        Flag(ref buffer, PropertyId.RetainAvailable, p.RetainAvailable);
        foreach (var property in p.UserProperties)
        {
            buffer.Byte((int)PropertyId.UserProperty);
            buffer.Text(property.Name);
            buffer.Text(property.Value);
        }
        FourBytes(ref buffer, PropertyId.MaximumPacketSize, p.MaximumPacketSizeBytes);
        Flag(ref buffer, PropertyId.WildcardSubscriptionAvailable, p.WildcardSubscriptionAvailable);
        Flag(ref buffer, PropertyId.SubscriptionIdentifierAvailable, p.SubscriptionIdentifierAvailable);
        Flag(ref buffer, PropertyId.SharedSubscriptionAvailable, p.SharedSubscriptionAvailable);
    }

    private static void Flag(ref PacketBuffer buffer, PropertyId id, bool? value) =>
        OneByte(ref buffer, id, value is { } flag ? (byte?)(flag ? 1 : 0) : null);

    private static void OneByte(ref PacketBuffer buffer, PropertyId id, byte? value)
    {
        if (value is not { } number)
            return;
        buffer.Byte((int)id);
        buffer.Byte(number);
    }

    private static void TwoBytes(ref PacketBuffer buffer, PropertyId id, ushort? value)
    {
        if (value is not { } number)
            return;
        buffer.Byte((int)id);
        buffer.UInt16(number);
    }

    private static void FourBytes(ref PacketBuffer buffer, PropertyId id, uint? value)
    {
        if (value is not { } number)
            return;
        buffer.Byte((int)id);
        buffer.UInt32(number);
    }

    private static void Text(ref PacketBuffer buffer, PropertyId id, string? value)
    {
        if (value is null)
            return;
        buffer.Byte((int)id);
        buffer.Text(value);
    }

    private static void Binary(ref PacketBuffer buffer, PropertyId id, Bytes? value)
    {
        if (value is not { } bytes)
            return;
        buffer.Byte((int)id);
        buffer.Binary(bytes.Span);
    }
}
