using System.Globalization;
using System.Numerics;
using MqttCheck.Broker.Routing;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Simpler variants of a scenario, the boldest first. Every variant can be run: a command that makes no sense in a
/// state is left out by the run.
/// </summary>
internal static class ScenarioShrinker
{
    private static readonly Func<ConnectCommand, ConnectCommand>[] s_simplerConnections =
    [
        connect => connect with { Clean = true },
        connect => connect with { ReceiveMaximum = null },
        connect => connect with { TopicAliasMaximum = null },
        connect => connect with { SessionExpirySeconds = null },
        connect => connect with { WillDelaySeconds = null },
        connect => connect with { WillWithProperties = false },
        connect => connect with { MaximumPacketBytes = null },
        connect => connect with { KeepAliveSeconds = null },
        connect => connect with { WrongPassword = false },
        connect => connect with { WithoutIdentifier = false },
        connect => connect with { Identifier = IdentifierKind.Plain },
        connect => connect with { Version = null },
        connect => connect with { ProblemInformation = null },
        connect => connect with { ResponseInformation = null },
        connect => connect with { WithUserProperties = false },
        connect => connect with { WillExpirySeconds = null },
    ];

    private static readonly Func<DisconnectCommand, DisconnectCommand>[] s_simplerEnds =
    [
        _ => new DisconnectCommand(),
        disconnect => disconnect with { WithWill = false },
        disconnect => disconnect with { Error = null },
        disconnect => disconnect with { SessionExpirySeconds = null },
        disconnect => disconnect with { IsLong = false },
        disconnect => disconnect with { WithReasonString = false },
        disconnect => disconnect with { WithUserProperties = false },
    ];

    private static readonly Func<AnswerCommand, AnswerCommand>[] s_simplerAnswers =
    [
        answer => answer with { Reason = ReasonCode.Success },
        answer => answer.Reason == ReasonCode.Success ? answer : answer with { Reason = ReasonCode.UnspecifiedError },
        answer => answer with { IsLong = false },
        answer => answer with { WithReasonString = false },
        answer => answer with { WithUserProperties = false },
    ];

    private static readonly Func<PublishCommand, PublishCommand>[] s_simplerPublications =
    [
        publish => publish with { Retain = false },
        publish => publish with { Empty = false },
        publish => publish with { Duplicate = false },
        publish => publish.Repeat ? publish with { Repeat = false, Duplicate = true } : publish,
        publish => publish with { Repeat = false },
        publish => publish with { ReusesIdentifier = false },
        publish => publish with { Cut = PublishCut.None },
        publish => publish with { Alias = null },
        publish => publish with { WithProperties = false },
        publish => publish with { ExpirySeconds = null },
        publish => publish with { PayloadBytes = 0 },
        publish => publish with { Times = 1 },
        publish => publish with { Times = Math.Max(1, publish.Times / 2) },
    ];

    /// <summary>The variants.</summary>
    /// <param name="scenario">The scenario.</param>
    public static IEnumerable<Scenario> Shrink(Scenario scenario)
    {
        return Edits(scenario).Select(edit => Apply(scenario, [edit]));
    }

