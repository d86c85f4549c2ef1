using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Decoders;

/// <summary>Reads and checks the property section of an MQTT 5 packet.</summary>
internal static class PropertyDecoder
{
    // The size of a PacketProperties object, of which each property makes a new one.
    private const int PropertiesBytes = 320;

    /// <summary>The section at the reader's position, with its length.</summary>
    /// <param name="reader">Stands on the length.</param>
    /// <param name="place">The packet type's bit, or <see cref="PropertyTable.Will"/>.</param>
    internal static PacketProperties Read(ref PacketReader reader, int place)
    {
        var length = reader.ReadVariableByteInteger("the property length");
        if (length == 0)
            return PacketProperties.Empty;
        if (length > reader.Remaining)
            reader.Fail(
                Rules.PropertiesLength,
                reader.Position,
                $"{length} bytes of properties reach beyond the end of the packet"
            );

        var start = reader.Position;
        var result = PacketProperties.Empty;
        UserProperty[] userProperties = [];
        uint[] subscriptionIdentifiers = [];
        var (userCount, identifierCount) = (0, 0);
        var seen = 0UL;
        var walker = new PropertyReader(reader.ReadRaw(length));
        while (walker.MoveNext())
        {
            var offset = start + walker.Offset;
            var id = walker.Id;
            if (!MayStand(ref reader, id, place, offset, seen))
                continue;
            seen |= 1UL << (int)id;
            switch (id)
            {
                case PropertyId.UserProperty:
                    if (userCount == 0)
                        userProperties = reader.NewArray<UserProperty>(CountOnwards(walker));
                    userProperties[userCount++] = new UserProperty(
                        reader.Text(walker.Data, offset + 3, "the name of a user property"),
                        reader.Text(walker.PairValue, offset + 5 + walker.Data.Length, "the value of a user property")
                    );
                    break;
                case PropertyId.SubscriptionIdentifier:
                    CheckSubscriptionIdentifier(ref reader, walker.Number, place, offset);
                    if (identifierCount == 0)
                        subscriptionIdentifiers = reader.NewArray<uint>(CountOf(walker, place));
                    subscriptionIdentifiers[identifierCount++] = walker.Number;
                    break;
                default:
                    reader.Take(PropertiesBytes);
                    result = With(result, ref reader, ref walker, offset);
                    break;
            }
        }
        if (walker.IsMalformed)
            ReportMalformed(ref reader, ref walker, start + walker.Offset);
        CheckWhole(ref reader, result, place, start);
        if (userCount + identifierCount == 0)
            return result;
        reader.Take(PropertiesBytes);
        return result with
        {
            UserProperties = List(userProperties),
            SubscriptionIdentifiers = List(subscriptionIdentifiers),
        };
    }

    private static ValueList<T> List<T>(T[] items) => items.Length == 0 ? default : new(items);

    private static int CountOf(PropertyReader walker, int place) =>
        MayRepeat(walker.Id, place) ? CountOnwards(walker) : 1;

    private static bool MayRepeat(PropertyId id, int place) =>
        id == PropertyId.UserProperty
        || (id == PropertyId.SubscriptionIdentifier && place == 1 << (int)PacketType.Publish);

    private static bool MayStand(ref PacketReader reader, PropertyId id, int place, int offset, ulong seen)
    {
        if ((PropertyTable.PlacesOf(id) & place) == 0)
        {
            reader.Report(Rules.MisplacedProperty, offset, $"{id} is not a property of {PlaceName(place)}");
            return false;
        }
        if (!MayRepeat(id, place) && (seen & (1UL << (int)id)) != 0)
        {
            reader.Report(Rules.RepeatedProperty, offset, $"{id} occurs twice");
            return false;
        }
        return true;
    }

    private static void CheckSubscriptionIdentifier(ref PacketReader reader, uint identifier, int place, int offset)
    {
        if (identifier == 0)
            reader.Report(Rules.SubscriptionIdentifierZero, offset + 1, "the subscription identifier is 0");
        if (place == 1 << (int)PacketType.Publish && reader.Origin == PacketOrigin.Client)
            reader.Report(
                Rules.SubscriptionIdentifierFromClient,
                offset,
                "a PUBLISH of a client carries a subscription identifier"
            );
    }

    // How many properties like the present one there are from here on, so that their array has the right length at
    // once.
    private static int CountOnwards(PropertyReader walker)
    {
        var (id, count) = (walker.Id, 1);
        while (walker.MoveNext())
            if (walker.Id == id)
                count++;
        return count;
    }

