using System.Diagnostics;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Draws the contents of commands from the state of their client and the theme. Generators that depend on the theme
/// alone are composed once.
/// </summary>
internal sealed class CommandGenerator
{
    // An interval of this length does not pass while a scenario runs, and no broker keeps the session for long.
    private const uint LongSeconds = 1000;

    private static readonly (CommandOptions, double)[] s_subscriptions =
    [
        (CommandOptions.AsPublished, .15),
        (CommandOptions.IfNew, .08),
        (CommandOptions.NoRetained, .08),
    ];

    private static readonly Gen<Command> s_ping = Gen.Constant<Command>(new PingCommand());
    private static readonly Gen<Command> s_drop = Gen.Constant<Command>(new DropCommand());
    private static readonly Gen<Command> s_hold = Gen.Frequency(
        (2, Gen.Constant<Command>(new HoldCommand(true))),
        (1, Gen.Constant<Command>(new HoldCommand(true) { PubcompOnly = true }))
    );

    private static readonly Gen<Command> s_answer =
        from refuses in Draw.Chance(.5)
        from reason in Gen.Elements(AnswerCommand.Refusals)
        from isLong in Draw.Chance(.5)
        from withReasonString in Draw.Chance(.2)
        from withUserProperties in Draw.Chance(.2)
        select (Command)
            new AnswerCommand
            {
                Reason = refuses ? reason : ReasonCode.Success,
                IsLong = isLong,
                WithReasonString = withReasonString,
                WithUserProperties = withUserProperties,
            };

    private static readonly Gen<Command> s_holdOrAnswer = Gen.Frequency((3, s_hold), (2, s_answer));
    private static readonly Gen<Command> s_release = Gen.Constant<Command>(new HoldCommand(false));

    // Larger scenarios have larger payloads. A few exceed what 16 bits can count.
    private static readonly Gen<int> s_payload = Gen.Frequency(
        (30, Gen.Sized(size => Gen.Choose(1000, 1000 + (400 * size)))),
        (1, Gen.Choose(65_500, 140_000))
    );

    private static readonly Gen<PublishCut> s_cutOfTwo = Gen.Elements(
        PublishCut.AfterPublish,
        PublishCut.AfterPubrec,
        PublishCut.AfterPubrel
    );
    private static readonly Gen<ushort> s_alias = Gen.Frequency((6, Gen.Choose(1, 2)), (1, Gen.Choose(3, 100)))
        .Select(number => (ushort)number);
    private static readonly Gen<uint> s_longExpiry = Gen.Constant(LongSeconds);
    private static readonly Gen<uint> s_shortExpiry = Gen.Elements(1u, 1u, 2u, (uint)RunningIntervals.Longest);
    private static readonly Gen<uint> s_noExpiry = Gen.Constant(0u);

    // DISCONNECT makes it shorter, longer, or ends the session.
    private static readonly Gen<uint> s_changedExpiry = Gen.Elements(1u, 1u, 2u, LongSeconds, 0u);
    private static readonly Gen<ushort> s_keepAlive = Gen.Elements((ushort)1, (ushort)1, (ushort)2);
    private static readonly Gen<uint> s_shortSession = Gen.Elements(1u, 1u, 2u);

    // The last interval is longer than any session that ends meanwhile.
    private static readonly Gen<uint> s_delay = Gen.Elements(1u, 2u, 3u, 5u, LongSeconds);

    // 0xFFFFFFFF is a session without end.
    private static readonly Gen<uint> s_longSession = Gen.Frequency(
        (4, Gen.Constant(LongSeconds)),
        (1, Gen.Constant(uint.MaxValue))
    );
    private static readonly Gen<bool> s_anyBit = Gen.Elements(false, true);
    private static readonly Gen<bool> s_problem = Gen.Elements(false, false, false, true);
    private static readonly Gen<CommandOptions> s_plainFlow = Gen.Constant(CommandOptions.None);

    // An identifier takes one to four bytes.
    private static readonly Gen<uint> s_identifier = Gen.OneOf(
            Gen.Choose(1, 200),
            Gen.Choose(1, 200),
            Gen.Choose(201, 268_435_455),
            Gen.Elements(127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455)
        )
        .Select(number => (uint)number);