    /// <summary>
    /// The changes behind the variants, the boldest first. Those that each leave a deviation in place often do so
    /// together.
    /// </summary>
    /// <param name="scenario">The scenario.</param>
    public static IEnumerable<ScenarioEdit> Edits(Scenario scenario)
    {
        var steps = scenario.Steps.ToArray();
        for (var client = 0; client < scenario.Clients; client++)
        {
            var own = Enumerable.Range(0, steps.Length).Where(i => steps[i].Client == client).ToArray();
            if (own.Length > 0 && own.Length < steps.Length)
                yield return ScenarioEdit.Removal(own);
        }
        // Fewer commands: large pieces first.
        for (var piece = steps.Length / 2; piece > 0; piece /= 2)
        {
            for (var start = 0; start + piece <= steps.Length; start += piece)
                if (steps.Length > piece)
                    yield return ScenarioEdit.Removal([.. Enumerable.Range(start, piece)]);
        }
        // One client instead of two.
        for (var client = 1; client < scenario.Clients; client++)
        {
            for (var other = 0; other < client; other++)
            {
                var (from, to) = (client, other);
                yield return ScenarioEdit.Everywhere(step => step.Client == from ? step with { Client = to } : step);
            }
        }
        if (steps.Any(step => step.Concurrent))
            yield return ScenarioEdit.Everywhere(step => step with { Concurrent = false });
        // The same topic everywhere; and no filter that also takes what other runs publish.
        foreach (var name in steps.SelectMany(step => Names(step.Command)).Distinct().ToArray())
        {
            foreach (var simpler in SimplerNames(name))
                yield return ScenarioEdit.Everywhere(step =>
                    step with
                    {
                        Command = Rename(step.Command, name, simpler),
                    }
                );
        }
        for (var i = 0; i < steps.Length; i++)
        {
            if (steps[i].Concurrent)
                yield return ScenarioEdit.Replacement(i, steps[i] with { Concurrent = false });
            foreach (var simpler in Written(steps[i].Command).Concat(Simpler(steps[i].Command)))
                yield return ScenarioEdit.Replacement(i, steps[i] with { Command = simpler });
        }
    }

    /// <summary>
    /// Further changes that make it shorter, for a scenario that no single removal makes shorter: two commands at once,
    /// one client that does another's work on its own connection, several SUBSCRIBE packets of a client as one, which
    /// acts like them in sequence.
    /// </summary>
    /// <param name="scenario">The scenario.</param>
    public static IEnumerable<ScenarioEdit> BolderEdits(Scenario scenario)
    {
        var steps = scenario.Steps.ToArray();
        for (var client = 0; client < scenario.Clients; client++)
        {
            int[] connecting =
            [
                .. Enumerable
                    .Range(0, steps.Length)
                    .Where(i =>
                        steps[i].Client == client
                        && steps[i].Command is ConnectCommand or DisconnectCommand or DropCommand
                    ),
            ];
            for (var other = 0; other < scenario.Clients; other++)
            {
                var (from, to) = (client, other);
                if (from != to && connecting.Length > 0 && connecting.Length < steps.Length)
                    yield return ScenarioEdit.Everywhere(
                        step => step.Client == from ? step with { Client = to } : step,
                        connecting
                    );
            }
        }
        for (var second = 1; second < steps.Length; second++)
        {
            for (var first = 0; first < second; first++)
                if (steps.Length > 2)
                    yield return ScenarioEdit.Removal(first, second);
        }
        for (var second = 1; second < steps.Length; second++)
        {
            if (steps[second].Command is not SubscribeCommand later)
                continue;
            var first = Array.FindLastIndex(steps, second - 1, step => step.Client == steps[second].Client);
            if (
                first < 0
                || steps[first].Command is not SubscribeCommand earlier
                || earlier.Identifier != later.Identifier
            )
                continue;
            var merged = earlier with { Requests = [.. earlier.Requests, .. later.Requests] };
            yield return ScenarioEdit.Replacement(first, steps[first] with { Command = merged }, second);
            yield return ScenarioEdit.Replacement(second, steps[second] with { Command = merged }, first);
        }
    }

    /// <summary>The scenario after several changes, all of them of the same scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="edits">The changes; of several that replace the same command the first counts.</param>
    public static Scenario Apply(Scenario scenario, IReadOnlyList<ScenarioEdit> edits)
    {
        var steps = new List<Step>();
        for (var i = 0; i < scenario.Steps.Count; i++)
        {
            var at = i;
            if (edits.Any(edit => edit.Removes(at)))
                continue;
            var step = edits.FirstOrDefault(edit => edit.At == at)?.Replaced ?? scenario.Steps[i];
            foreach (var edit in edits)
                step = edit.Change(step);
            steps.Add(step);
        }
        return With(scenario, [.. steps]);
    }

