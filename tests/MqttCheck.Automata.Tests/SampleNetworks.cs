using MqttCheck.Automata.Networks;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Tests;

/// <summary>Small networks with known answers.</summary>
internal static class SampleNetworks
{
    /// <summary>
    /// A queue: a source with Exp(rate) between arrivals, one server, first come first served. Shared: sojourn and wait
    /// of the last customer.
    /// </summary>
    public static AutomataNetwork Queue(double rate, Expression service) =>
        new()
        {
            Name = "queue",
            Variables =
            [
                new("t", VariableType.Clock),
                new("arrival", VariableType.Real, Length: 4096),
                new("in", VariableType.Integer),
                new("out", VariableType.Integer),
                new("wait", VariableType.Real),
                new("sojourn", VariableType.Real),
            ],
            Automata =
            [
                new()
                {
                    Name = "source",
                    Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                    Locations = [new("away", Of("c") <= Of("d"))],
                    InitialLocation = "away",
                    Edges =
                    [
                        new(
                            "away",
                            [
                                new(
                                    "away",
                                    1,
                                    [
                                        new("arrival", Of("t")) { Element = Of("in") % 4096 },
                                        new("in", Of("in") + 1),
                                        new("c", 0),
                                        new("d", Draw(Distribution.Exponential, rate)),
                                    ]
                                ),
                            ]
                        )
                        {
                            Guard = Of("c") >= Of("d"),
                        },
                    ],
                },
                new()
                {
                    Name = "server",
                    Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                    Locations = [new("idle", Of("in").Is(Of("out"))), new("busy", Of("c") <= Of("d"))],
                    InitialLocation = "idle",
                    Edges =
                    [
                        new(
                            "idle",
                            [
                                new(
                                    "busy",
                                    1,
                                    [
                                        new("wait", Of("t") - At("arrival", Of("out") % 4096)),
                                        new("c", 0),
                                        new("d", service),
                                    ]
                                ),
                            ]
                        )
                        {
                            Guard = Of("in") > Of("out"),
                        },
                        new(
                            "busy",
                            [
                                new(
                                    "idle",
                                    1,
                                    [
                                        new("sojourn", Of("t") - At("arrival", Of("out") % 4096)),
                                        new("out", Of("out") + 1),
                                    ]
                                ),
                            ]
                        )
                        {
                            Guard = Of("c") >= Of("d"),
                        },
                    ],
                },
            ],
        };

    /// <summary>
    /// One automaton that stays in its locations for the given times, one after the other, and ends in the location
    /// <c>end</c> with the shared variable <c>done</c> set.
    /// </summary>
    public static AutomataNetwork Stages(params Expression[] times) =>
        new()
        {
            Name = "stages",
            Variables = [new("done", VariableType.Boolean)],
            Automata =
            [
                new()
                {
                    Name = "P",
                    Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                    Locations =
                    [
                        new("start", Of("c") <= 0),
                        .. times.Select((_, i) => new Location($"stage{i}", Of("c") <= Of("d"))),
                        new("end"),
                    ],
                    InitialLocation = "start",
                    Edges =
                    [
                        new("start", [new("stage0", 1, [new("c", 0), new("d", times[0])])]),
                        .. times.Select(
                            (_, i) =>
                                new Edge(
                                    $"stage{i}",
                                    i + 1 < times.Length
                                        ? [new($"stage{i + 1}", 1, [new("c", 0), new("d", times[i + 1])])]
                                        : [new("end", 1, [new("done", true)])]
                                )
                                {
                                    Guard = Of("c") >= Of("d"),
                                }
                        ),
                    ],
                },
            ],
        };

    /// <summary>
    /// Two queues in a row with Exp(3) arrivals and servers of Exp(2) and Exp(6), coupled by synchronisations. The
    /// shared <c>q2</c> counts the customers of the second queue, which begins with one.
    /// </summary>
    public static AutomataNetwork Tandem()
    {
        static StochasticTimedAutomaton Timed(
            string name,
            double rate,
            Expression mayServe,
            VariableDeclaration[] own,
            Destination[] served,
            string initial,
            params Edge[] others
        ) =>
            new()
            {
                Name = name,
                Variables = [new("c", VariableType.Clock), new("d", VariableType.Real), .. own],
                Locations = [new("start", Of("c") <= 0), new("idle"), new("busy", Of("c") <= Of("d"))],
                InitialLocation = initial,
                Edges =
                [
                    new("start", [Busy(rate)]),
                    new("busy", [served[0]]) { Action = "out", Guard = (Of("c") >= Of("d")) & mayServe },
                    new("busy", [served[^1]]) { Action = "out", Guard = (Of("c") >= Of("d")) & !mayServe },
                    .. others,
                ],
            };
        static Destination Busy(double rate, params Assignment[] also) =>
            new("busy", 1, [new("c", 0), new("d", Draw(Distribution.Exponential, rate)), .. also]);
        static Edge[] Arrivals(double rate, string count) =>
            [
                new("idle", [Busy(rate, new Assignment(count, 1))]) { Action = "in" },
                new("busy", [new("busy", 1, [new(count, Of(count) + 1)])]) { Action = "in" },
            ];
        Destination[] Served(double rate, string count) =>
            [Busy(rate, new Assignment(count, Of(count) - 1)), new("idle", 1, [new(count, 0)])];
        return new()
        {
            Name = "tandem",
            Variables = [new("q2", VariableType.Integer, 1)],
            Automata =
            [
                Timed("source", 3, true, [], [Busy(3)], "start"),
                Timed(
                    "first",
                    2,
                    Of("q1") > 1,
                    [new("q1", VariableType.Integer)],
                    Served(2, "q1"),
                    "idle",
                    Arrivals(2, "q1")
                ),
                Timed("second", 6, Of("q2") > 1, [], Served(6, "q2"), "start", Arrivals(6, "q2")),
            ],
            Synchronisations =
            [
                new("arrival", [new("source", "out"), new("first", "in")]),
                new("between", [new("first", "out"), new("second", "in")]),
                new("end", [new("second", "out")]),
            ],
        };
    }

    /// <summary>The same two queues as a chain: one clock to the next of the three events, whichever it is.</summary>
    public static AutomataNetwork MemorylessTandem()
    {
        var next = new Assignment(
            "d",
            Draw(Distribution.Exponential, 3 + If(Of("q1") > 0, 2, 0) + If(Of("q2") > 0, 6, 0))
        )
        {
            Order = 1,
        };
        return new()
        {
            Name = "tandem",
            Variables = [new("q1", VariableType.Integer), new("q2", VariableType.Integer, 1)],
            Automata =
            [
                new()
                {
                    Name = "both queues",
                    Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                    Locations = [new("start", Of("c") <= 0), new("go", Of("c") <= Of("d"))],
                    InitialLocation = "start",
                    Edges =
                    [
                        new("start", [new("go", 1, [next])]),
                        new(
                            "go",
                            [
                                new("go", 3, [new("q1", Of("q1") + 1), new("c", 0), next]),
                                new(
                                    "go",
                                    If(Of("q1") > 0, 2, 0),
                                    [new("q1", Of("q1") - 1), new("q2", Of("q2") + 1), new("c", 0), next]
                                ),
                                new("go", If(Of("q2") > 0, 6, 0), [new("q2", Of("q2") - 1), new("c", 0), next]),
                            ]
                        )
                        {
                            Guard = Of("c") >= Of("d"),
                        },
                    ],
                },
            ],
        };
    }
}
