using System.Globalization;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Clients;

/// <summary>
/// Builds the automaton of one client: waiting connected or disconnected, one location for each kind of message while
/// its answer is awaited, and the reset after a sequence (leave, clean connect, close). Numbers are drawn in the order
/// of <see cref="ClientModel"/>.
/// </summary>
/// <remarks>
/// If latencies do not depend on topics, only the number of subscriptions matters. Then <c>topic</c> is a rank among
/// the topics that may be chosen. Topic and payload size are drawn all the same, because the client model draws them.
/// </remarks>
internal sealed class ClientAutomaton(UsageProfile profile, ClientLatency latency, int countedSequences)
{
    /// <summary>The shared array of online subscribers by topic.</summary>
    public const string Subscribers = "subscribers";

    private const string Clock = "c",
        Delay = "d",
        Left = "left",
        Own = "subscriptions",
        Topic = "topic",
        Size = "size",
        Sequence = "sequence",
        Mine = "subscribed",
        Rank = "rank";

    // The locations in which an answer is awaited.
    private static readonly (string Location, MessageKind Kind)[] s_exchanges =
    [
        ("connect", MessageKind.Connect),
        ("disconnect", MessageKind.Disconnect),
        ("publish", MessageKind.Publish),
        ("subscribe", MessageKind.Subscribe),
        ("unsubscribe", MessageKind.Unsubscribe),
        ("leave", MessageKind.Disconnect),
        ("clean", MessageKind.Connect),
        ("close", MessageKind.Disconnect),
    ];

    // Groups of assignments: the end of an exchange, what starts a new one, the draw that depends on both.
    private const int End = 0,
        Begin = 1,
        Last = 2;

    private readonly List<Edge> _edges = [];

    private bool Observed => countedSequences > 0;

    private bool Staged => Observed && latency.Stages > 0;

    private Expression Counted => (Of(Sequence) >= 1) & (Of(Sequence) <= countedSequences);

    private bool ByTopic => latency.UsesSubscriptions;

    public StochasticTimedAutomaton Named(string name)
    {
        _edges.Add(
            new(
                "start",
                [
                    new(
                        "disconnected",
                        1,
                        [
                            new(Left, Draw(Distribution.DiscreteUniform, 0, profile.SequenceLength - 1)),
                            .. Observed ? (Assignment[])[new(Sequence, If(Of(Left).Is(0), 1, 0)) { Order = 1 }] : [],
                            new(Left, If(Of(Left).Is(0), profile.SequenceLength, Of(Left))) { Order = 1 },
                            .. Wait(Last),
                        ]
                    ),
                ]
            )
        );
        _edges.Add(After("disconnected", null, To(MessageKind.Connect, "connect", Begin)));
        AddChoice();
        AddEnds("connect", MessageKind.Connect, connected: true, ByTopic ? AllTopics(+1, End) : []);
        AddEnds("disconnect", MessageKind.Disconnect, connected: false, []);
        AddEnds("publish", MessageKind.Publish, connected: true, []);
        AddEnds(
            "subscribe",
            MessageKind.Subscribe,
            connected: true,
            [new(Own, Of(Own) + 1), .. ByTopic ? OneTopic(+1, End) : []]
        );
        AddEnds("unsubscribe", MessageKind.Unsubscribe, connected: true, ByTopic ? [] : [new(Own, Of(Own) - 1)]);
        AddReset();
        if (Staged)
        {
            foreach (var (location, kind) in s_exchanges)
                AddStages(kind, location);
        }

        return new()
        {
            Name = name,
            Variables = [.. Variables()],
            Locations = [.. Locations()],
            InitialLocation = "start",
            Edges = [.. _edges],
        };
    }

    private List<Location> Locations()
    {
        List<Location> locations =
        [
            new("start", Of(Clock) <= 0),
            .. s_exchanges
                .Select(exchange => exchange.Location)
                .Prepend("connected")
                .Prepend("disconnected")
                .Select(location => new Location(location, Of(Clock) <= Of(Delay))),
            .. Staged
                ? s_exchanges.SelectMany(exchange =>
                    Enumerable
                        .Range(1, latency.Stages)
                        .Select(stage => new Location(StageOf(exchange.Location, stage), Of(Clock) <= 0))
                )
                : [],
        ];
        if (ByTopic)
            locations.AddRange([new("seek free", Of(Clock) <= 0), new("seek subscribed", Of(Clock) <= 0)]);
        return locations;
    }