    /// <summary>The scenario with clients named in the order of their appearance.</summary>
    /// <param name="scenario">The scenario.</param>
    public static Scenario Normalise(Scenario scenario)
    {
        var names = scenario.Steps.Select(step => step.Client).Distinct().ToList();
        return new Scenario(
            scenario.Version,
            [
                .. scenario.Steps.Select(
                    (step, i) =>
                        step with
                        {
                            Client = names.IndexOf(step.Client),
                            Concurrent = i > 0 && step.Concurrent,
                        }
                ),
            ]
        );
    }

    /// <summary>
    /// The scenario with one and the same plain topic everywhere, to see whether what it shows has to do with topics.
    /// </summary>
    /// <param name="scenario">The scenario.</param>
    public static Scenario WithPlainTopic(Scenario scenario)
    {
        var steps = scenario.Steps.ToArray();
        foreach (var name in steps.SelectMany(step => Names(step.Command)).Distinct().ToArray())
            steps = [.. steps.Select(step => step with { Command = Rename(step.Command, name, "~/a") })];
        return With(scenario, steps);
    }

    /// <summary>
    /// The scenario with PINGREQ behind every publication of QoS 0: what such a publication brings about is then seen
    /// before the next command.
    /// </summary>
    /// <param name="scenario">The scenario.</param>
    public static Scenario WithPings(Scenario scenario)
    {
        return With(
            scenario,
            [
                .. scenario.Steps.SelectMany(step =>
                    step.Command is PublishCommand { Qos: QualityOfService.AtMostOnce }
                        ? (Step[])[step, new Step(step.Client, new PingCommand())]
                        : [step]
                ),
            ]
        );
    }

    /// <summary>
    /// The scenario with other filters in place of those that overlap with one that stays, to see whether it matters
    /// that they do: a variant for each filter that may stay. A filter that is there twice overlaps with itself.
    /// </summary>
    /// <param name="scenario">The scenario.</param>
    public static IEnumerable<Scenario> WithoutOverlap(Scenario scenario)
    {
        var subscriptions = scenario
            .Steps.SelectMany(
                (step, at) =>
                    step.Command is SubscribeCommand subscribe
                        ? subscribe.Requests.Select((request, place) => (step.Client, At: (at, place), request.Filter))
                        : []
            )
            .ToArray();
        foreach (var kept in subscriptions)
        {
            List<(int, int)> others =
            [
                .. subscriptions
                    .Where(other => other.Client == kept.Client && other.At != kept.At)
                    .Where(other => FilterRelations.Overlap(other.Filter, kept.Filter))
                    .Select(other => other.At),
            ];
            if (others.Count > 0 && !FilterRelations.Overlap("~o0", kept.Filter))
                yield return With(
                    scenario,
                    [.. scenario.Steps.Select((step, at) => step with { Command = Apart(step.Command, at, others) })]
                );
        }
    }

    // Each of some filters gets a name of its own that no filter with a slash matches.
    private static Command Apart(Command command, int at, List<(int, int)> places) =>
        command is not SubscribeCommand subscribe
            ? command
            : subscribe with
            {
                Requests =
                [
                    .. subscribe.Requests.Select(
                        (request, place) =>
                            places.IndexOf((at, place)) is >= 0 and var number
                                ? request with
                                {
                                    Filter = string.Create(CultureInfo.InvariantCulture, $"~o{number}"),
                                }
                                : request
                    ),
                ],
            };

    private static Scenario With(Scenario scenario, Step[] steps) =>
        Normalise(new Scenario(scenario.Version, [.. steps]));