    // No Local is forbidden for a shared subscription.
    private static readonly Gen<CommandOptions> s_shared5 = Draw.Options(s_subscriptions);
    private static readonly Gen<CommandOptions> s_own5 = Draw.Options([
        .. s_subscriptions,
        (CommandOptions.NoLocal, .1),
    ]);

    private readonly ScenarioTheme _theme;
    private readonly Gen<Command> _disconnect,
        _subscribe,
        _publish,
        _publishWithSession;

    public CommandGenerator(ScenarioTheme theme)
    {
        _theme = theme;
        _disconnect =
            from withWill in IfV5(Draw.Chance(theme.TimePasses ? .4 : .2))
            from outlives in Draw.Where(
                theme.IsV5,
                Draw.Sometimes(
                    theme.Focus == IntervalKind.SessionExpiry ? .5 : .1,
                    theme.TimePasses ? s_changedExpiry : s_noExpiry
                ),
                null
            )
            from error in IfV5(Draw.Chance(.1))
            from reason in Gen.Elements(DisconnectCommand.Errors)
            from isLong in IfV5(Draw.Chance(.08))
            from withReasonString in IfV5(Draw.Chance(.05))
            from withUserProperties in IfV5(Draw.Chance(.05))
            select (Command)
                new DisconnectCommand(withWill && !error, outlives)
                {
                    Error = error ? reason : null,
                    IsLong = isLong,
                    WithReasonString = withReasonString,
                    WithUserProperties = withUserProperties,
                };
        _subscribe = Subscribe();
        _publish = Publish(hasSession: false);
        _publishWithSession = Publish(hasSession: true);
    }

    /// <summary>Commands for an input.</summary>
    /// <param name="input">The input, one that the client's state allows.</param>
    /// <param name="client">The progress of the client.</param>
    /// <param name="isFirst">Whether the client is the scenario's first, which stays able to connect.</param>
    public Gen<Command> Of(ClientInput input, ClientProgress client, bool isFirst) =>
        input switch
        {
            ClientInput.Connect => Connect(client, isFirst),
            ClientInput.Disconnect => _disconnect,
            ClientInput.Publish => client.State.Persists ? _publishWithSession : _publish,
            ClientInput.Subscribe => _subscribe,
            ClientInput.Unsubscribe => Unsubscribe(client),
            ClientInput.Ping => s_ping,
            ClientInput.Drop => s_drop,
            ClientInput.Hold => _theme.IsV5 ? s_holdOrAnswer : s_hold,
            ClientInput.Release => s_release,
            ClientInput.Misbehave => Gen.Elements(client.State.Connected ? _theme.Defects : _theme.ConnectDefects)
                .Select(Command (defect) => new MalformedCommand(defect)),
            _ => throw new UnreachableException(),
        };

    private Gen<bool> IfV5(Gen<bool> value) => Draw.Where(_theme.IsV5, value, false);

    private Gen<Command> Connect(ClientProgress client, bool isFirst)
    {
        // A client that had a session resumes it more often than not, even if the session should have expired.
        var hadSession = client.Connect?.Persists(_theme.Version) == true;
        var mayBeAnonymous = !_theme.TimePasses && !client.HasBegun && !isFirst;
        return from persists in Draw.Where(_theme.LikesPersistence, Draw.Chance(_theme.Emphasis.Persists), false)
            from clean in Draw.Where(
                _theme.IsV5,
                Draw.Chance(
                    !hadSession ? .5
                    : _theme.TimePasses ? .15
                    : .3
                ),
                !persists
            )
            from keepAlive in Draw.Where(
                _theme.TimePasses,
                Draw.Sometimes(_theme.Focus == IntervalKind.KeepAlive ? .7 : .1, s_keepAlive),
                null
            )
            from wrongPassword in Draw.Where(!_theme.TimePasses, Draw.Chance(.01), false)
            from anonymous in Draw.Where(mayBeAnonymous, Draw.Chance(.012), false)
            from connect in WithProperties(
                persists && !anonymous,
                new ConnectCommand(clean)
                {
                    KeepAliveSeconds = keepAlive,
                    WrongPassword = wrongPassword,
                    WithoutIdentifier = anonymous,
                    // The first CONNECT decides for all.
                    Version = client.Connect is null && _theme.IsOther ? _theme.Version : null,
                    Identifier = client.Connect is null ? _theme.Identifiers : IdentifierKind.Plain,
                }
            )
            from hasWill in Draw.Chance(_theme.Emphasis.Will)
            from complete in hasWill ? WithWill(connect) : Gen.Constant(connect)
            select (Command)complete;
    }