    private List<VariableDeclaration> Variables()
    {
        List<VariableDeclaration> variables =
        [
            new(Clock, VariableType.Clock),
            new(Delay, VariableType.Real),
            new(Left, VariableType.Integer),
            new(Own, VariableType.Integer),
            new(Topic, VariableType.Integer),
            new(Size, VariableType.Integer),
        ];
        if (Observed)
            variables.Add(new(Sequence, VariableType.Integer));
        if (ByTopic)
            variables.AddRange([
                new(Rank, VariableType.Integer),
                new(Mine, VariableType.Integer, Length: profile.Topics),
            ]);
        return variables;
    }

    private static Edge After(string source, Expression? guard, params Destination[] destinations) =>
        new(source, new(destinations))
        {
            Guard = guard is null ? Of(Clock) >= Of(Delay) : (Of(Clock) >= Of(Delay)) & guard,
        };

    private Assignment[] Wait(int order) =>
        [new(Clock, 0) { Order = order }, new(Delay, Draw(profile.WaitMilliseconds)) { Order = order }];

    // The start of an exchange; the assignments before it are made first.
    private Destination To(MessageKind kind, string location, int order, params Assignment[] before) =>
        new(
            Staged ? StageOf(location, 1) : location,
            1,
            [
                .. before,
                .. latency.UsesActive
                    ? (Assignment[])[new(ClientLatency.Active, Of(ClientLatency.Active) + 1) { Order = order }]
                    : [],
                new(Clock, 0) { Order = order },
                Staged ? new(ClientNetwork.Foreseen, 0) { Order = Last } : new(Delay, Latency(kind)) { Order = Last },
            ]
        );

    private Expression Latency(MessageKind kind) =>
        latency.Of(kind, kind is MessageKind.Connect or MessageKind.Disconnect ? 0 : At(Subscribers, Of(Topic)));

    private static string StageOf(string location, int stage) =>
        string.Create(CultureInfo.InvariantCulture, $"{location} stage {stage}");

    // A latency is revealed in steps that take no time: at each, it either lies in the present part of its law, or
    // beyond; then it is known to be at least so large.
    private void AddStages(MessageKind kind, string location)
    {
        var probability = 0.0;
        for (var stage = 1; stage <= latency.Stages; stage++)
        {
            var last = stage == latency.Stages;
            var beyond = last ? 1 : 1 - (1 - probability) * LawSegment.Beyond;
            var drawn = new Destination(
                location,
                1 - LawSegment.Beyond,
                [new(Clock, 0), new(Delay, LawSegment.Draw(Latency(kind), probability, beyond))]
            );
            Destination[] ends = last
                ? [drawn with { Weight = 1 }]
                :
                [
                    drawn,
                    new(
                        StageOf(location, stage + 1),
                        LawSegment.Beyond,
                        [new(ClientNetwork.Foreseen, If(Counted, LawSegment.Quantile(Latency(kind), beyond), 0))]
                    ),
                ];
            _edges.Add(new(StageOf(location, stage), new(ends)));
            probability = beyond;
        }
    }

    private void AddChoice()
    {
        var (weights, topics) = (profile.Weights, profile.Topics);
        Expression subscribe = If(Of(Own) < topics, weights.Subscribe, 0),
            unsubscribe = If(Of(Own) > 0, weights.Unsubscribe, 0);
        // A client disconnects in a state in which no other kind of message has a positive weight.
        Expression disconnect =
            weights.Publish + weights.Disconnect > 0 ? weights.Disconnect : If((subscribe + unsubscribe).Is(0), 1, 0);
        var publish = To(
            MessageKind.Publish,
            "publish",
            Begin,
            new(Topic, Draw(Distribution.DiscreteUniform, 0, topics - 1)),
            new(Size, Draw(Distribution.DiscreteUniform, profile.MinimumPayloadBytes, profile.MaximumPayloadBytes))
        );
        var leave = To(MessageKind.Disconnect, "disconnect", Begin, ByTopic ? AllTopics(-1, End) : []);
        Expression free = Draw(Distribution.DiscreteUniform, 0, topics - 1 - Of(Own)),
            taken = Draw(Distribution.DiscreteUniform, 0, Of(Own) - 1);
        var (one, other) = ByTopic
            ? (
                new("seek free", 1, [new(Clock, 0), new(Topic, 0), new(Rank, free)]),
                new Destination("seek subscribed", 1, [new(Clock, 0), new(Topic, 0), new(Rank, taken)])
            )
            : (
                To(MessageKind.Subscribe, "subscribe", Begin, new Assignment(Topic, free)),
                To(MessageKind.Unsubscribe, "unsubscribe", Begin, new Assignment(Topic, taken))
            );
        _edges.Add(
            After(
                "connected",
                null,
                publish with
                {
                    Weight = weights.Publish,
                },
                leave with
                {
                    Weight = disconnect,
                },
                one with
                {
                    Weight = subscribe,
                },
                other with
                {
                    Weight = unsubscribe,
                }
            )
        );
        if (!ByTopic)
            return;
        Seek("seek free", 0, To(MessageKind.Subscribe, "subscribe", Begin));
        Seek(
            "seek subscribed",
            1,
            To(MessageKind.Unsubscribe, "unsubscribe", Begin, [new(Own, Of(Own) - 1), .. OneTopic(-1, End)])
        );
    }