    private static PacketProperties With(
        PacketProperties p,
        ref PacketReader reader,
        ref PropertyReader walker,
        int offset
    ) =>
        walker.Id switch
        {
            PropertyId.PayloadFormatIndicator => p with
            {
                PayloadFormatIndicator = (PayloadFormat)AtMostOne(ref reader, ref walker, offset),
            },
            PropertyId.MessageExpiryInterval => p with { MessageExpiryIntervalSeconds = walker.Number },
            PropertyId.ContentType => p with { ContentType = Text(ref reader, ref walker, offset) },
            PropertyId.ResponseTopic => p with { ResponseTopic = ResponseTopic(ref reader, ref walker, offset) },
            PropertyId.CorrelationData => p with { CorrelationData = reader.Copy(walker.Data) },
            PropertyId.SessionExpiryInterval => p with { SessionExpiryIntervalSeconds = walker.Number },
            PropertyId.AssignedClientIdentifier => p with
            {
                AssignedClientIdentifier = Text(ref reader, ref walker, offset),
            },
            PropertyId.ServerKeepAlive => p with { ServerKeepAliveSeconds = (ushort)walker.Number },
            PropertyId.AuthenticationMethod => p with { AuthenticationMethod = Text(ref reader, ref walker, offset) },
            PropertyId.AuthenticationData => p with { AuthenticationData = reader.Copy(walker.Data) },
            PropertyId.RequestProblemInformation => p with
            {
                RequestProblemInformation = AtMostOne(ref reader, ref walker, offset) != 0,
            },
            PropertyId.WillDelayInterval => p with { WillDelayIntervalSeconds = walker.Number },
            PropertyId.RequestResponseInformation => p with
            {
                RequestResponseInformation = AtMostOne(ref reader, ref walker, offset) != 0,
            },
            PropertyId.ResponseInformation => p with { ResponseInformation = Text(ref reader, ref walker, offset) },
            PropertyId.ServerReference => p with { ServerReference = Text(ref reader, ref walker, offset) },
            PropertyId.ReasonString => p with { ReasonString = Text(ref reader, ref walker, offset) },
            PropertyId.ReceiveMaximum => p with { ReceiveMaximum = (ushort)NotZero(ref reader, ref walker, offset) },
            PropertyId.TopicAliasMaximum => p with { TopicAliasMaximum = (ushort)walker.Number },
            PropertyId.TopicAlias => p with { TopicAlias = (ushort)NotZero(ref reader, ref walker, offset) },
            PropertyId.MaximumQos => p with
            {
                MaximumQos = (QualityOfService)AtMostOne(ref reader, ref walker, offset),
            },
            PropertyId.RetainAvailable => p with { RetainAvailable = AtMostOne(ref reader, ref walker, offset) != 0 },
            PropertyId.MaximumPacketSize => p with { MaximumPacketSizeBytes = NotZero(ref reader, ref walker, offset) },
            PropertyId.WildcardSubscriptionAvailable => p with
            {
                WildcardSubscriptionAvailable = AtMostOne(ref reader, ref walker, offset) != 0,
            },
            PropertyId.SubscriptionIdentifierAvailable => p with
            {
                SubscriptionIdentifierAvailable = AtMostOne(ref reader, ref walker, offset) != 0,
            },
            PropertyId.SharedSubscriptionAvailable => p with
            {
                SharedSubscriptionAvailable = AtMostOne(ref reader, ref walker, offset) != 0,
            },
            _ => p,
        };

    // The texts of a property's own section say which values are illegal; none has a number of its own, except for the
    // topic alias.
    private static byte AtMostOne(ref PacketReader reader, ref PropertyReader walker, int offset)
    {
        if (walker.Number > 1)
            reader.Report(
                PropertyTable.ValueRuleOf(walker.Id),
                offset + 1,
                $"{walker.Id} is {walker.Number}, allowed are 0 and 1"
            );
        return (byte)walker.Number;
    }

    private static uint NotZero(ref PacketReader reader, ref PropertyReader walker, int offset)
    {
        if (walker.Number == 0)
            reader.Report(PropertyTable.ValueRuleOf(walker.Id), offset + 1, $"{walker.Id} is 0");
        return walker.Number;
    }

    private static string Text(ref PacketReader reader, ref PropertyReader walker, int offset) =>
        reader.Text(walker.Data, offset + 3, walker.Id.ToString());

    private static string ResponseTopic(ref PacketReader reader, ref PropertyReader walker, int offset)
    {
        var topic = Text(ref reader, ref walker, offset);
        if (topic.Length == 0)
            reader.Report(Rules.EmptyTopic, offset + 3, "the response topic is empty");
        if (topic.AsSpan().IndexOfAny('+', '#') >= 0)
            reader.Report(
                Rules.ResponseTopicWildcard,
                offset + 3,
                $"the response topic \"{topic}\" contains a wildcard"
            );
        return topic;
    }

    private static void ReportMalformed(ref PacketReader reader, ref PropertyReader walker, int offset)
    {
        if (PropertyTable.KindOf(walker.Id) == PropertyDataType.Unknown)
            reader.Report(Rules.UnknownProperty, offset, $"0x{(int)walker.Id:X2} is not a property");
        else if (walker.Id == PropertyId.SubscriptionIdentifier)
            reader.Report(
                Rules.ShortestInteger,
                offset + 1,
                "the subscription identifier is not a variable byte integer of the shortest form within the properties"
            );
        else
            reader.Report(Rules.PropertiesLength, offset, $"{walker.Id} reaches beyond the end of the properties");
    }

    private static void CheckWhole(ref PacketReader reader, PacketProperties properties, int place, int start)
    {
        const int auth = 1 << (int)PacketType.Auth;
        const int disconnect = 1 << (int)PacketType.Disconnect;
        if (properties.AuthenticationMethod is null)
        {
            if (place == auth)
                reader.Report(Rules.AuthenticationMethodMissing, start, "AUTH has no authentication method");
            else if (properties.AuthenticationData is not null)
                reader.Report(
                    Rules.AuthenticationDataWithoutMethod,
                    start,
                    "authentication data without an authentication method"
                );
        }
        if (place != disconnect)
            return;
        if (reader.Origin == PacketOrigin.Server && properties.SessionExpiryIntervalSeconds is not null)
            reader.Report(
                Rules.SessionExpiryFromServer,
                start,
                "a DISCONNECT of the server carries a session expiry interval"
            );
        if (reader.Origin == PacketOrigin.Client && properties.ServerReference is not null)
            reader.Report(
                Rules.ServerReferenceFromClient,
                start,
                "a DISCONNECT of the client carries a server reference"
            );
    }

    private static string PlaceName(int place) =>
        place == PropertyTable.Will ? "the will" : ((PacketType)int.Log2(place)).ToString().ToUpperInvariant();
}