    private Gen<ConnectCommand> WithProperties(bool persists, ConnectCommand connect)
    {
        if (!_theme.IsV5)
            return Gen.Constant(connect);
        var fewUnits = Gen.Choose(1, 3).Select(number => (ushort)number);
        return from isShort in Draw.Where(
                _theme.TimePasses,
                Draw.Chance(
                    _theme.Focus switch
                    {
                        IntervalKind.SessionExpiry => .8,
                        // A will is published when its session ends, if its delay is longer.
                        IntervalKind.WillDelay => .4,
                        null or IntervalKind.KeepAlive or IntervalKind.QueuedMessage or IntervalKind.RetainedMessage =>
                            .2,
                        _ => throw new UnreachableException(),
                    }
                ),
                false
            )
            from receiveMaximum in Draw.Sometimes(_theme.Emphasis.Window, fewUnits)
            from topicAliasMaximum in Draw.Sometimes(_theme.Emphasis.AliasMaximum, fewUnits)
            from maximumPacket in Draw.Sometimes(
                _theme.Emphasis.MaximumPacket,
                Gen.Choose(200, 1199).Select(bytes => (uint)bytes)
            )
            from problem in Draw.Sometimes(.08, s_problem)
            from response in Draw.Sometimes(.04, s_anyBit)
            from userProperties in Draw.Chance(.05)
            from shortExpiry in s_shortSession
            from longExpiry in s_longSession
            select connect with
            {
                SessionExpirySeconds =
                    !persists ? null
                    : isShort ? shortExpiry
                    : longExpiry,
                ReceiveMaximum = receiveMaximum,
                TopicAliasMaximum = topicAliasMaximum,
                MaximumPacketBytes = maximumPacket,
                ProblemInformation = problem,
                ResponseInformation = response,
                WithUserProperties = userProperties,
            };
    }

    private Gen<ConnectCommand> WithWill(ConnectCommand connect) =>
        from topic in _theme.Topic
        from qos in _theme.Qos
        from retain in Draw.Chance(.3)
        from properties in IfV5(Draw.Chance(.15))
        from expires in IfV5(Draw.Chance(.2))
        from delay in Draw.Where(_theme is { TimePasses: true, IsV5: true }, Draw.Sometimes(.7, s_delay), null)
        select connect with
        {
            WillTopic = topic,
            WillQos = qos,
            WillRetain = retain,
            WillDelaySeconds = delay,
            WillWithProperties = properties,
            WillExpirySeconds = expires ? LongSeconds : null,
        };

    private Gen<Command> Subscribe()
    {
        var plain = from filter in _theme.Filter from qos in _theme.Qos select new SubscriptionRequest(filter, qos);
        var shared =
            from filter in _theme.SharedFilter
            from qos in _theme.Qos
            from options in s_shared5
            select Request(filter, qos, options);
        var own =
            from filter in _theme.Filter
            from qos in _theme.Qos
            from options in s_own5
            select Request(filter, qos, options);
        var one = _theme.IsV5
            ? from isShared in Draw.Chance(_theme.Emphasis.Shared)
            from request in isShared ? shared : own
            select request
            : plain;
        var requests = Gen.Frequency(
            (20, Gen.ArrayOf(one, 1)),
            (4, Gen.ArrayOf(one, 2)),
            (1, Gen.ArrayOf(one, 3)),
            (_theme.Filters.Length > 8 ? 6 : 0, Gen.ArrayOf(one, 5))
        );
        return _theme.IsV5
            ? from all in requests
            from identifier in Draw.Sometimes(_theme.Emphasis.Identifier, s_identifier)
            from userProperties in Draw.Chance(.05)
            select (Command)new SubscribeCommand([.. all], identifier) { WithUserProperties = userProperties }
            : requests.Select(Command (all) => new SubscribeCommand([.. all]));
    }

