using MqttCheck.Automata.Networks;
using MqttCheck.Statistics;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Tests.Exchange;

/// <summary>Networks and expressions from a seed, for laws that hold for all of them.</summary>
internal static class RandomNetworks
{
    public static readonly VariableDeclaration[] Variables =
    [
        new("i", VariableType.Integer, 3),
        new("j", VariableType.Integer, -2) { LowerBound = -5, UpperBound = 5 },
        new("x", VariableType.Real, .25),
        new("p", VariableType.Boolean, 1),
        new("array", VariableType.Integer, 2, Length: 3),
    ];

    /// <summary>A number: over the variables above, defined everywhere.</summary>
    public static Expression Number(ref RandomStream random, int depth)
    {
        if (depth == 0)
        {
            return random.NextInt(6) switch
            {
                0 => Of("i"),
                1 => Of("j"),
                2 => Of("x"),
                3 => At("array", random.NextInt(3)),
                4 => random.NextInt(9) - 4,
                _ => Math.Round(random.NextDouble() * 10, 3),
            };
        }
        var left = Number(ref random, depth - 1);
        var right = Number(ref random, depth - 1);
        return random.NextInt(10) switch
        {
            0 => left + right,
            1 => left - right,
            2 => left * right,
            3 => left / Max(1, right),
            4 => left % Max(1, right),
            5 => Min(left, right),
            6 => new Unary(UnaryOperator.Floor, left),
            7 => new Unary(UnaryOperator.Absolute, left) + new Unary(UnaryOperator.Ceiling, right),
            8 => new Binary(BinaryOperator.Power, new Unary(UnaryOperator.Absolute, left), .5)
                + new Binary(BinaryOperator.Logarithm, Max(1, right), 2),
            _ => If(Truth(ref random, depth - 1), left, right),
        };
    }

    /// <summary>A truth value.</summary>
    public static Expression Truth(ref RandomStream random, int depth)
    {
        if (depth == 0)
            return random.NextInt(2) == 0 ? Of("p") : random.NextInt(2) == 0;
        return random.NextInt(9) switch
        {
            0 => Number(ref random, depth - 1) < Number(ref random, depth - 1),
            1 => Number(ref random, depth - 1) >= Number(ref random, depth - 1),
            2 => Number(ref random, depth - 1).IsNot(Number(ref random, depth - 1)),
            3 => Truth(ref random, depth - 1) & Truth(ref random, depth - 1),
            4 => Truth(ref random, depth - 1) | Truth(ref random, depth - 1),
            5 => !Truth(ref random, depth - 1),
            6 => new Binary(BinaryOperator.Implies, Truth(ref random, depth - 1), Truth(ref random, depth - 1)),
            7 => Truth(ref random, depth - 1).Is(Truth(ref random, depth - 1)),
            _ => If(Truth(ref random, depth - 1), Truth(ref random, depth - 1), Truth(ref random, depth - 1)),
        };
    }

    /// <summary>A network that assigns an expression after one unit of time.</summary>
    public static AutomataNetwork Assigning(Expression value, VariableType type) =>
        new()
        {
            Name = "assigning",
            Variables = [.. Variables, new("result", type)],
            Automata =
            [
                new()
                {
                    Name = "A",
                    Variables = [new("c", VariableType.Clock)],
                    Locations = [new("l", Of("c") <= 1), new("end")],
                    InitialLocation = "l",
                    Edges = [new("l", [new("end", 1, [new("result", value)])]) { Guard = Of("c") >= 1 }],
                },
            ],
        };

    /// <summary>
    /// A network of one to three automata that go through their locations for ever; some hand-overs are
    /// synchronisations.
    /// </summary>
    public static AutomataNetwork Network(ulong seed)
    {
        var random = RandomStream.For(seed);
        var automata = new List<StochasticTimedAutomaton>();
        var synchronisations = new List<Synchronisation>();
        for (var a = 1 + random.NextInt(3); a > 0; a--)
            automata.Add(Automaton($"A{a}", ref random));
        if (automata.Count > 1 && random.NextInt(2) == 0)
        {
            // The first automaton's last edge takes the second one along, wherever that is.
            automata[0] = automata[0] with
            {
                Edges = [.. automata[0].Edges.SkipLast(1), automata[0].Edges[^1] with { Action = "go" }],
            };
            automata[1] = automata[1] with
            {
                Edges =
                [
                    .. automata[1].Edges,
                    .. automata[1]
                        .Locations.Select(location => new Edge(
                            location.Name,
                            [new(location.Name, 1, [new("shared", Of("shared") + 1) { Order = 3 }])]
                        )
                        {
                            Action = "along",
                        }),
                ],
            };
            synchronisations.Add(
                new(
                    random.NextInt(2) == 0 ? "together" : null,
                    [new(automata[0].Name, "go"), new(automata[1].Name, "along")]
                )
            );
        }
        return new()
        {
            Name = "random",
            Variables = [new("shared", VariableType.Integer), new("sum", VariableType.Real, 1.5)],
            Automata = [.. automata],
            Synchronisations = [.. synchronisations],
        };
    }

    private static StochasticTimedAutomaton Automaton(string name, ref RandomStream random)
    {
        var count = 2 + random.NextInt(3);
        var edges = new List<Edge>();
        for (var from = 0; from < count; from++)
        {
            var destinations = new List<Destination>();
            for (var k = 1 + random.NextInt(3); k > 0; k--)
            {
                destinations.Add(
                    new(
                        Location(random.NextInt(count)),
                        1 + random.NextInt(5),
                        [
                            new("c", 0),
                            new("d", .001 + Max(0, Sample(ref random))),
                            new("n", Of("n") + Of("shared")) { Order = 1 + random.NextInt(2) },
                            new("shared", If(Of("shared") > 1000, 0, Of("shared") + Of("n") % 7)),
                            new("sum", Of("sum") / 2 + Of("d")) { Order = 2 },
                        ]
                    )
                );
            }
            edges.Add(new(Location(from), [.. destinations]) { Guard = Of("c") >= Of("d") });
        }
        return new()
        {
            Name = name,
            Variables =
            [
                new("c", VariableType.Clock),
                new("d", VariableType.Real, random.NextInt(3)),
                new("n", VariableType.Integer),
            ],
            Locations = [.. Enumerable.Range(0, count).Select(i => new Location(Location(i), Of("c") <= Of("d")))],
            InitialLocation = Location(0),
            Edges = [.. edges],
        };

        static string Location(int i) => $"l{i}";
    }

    private static Expression Sample(ref RandomStream random) =>
        random.NextInt(11) switch
        {
            0 => Draw(Distribution.Uniform, 1, 4),
            1 => Draw(Distribution.DiscreteUniform, 0, 3) + Draw(Distribution.Uniform, 0, .5),
            2 => Draw(Distribution.Exponential, 1 / (1 + Of("sum") % 3)),
            3 => Draw(Distribution.Normal, 3, .5),
            4 => Draw(Distribution.LogNormal, 0, .5),
            5 => Draw(Distribution.Erlang, 3, 2),
            6 => Draw(Distribution.Gamma, .7, 2),
            7 => Draw(Distribution.Weibull, 1.5, 2),
            8 => Draw(Distribution.Pareto, 1, 3),
            9 => Draw(Distribution.Triangular, 1, 5, 2),
            _ => Draw(Distribution.Bernoulli, .5) + Draw(Distribution.Exponential, 2),
        };
}
