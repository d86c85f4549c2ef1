using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Scenarios;

/// <summary>Commands with any of their words, whether a client would send them or not.</summary>
internal static class CommandDraws
{
    private static readonly Gen<bool> s_bit = Gen.Elements(false, true);
    private static readonly Gen<string> s_name = Gen.Elements(
        "~/a",
        "~/a b ",
        "\uFEFF~/a",
        "#",
        "$share/~g/~/+",
        "%;:",
        ""
    );
    private static readonly Gen<QualityOfService> s_qos = Gen.Elements(Enum.GetValues<QualityOfService>());
    private static readonly Gen<uint?> s_number = Maybe(Gen.Elements(0u, 1u, 268_435_455u));
    private static readonly Gen<ushort?> s_short = Maybe(Gen.Elements((ushort)0, ushort.MaxValue));

    /// <summary>Any command.</summary>
    public static Gen<Command> Any { get; } =
        from command in Gen.OneOf(Connect(), Disconnect(), Subscribe(), Unsubscribe(), Publish(), Answer(), Plain())
        from split in Gen.Elements(0, 0, 1, 7)
        from withNext in s_bit
        select command with
        {
            SplitBytes = split,
            WithNext = withNext,
        };

    private static Gen<Command> Plain() =>
        Gen.Elements<Command>(
            new DropCommand(),
            new PingCommand(),
            new WaitCommand(1500),
            new HoldCommand(true),
            new HoldCommand(true) { PubcompOnly = true },
            new HoldCommand(false),
            new MalformedCommand("qos-3")
        );

    private static Gen<Command> Connect() =>
        from bits in Gen.ArrayOf(s_bit, 7)
        from version in Maybe(Gen.Elements(ProtocolVersion.V31, ProtocolVersion.V311, ProtocolVersion.V5))
        from identifier in Gen.Elements(Enum.GetValues<IdentifierKind>())
        from numbers in Gen.ArrayOf(s_number, 4)
        from shorts in Gen.ArrayOf(s_short, 3)
        from problem in Maybe(s_bit)
        from response in Maybe(s_bit)
        from topic in s_name
        from qos in s_qos
        select (Command)
            new ConnectCommand(bits[0])
            {
                Version = version,
                Identifier = identifier,
                WillTopic = bits[1] ? topic : null,
                WillQos = bits[1] ? qos : default,
                WillRetain = bits[1] && bits[2],
                WillWithProperties = bits[3],
                WithUserProperties = bits[4],
                WrongPassword = bits[5],
                WithoutIdentifier = bits[6],
                SessionExpirySeconds = numbers[0],
                WillDelaySeconds = numbers[1],
                WillExpirySeconds = numbers[2],
                MaximumPacketBytes = numbers[3],
                ReceiveMaximum = shorts[0],
                TopicAliasMaximum = shorts[1],
                KeepAliveSeconds = shorts[2],
                ProblemInformation = problem,
                ResponseInformation = response,
            };

    private static Gen<Command> Disconnect() =>
        from bits in Gen.ArrayOf(s_bit, 4)
        from error in Maybe(Gen.Elements(DisconnectCommand.Errors))
        from expiry in s_number
        select (Command)
            new DisconnectCommand(bits[0] && error is null, expiry)
            {
                Error = error,
                IsLong = bits[1],
                WithReasonString = bits[2],
                WithUserProperties = bits[3],
            };

    private static Gen<Command> Subscribe() =>
        from requests in Gen.NonEmptyListOf(
            from filter in s_name
            from qos in s_qos
            from noLocal in s_bit
            from asPublished in s_bit
            from handling in Gen.Elements(Enum.GetValues<RetainHandling>())
            select new SubscriptionRequest(filter, qos)
            {
                NoLocal = noLocal,
                RetainAsPublished = asPublished,
                RetainHandling = handling,
            }
        )
        from identifier in s_number
        from withUserProperties in s_bit
        select (Command)new SubscribeCommand([.. requests], identifier) { WithUserProperties = withUserProperties };

    private static Gen<Command> Unsubscribe() =>
        from filters in Gen.NonEmptyListOf(s_name)
        from withUserProperties in s_bit
        select (Command)new UnsubscribeCommand([.. filters]) { WithUserProperties = withUserProperties };

    private static Gen<Command> Publish() =>
        from topic in s_name
        from qos in s_qos
        from bits in Gen.ArrayOf(s_bit, 6)
        from cut in Gen.Elements(Enum.GetValues<PublishCut>())
        from alias in s_short
        from expiry in s_number
        from bytes in Gen.Elements(0, 1, 2_100_000)
        select (Command)
            new PublishCommand(topic, qos)
            {
                Retain = bits[0],
                Empty = bits[1],
                Duplicate = bits[2],
                Repeat = bits[3],
                ReusesIdentifier = bits[4],
                WithProperties = bits[5],
                Cut = cut,
                Alias = alias,
                ExpirySeconds = expiry,
                PayloadBytes = bytes,
            };

    private static Gen<Command> Answer() =>
        from reason in Gen.Elements([ReasonCode.Success, .. AnswerCommand.Refusals])
        from bits in Gen.ArrayOf(s_bit, 3)
        select (Command)
            new AnswerCommand
            {
                Reason = reason,
                IsLong = bits[0],
                WithReasonString = bits[1],
                WithUserProperties = bits[2],
            };

    private static Gen<T?> Maybe<T>(Gen<T> value)
        where T : struct => Gen.OneOf(Gen.Constant<T?>(null), value.Select(drawn => (T?)drawn));
}