    private static SubscriptionRequest Request(string filter, QualityOfService qos, CommandOptions options) =>
        new(filter, qos)
        {
            NoLocal = options.HasFlag(CommandOptions.NoLocal),
            RetainAsPublished = options.HasFlag(CommandOptions.AsPublished),
            RetainHandling =
                options.HasFlag(CommandOptions.NoRetained) ? RetainHandling.DoNotSend
                : options.HasFlag(CommandOptions.IfNew) ? RetainHandling.SendIfNew
                : RetainHandling.Send,
        };

    private Gen<Command> Unsubscribe(ClientProgress client)
    {
        string[] subscribed = [.. _theme.Filters.Where((_, place) => (client.Subscribed & (1UL << place)) != 0)];
        var one =
            subscribed.Length == 0
                ? _theme.IsAboutSharing
                    ? Gen.OneOf(_theme.Filter, _theme.SharedFilter)
                    : _theme.Filter
                : Gen.Frequency((85, Gen.Elements(subscribed)), (15, _theme.Filter));
        return from filter in one
            from second in Draw.Chance(.15)
            from filters in second
                ? _theme.Filter.Select(another => new[] { filter, another })
                : Gen.Constant(new[] { filter })
            from userProperties in IfV5(Draw.Chance(.05))
            select (Command)new UnsubscribeCommand([.. filters]) { WithUserProperties = userProperties };
    }

    private Gen<Command> Publish(bool hasSession)
    {
        var options = Contents.Of(_theme.Emphasis);
        var contents = _theme.IsV5 ? options.Publication5 : options.Publication311;
        var flows = (_theme.IsV5, hasSession) switch
        {
            (false, false) => options.Flow311,
            (false, true) => options.FlowWithSession311,
            (true, false) => options.Flow5,
            (true, true) => options.FlowWithSession5,
        };
        return from topic in _theme.Topic
            from qos in _theme.Qos
            from content in contents
            from flow in qos == QualityOfService.AtMostOnce ? s_plainFlow : flows
            from publish in Complete(
                new PublishCommand(topic, qos)
                {
                    Retain = (content & (CommandOptions.Retain | CommandOptions.Delete)) != 0,
                    Empty = (content & (CommandOptions.Empty | CommandOptions.Delete)) != 0,
                    WithProperties = content.HasFlag(CommandOptions.Properties),
                    Duplicate = flow.HasFlag(CommandOptions.Duplicate),
                    ReusesIdentifier = flow.HasFlag(CommandOptions.Reuse),
                    // Half a flow is not repeated.
                    Repeat = flow.HasFlag(CommandOptions.Repeat) && !flow.HasFlag(CommandOptions.Cut),
                },
                content | flow
            )
            select (Command)publish;
    }

    // Adds the options that need a value, such as the size of the payload.
    private Gen<PublishCommand> Complete(PublishCommand publish, CommandOptions options)
    {
        var complete = Gen.Constant(publish);
        if (options.HasFlag(CommandOptions.Large))
            complete = from command in complete from bytes in s_payload select command with { PayloadBytes = bytes };
        if (options.HasFlag(CommandOptions.Alias))
            complete = from command in complete from alias in s_alias select command with { Alias = alias };
        if (options.HasFlag(CommandOptions.Expiry))
            complete =
                from command in complete
                from seconds in _theme.TimePasses ? s_shortExpiry : s_longExpiry
                select command with
                {
                    ExpirySeconds = seconds,
                };
        if (!options.HasFlag(CommandOptions.Cut))
            return complete;
        return publish.Qos == QualityOfService.ExactlyOnce
            ? from command in complete
            from cut in s_cutOfTwo
            select command with
            {
                Cut = cut,
            }
            : complete.Select(command => command with { Cut = PublishCut.AfterPublish });
    }
}