    /// <summary>
    /// Parts of a scenario that waits: some of its lines, a wait among them, in which every client connects first. The
    /// shortest come first.
    /// </summary>
    /// <param name="scenario">The scenario; one of more than 16 lines has too many parts, and gets none.</param>
    /// <param name="mostSteps">The most lines of a part.</param>
    /// <param name="most">How many parts; where there are more, they are taken evenly from all.</param>
    public static IReadOnlyList<Scenario> Parts(Scenario scenario, int mostSteps, int most)
    {
        var steps = scenario.Steps.ToArray();
        if (steps.Length > 16)
            return [];
        uint[] all =
        [
            .. Enumerable
                .Range(1, (1 << steps.Length) - 2)
                .Select(lines => (uint)lines)
                .Where(lines => BitOperations.PopCount(lines) <= mostSteps && IsPart(steps, lines))
                .OrderBy(BitOperations.PopCount),
        ];
        var count = Math.Min(most, all.Length);
        return
        [
            .. Enumerable
                .Range(0, count)
                .Select(i => all[(long)i * all.Length / count])
                .Select(lines =>
                    Normalise(scenario with { Steps = [.. steps.Where((_, place) => (lines >> place & 1) != 0)] })
                ),
        ];
    }

    private static bool IsPart(Step[] steps, uint lines)
    {
        var (waits, connected) = (false, 0u);
        for (var place = 0; place < steps.Length; place++)
        {
            if ((lines >> place & 1) == 0)
                continue;
            var step = steps[place];
            if (step.Command is WaitCommand)
                waits = true;
            else if (step.Command is ConnectCommand)
                connected |= 1u << step.Client;
            else if ((connected >> step.Client & 1) == 0)
                return false;
        }
        return waits && connected != 0;
    }

    private static IEnumerable<string> SimplerNames(string name)
    {
        if (name == "~/a")
            yield break;
        yield return "~/a";
        if (Scenario.TakesFromOthers(name))
            yield return name.StartsWith('+') ? "~" + name[1..] : "~/" + name.TrimStart('/');
    }

    // The same packets, written one by one and as a whole.
    private static IEnumerable<Command> Written(Command command)
    {
        if (command.SplitBytes > 0)
            yield return command with
            {
                SplitBytes = 0,
            };
        if (command.WithNext)
            yield return command with
            {
                WithNext = false,
            };
    }

    private static IEnumerable<T> All<T>(T command, Func<T, T>[] changes)
        where T : Command => changes.Select(change => change(command)).Where(simpler => simpler != command);

    private static IEnumerable<Command> Simpler(Command command) =>
        command switch
        {
            ConnectCommand connect => Simpler(connect),
            DisconnectCommand disconnect => All(disconnect, s_simplerEnds),
            AnswerCommand answer => All(answer, s_simplerAnswers),
            SubscribeCommand subscribe => Simpler(subscribe),
            HoldCommand { PubcompOnly: true } => [new HoldCommand(true)],
            WaitCommand { Milliseconds: > 5000 } => [new WaitCommand(5000)],
            UnsubscribeCommand unsubscribe => Simpler(unsubscribe),
            PublishCommand publish => Simpler(publish),
            _ => [],
        };

    private static IEnumerable<Command> Simpler(ConnectCommand connect)
    {
        var plain = new ConnectCommand(connect.Clean);
        if (connect != plain)
            yield return plain;
        if (!connect.Clean)
            yield return new ConnectCommand(true);
        if (connect.WillTopic is not null)
        {
            yield return connect with
            {
                WillTopic = null,
                WillQos = default,
                WillRetain = false,
                WillDelaySeconds = null,
                WillExpirySeconds = null,
                WillWithProperties = false,
            };
            if (connect.WillRetain)
                yield return connect with
                {
                    WillRetain = false,
                };
            for (var qos = QualityOfService.AtMostOnce; qos < connect.WillQos; qos++)
                yield return connect with
                {
                    WillQos = qos,
                };
        }
        foreach (var simpler in s_simplerConnections)
        {
            if (simpler(connect) is var other && other != connect)
                yield return other;
        }
    }