    // Finds the topic of a rank among those that are subscribed (1) or not (0), in steps that take no time.
    private void Seek(string location, int wanted, Destination found)
    {
        var here = At(Mine, Of(Topic));
        _edges.Add(new(location, [new(location, 1, [new(Topic, Of(Topic) + 1)])]) { Guard = here.IsNot(wanted) });
        _edges.Add(
            new(location, [new(location, 1, [new(Topic, Of(Topic) + 1), new(Rank, Of(Rank) - 1)])])
            {
                Guard = here.Is(wanted) & (Of(Rank) > 0),
            }
        );
        _edges.Add(new(location, [found]) { Guard = here.Is(wanted) & (Of(Rank) <= 0) });
    }

    // The end of an exchange: the next wait, or the reset after the last message of a sequence.
    private void AddEnds(string source, MessageKind kind, bool connected, Assignment[] effects)
    {
        Assignment[] ended = [.. EndOf(), .. effects];
        Assignment[] counted = Observed
            ? [new(ClientNetwork.Worst, If(Counted, Max(Of(ClientNetwork.Worst), Of(Delay)), Of(ClientNetwork.Worst)))]
            : [];
        Assignment[] last = Observed
            ? [new(ClientNetwork.Done, Of(ClientNetwork.Done) | (Of(Sequence) >= countedSequences))]
            : [];
        _edges.Add(
            After(
                source,
                Of(Left) > 1,
                new Destination(
                    connected ? "connected" : "disconnected",
                    1,
                    [.. ended, .. counted, new(Left, Of(Left) - 1), .. Wait(Last)]
                )
            )
        );
        _edges.Add(
            After(
                source,
                Of(Left) <= 1,
                connected
                    ? To(
                        MessageKind.Disconnect,
                        "leave",
                        Begin,
                        [.. ended, .. counted, .. last, .. ByTopic ? AllTopics(-1, Begin) : []]
                    )
                    : Clean([.. ended, .. counted, .. last])
            )
        );
    }

    private void AddReset()
    {
        _edges.Add(After("leave", null, Clean(EndOf())));
        _edges.Add(
            After(
                "clean",
                null,
                To(MessageKind.Disconnect, "close", Begin, [.. EndOf(), .. ByTopic ? [] : (Assignment[])[new(Own, 0)]])
            )
        );
        _edges.Add(
            After(
                "close",
                null,
                new Destination(
                    "disconnected",
                    1,
                    [
                        .. EndOf(),
                        new(Left, profile.SequenceLength),
                        .. Observed ? (Assignment[])[new(Sequence, Of(Sequence) + 1)] : [],
                        .. Wait(Last),
                    ]
                )
            )
        );
    }

    // A clean connect drops the subscriptions when it is sent.
    private Destination Clean(Assignment[] before) =>
        To(
            MessageKind.Connect,
            "clean",
            Begin,
            !ByTopic
                ? before
                :
                [
                    .. before,
                    new(ClientLatency.TotalSubscriptions, Of(ClientLatency.TotalSubscriptions) - Of(Own))
                    {
                        Order = Begin,
                    },
                    new(Own, 0) { Order = Begin },
                    .. Enumerable
                        .Range(0, profile.Topics)
                        .Select(topic => new Assignment(Mine, 0) { Element = topic, Order = Begin }),
                ]
        );

    private Assignment[] EndOf() => latency.UsesActive ? [new(ClientLatency.Active, Of(ClientLatency.Active) - 1)] : [];

    private static Assignment[] OneTopic(int change, int order) =>
        [
            new(Mine, change > 0 ? 1 : 0) { Element = Of(Topic), Order = order },
            new(Subscribers, At(Subscribers, Of(Topic)) + change) { Element = Of(Topic), Order = order },
            new(ClientLatency.TotalSubscriptions, Of(ClientLatency.TotalSubscriptions) + change) { Order = order },
        ];

    // The client goes online or offline with its subscriptions.
    private Assignment[] AllTopics(int change, int order) =>
        [
            .. Enumerable
                .Range(0, profile.Topics)
                .Select(topic => new Assignment(
                    Subscribers,
                    change > 0 ? At(Subscribers, topic) + At(Mine, topic) : At(Subscribers, topic) - At(Mine, topic)
                )
                {
                    Element = topic,
                    Order = order,
                }),
        ];
}
