using MqttCheck.Automata;
using static MqttCheck.Automata.Expression;

namespace MqttCheck.Tests.Automata;

/// <summary>Small networks with known answers.</summary>
internal static class Networks
{
    /// <summary>A queue: a source with Exp(rate) between arrivals, one server, first come first served. Shared: sojourn and wait of the last customer.</summary>
    public static AutomataNetwork Queue(double rate, Expression service) => new()
    {
        Name = "queue",
        Variables =
        [
            new("t", VariableType.Clock), new("arrival", VariableType.Real, Length: 4096), new("in", VariableType.Integer), new("out", VariableType.Integer),
            new("wait", VariableType.Real), new("sojourn", VariableType.Real),
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
                    new("away", [new("away", 1,
                    [
                        new("arrival", Of("t")) { Element = Of("in") % 4096 }, new("in", Of("in") + 1),
                        new("c", 0), new("d", Draw(Distribution.Exponential, rate)),
                    ])]) { Guard = Of("c") >= Of("d") },
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
                    new("idle", [new("busy", 1,
                    [
                        new("wait", Of("t") - At("arrival", Of("out") % 4096)), new("c", 0), new("d", service),
                    ])]) { Guard = Of("in") > Of("out") },
                    new("busy", [new("idle", 1,
                    [
                        new("sojourn", Of("t") - At("arrival", Of("out") % 4096)), new("out", Of("out") + 1),
                    ])]) { Guard = Of("c") >= Of("d") },
                ],
            },
        ],
    };

    /// <summary>One automaton that stays in its locations for the given times, one after the other, and ends in the location <c>end</c> with the shared variable <c>done</c> set.</summary>
    public static AutomataNetwork Stages(params Expression[] times) => new()
    {
        Name = "stages",
        Variables = [new("done", VariableType.Boolean)],
        Automata =
        [
            new()
            {
                Name = "P",
                Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                Locations = [new("start", Of("c") <= 0), .. times.Select((_, i) => new Location($"stage{i}", Of("c") <= Of("d"))), new("end")],
                InitialLocation = "start",
                Edges =
                [
                    new("start", [new("stage0", 1, [new("c", 0), new("d", times[0])])]),
                    .. times.Select((_, i) => new Edge($"stage{i}", i + 1 < times.Length
                        ? [new($"stage{i + 1}", 1, [new("c", 0), new("d", times[i + 1])])]
                        : [new("end", 1, [new("done", true)])]) { Guard = Of("c") >= Of("d") }),
                ],
            },
        ],
    };
}