    private static IEnumerable<Command> Simpler(UnsubscribeCommand unsubscribe)
    {
        if (unsubscribe.WithUserProperties)
            yield return unsubscribe with
            {
                WithUserProperties = false,
            };
        for (var i = 0; unsubscribe.Filters.Count > 1 && i < unsubscribe.Filters.Count; i++)
            yield return unsubscribe with
            {
                Filters = [unsubscribe.Filters[i]],
            };
    }

    private static IEnumerable<Command> Simpler(SubscribeCommand subscribe)
    {
        if (subscribe.WithUserProperties)
            yield return subscribe with
            {
                WithUserProperties = false,
            };
        if (subscribe.Identifier is not null)
            yield return subscribe with
            {
                Identifier = null,
            };
        if (subscribe.Identifier > 1)
            yield return subscribe with
            {
                Identifier = 1,
            };
        for (var i = 0; i < subscribe.Requests.Count; i++)
        {
            var request = subscribe.Requests[i];
            if (subscribe.Requests.Count > 1)
                yield return subscribe with
                {
                    Requests = [.. subscribe.Requests.Where((_, at) => at != i)],
                };
            var plain = new SubscriptionRequest(request.Filter, request.Qos);
            if (request != plain)
                yield return Replace(plain, i);
            if (request.NoLocal)
                yield return Replace(request with { NoLocal = false }, i);
            if (request.RetainAsPublished)
                yield return Replace(request with { RetainAsPublished = false }, i);
            if (request.RetainHandling != RetainHandling.Send)
                yield return Replace(request with { RetainHandling = RetainHandling.Send }, i);
            for (var qos = QualityOfService.AtMostOnce; qos < request.Qos; qos++)
                yield return Replace(request with { Qos = qos }, i);
        }

        SubscribeCommand Replace(SubscriptionRequest request, int index)
        {
            var requests = subscribe.Requests.ToArray();
            requests[index] = request;
            return subscribe with { Requests = [.. requests] };
        }
    }

    private static IEnumerable<Command> Simpler(PublishCommand publish)
    {
        var plain = new PublishCommand(publish.Topic, publish.Qos);
        if (publish != plain)
            yield return plain;
        for (var qos = QualityOfService.AtMostOnce; qos < publish.Qos; qos++)
            yield return publish with
            {
                Qos = qos,
                Cut = PublishCut.None,
                Repeat = false,
                ReusesIdentifier = false,
                Duplicate = false,
            };
        if (publish is { Qos: QualityOfService.ExactlyOnce, Cut: PublishCut.None or PublishCut.AfterPublish })
            yield return publish with
            {
                Qos = QualityOfService.AtLeastOnce,
            };
        foreach (var simpler in s_simplerPublications)
        {
            if (simpler(publish) is var other && other != publish)
                yield return other;
        }
    }

    /// <summary>The symbolic topics and filters of a command.</summary>
    /// <param name="command">The command.</param>
    public static IEnumerable<string> Names(Command command) =>
        command switch
        {
            ConnectCommand { WillTopic: { } topic } => [topic],
            SubscribeCommand subscribe => subscribe.Requests.Select(request => request.Filter),
            UnsubscribeCommand unsubscribe => unsubscribe.Filters,
            PublishCommand publish => [publish.Topic],
            _ => [],
        };

    private static Command Rename(Command command, string from, string to) =>
        command switch
        {
            ConnectCommand connect when connect.WillTopic == from => connect with { WillTopic = to },
            SubscribeCommand subscribe => subscribe with
            {
                Requests =
                [
                    .. subscribe.Requests.Select(request =>
                        request.Filter == from ? request with { Filter = to } : request
                    ),
                ],
            },
            UnsubscribeCommand unsubscribe => unsubscribe with
            {
                Filters = [.. unsubscribe.Filters.Select(filter => filter == from ? to : filter)],
            },
            PublishCommand publish when publish.Topic == from => publish with { Topic = to },
            _ => command,
        };
}
