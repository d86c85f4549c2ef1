using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Tests.Exchange;

public sealed class JaniTests
{
    // Accepted by the loader of momba, an implementation by others.
    private const string PublishLatency = """
        {"jani-version":1,"name":"publish-latency","type":"sta","features":["derived-operators"],
         "actions":[{"name":"net"},{"name":"broker"},{"name":"ack"}],"constants":[{"name":"T","type":"real"}],
         "variables":[{"name":"done","type":"bool","initial-value":false}],
         "properties":[{"name":"P_lat","expression":{"op":"filter","fun":"max","states":{"op":"initial"},
           "values":{"op":"Pmax","exp":{"op":"F","exp":"done","time-bounds":{"upper":"T"}}}}}],
         "automata":[{"name":"Publish","variables":[{"name":"c","type":"clock","initial-value":0},{"name":"d","type":"real","initial-value":0}],
          "locations":[{"name":"start","time-progress":{"exp":{"op":"≤","left":"c","right":0}}},
           {"name":"network","time-progress":{"exp":{"op":"≤","left":"c","right":"d"}}},{"name":"service","time-progress":{"exp":{"op":"≤","left":"c","right":"d"}}},
           {"name":"reply","time-progress":{"exp":{"op":"≤","left":"c","right":"d"}}},{"name":"end"}],"initial-locations":["start"],
          "edges":[{"location":"start","destinations":[{"location":"network","assignments":[{"ref":"c","value":0},{"ref":"d","value":{"distribution":"Normal","args":[10,2]}}]}]},
           {"location":"network","action":"net","guard":{"exp":{"op":"≥","left":"c","right":"d"}},"destinations":[{"location":"service","assignments":[{"ref":"c","value":0},{"ref":"d","value":{"distribution":"Exponential","args":[0.5]}}]}]},
           {"location":"service","action":"broker","guard":{"exp":{"op":"≥","left":"c","right":"d"}},"destinations":[{"location":"reply","assignments":[{"ref":"c","value":0},{"ref":"d","value":{"distribution":"Uniform","args":[0,4]}}]}]},
           {"location":"reply","action":"ack","guard":{"exp":{"op":"≥","left":"c","right":"d"}},"destinations":[{"location":"end","assignments":[{"ref":"done","value":true}]}]}]}],
         "system":{"elements":[{"automaton":"Publish"}],"syncs":[{"synchronise":["net"],"result":"net"},{"synchronise":["broker"],"result":"broker"},{"synchronise":["ack"],"result":"ack"}]}}
        """;

    private static NetworkModel Parse(string text, params (string Name, double Value)[] constants) =>
        JaniReader.Parse(
            Encoding.UTF8.GetBytes(text),
            "model.jani",
            constants.ToDictionary(pair => pair.Name, pair => pair.Value)
        );

    private static NetworkModel Again(NetworkModel model) => JaniReader.Parse(JaniWriter.ToBytes(model), "again.jani");

    // P(N(10,2) + Exp(.5) + U(0,4) <= 16) = .768357; 60 000 runs, 3 sigma = .0052, false alarm .003, fixed seed.
    [Test]
    public void A_model_written_by_hand_gives_its_known_probability()
    {
        var model = Parse(PublishLatency, ("T", 16));
        var monitor = new PropertyMonitor(new NetworkSimulator(model.Network), model.Property("P_lat"));
        var hits = 0.0;
        for (ulong replication = 0; replication < 60_000; replication++)
            hits += monitor.Replicate(11, replication);
        Assert.That(hits / 60_000, Is.EqualTo(.768357).Within(.0052));
    }

    [TestCase(
        "\"type\":\"sta\"",
        "\"type\":\"mdp\"",
        "model.jani:1: type: the model type \"mdp\" is not supported; allowed: \"sta\""
    )]
    [TestCase("derived-operators", "functions", "features[0]: the feature \"functions\" is not supported")]
    [TestCase(
        "\"distribution\":\"Uniform\"",
        "\"distribution\":\"Cauchy\"",
        "the distribution \"Cauchy\" is not supported"
    )]
    [TestCase("\"op\":\"≥\"", "\"op\":\"sin\"", "the operator \"sin\" is not supported")]
    [TestCase("\"op\":\"≥\",\"left\":\"c\"", "\"op\":\">\",\"left\":\"c\"", "strict or unequal bound")]
    [TestCase("\"type\":\"bool\",\"initial-value\":false", "\"type\":\"bool\"", "has no initial value")]
    [TestCase("\"type\":\"bool\"", "\"type\":\"continuous\"", "the type \"continuous\" is not supported")]
    [TestCase("\"initial-locations\":[\"start\"]", "\"initial-locations\":[\"start\",\"end\"]", "2 initial locations")]
    [TestCase("{\"location\":\"start\",", "{\"location\":\"start\",\"rate\":{\"exp\":1},", "a rate is not allowed")]
    [TestCase(
        "{\"location\":\"network\",\"assignments\"",
        "{\"location\":\"network\",\"probability\":{\"exp\":0.5},\"assignments\"",
        "the probabilities add up to 0.5; allowed: 1"
    )]
    [TestCase(
        "{\"automaton\":\"Publish\"}",
        "{\"automaton\":\"Publish\",\"input-enable\":[\"net\"]}",
        "input-enable is not supported"
    )]
    [TestCase("\"name\":\"done\",", "\"name\":\"done\",\"transient\":true,", "transient variables are not supported")]
    [TestCase("\"elements\"", "\"parts\"", "elements: the key is missing")]
    public void What_is_outside_of_the_subset_is_refused_by_name_with_its_place(
        string from,
        string to,
        string message
    ) =>
        Assert.That(
            () => Parse(PublishLatency.Replace(from, to, StringComparison.Ordinal), ("T", 16)),
            Throws.TypeOf<InputException>().With.Message.Contains(message)
        );

    [Test]
    public void Constants_that_are_missing_or_none_are_refused()
    {
        WrongValue.AssertRefused(
            ("the constant T has no value", () => Parse(PublishLatency)),
            ("U, which is no constant", () => Parse(PublishLatency, ("T", 1), ("U", 2)))
        );
    }

    [Test]
    public void A_property_outside_of_the_subset_is_refused_when_it_is_asked_for()
    {
        foreach (
            var (to, message) in new[]
            {
                ("\"op\":\"W\"", "the path operator W is not supported"),
                ("\"op\":\"F\",\"step-bounds\":{\"upper\":3}", "step-bounds are not supported"),
            }
        )
        {
            var model = Parse(PublishLatency.Replace("\"op\":\"F\"", to, StringComparison.Ordinal), ("T", 16));
            Assert.That(() => model.Property("P_lat"), Throws.TypeOf<InputException>().With.Message.Contains(message));
        }
        Assert.That(
            () => Parse(PublishLatency, ("T", 16)).Property("Q"),
            Throws.TypeOf<InputException>().With.Message.Contains("no property Q; allowed: P_lat")
        );
        var clock = new NetworkProperty.Probability("p", new PathFormula.Eventually(Of("P.c") > 2, TimeBound.Any));
        Assert.That(
            () => new PropertyMonitor(new NetworkSimulator(SampleNetworks.Stages(1.0)), clock),
            Throws.TypeOf<InputException>().With.Message.Contains("reads a clock")
        );
    }

    [Test]
    public void Networks_and_properties_survive_the_round_trip_as_values()
    {
        NetworkProperty[] properties =
        [
            new NetworkProperty.Probability(
                "f",
                new PathFormula.Eventually(Of("done"), new(1, 16, LowerOpen: true, UpperOpen: true))
            ),
            new NetworkProperty.Probability("g", new PathFormula.Always(!Of("done"), new(0, 3))),
            new NetworkProperty.Probability("u", new PathFormula.Until(!Of("done"), Of("done"), TimeBound.Any)),
            new NetworkProperty.Expectation("e", If(Of("done"), 2, 1), Accumulate: true, Of("done"), null),
            new NetworkProperty.Expectation("t", If(Of("done"), 2, 1), Accumulate: false, null, 7.5),
        ];
        var model = new NetworkModel
        {
            Network = SampleNetworks.Stages(Draw(Distribution.Weibull, 2, 3), Draw(Distribution.Exponential, 1)),
            Properties = new(properties),
        };
        Assert.That(Again(model), Is.EqualTo(model));
        var queue = new NetworkModel { Network = SampleNetworks.Queue(.8, Draw(Distribution.Gamma, 2, 1)) };
        Assert.That(Again(queue), Is.EqualTo(queue));
    }

    private static readonly LatencyModel[] Models =
    [
        new LawLatencyModel(kind =>
            kind == MessageKind.Publish ? new LogNormalLaw(5, .5)
            : kind == MessageKind.Connect ? new NormalLaw(40, 10)
            : new ExponentialLaw(3)
        ),
        new LawLatencyModel(new EmpiricalLaw([1, 2, 2.5, 3, 10])),
        new PaperRegressionModel(
            [4, 1, 3, .5, .25, .06, .01, .4],
            [.3, .1, .2, .1, .1, .02, .005, .1],
            [true, true, true, true, true]
        ),
    ];

    [TestCaseSource(nameof(Models))]
    public void An_exported_fleet_makes_the_same_events_after_its_import(LatencyModel model)
    {
        var network = ClientNetwork.Of(
            new SimulatedFleet { Population = Population.Of(TestProfiles.Up1 with { Topics = 9 }), Clients = 4 },
            model
        );
        var back = Again(new() { Network = network }).Network;
        var (one, two) = (new NetworkSimulator(network).Start(5), new NetworkSimulator(back).Start(5));
        for (var step = 0; step < 3000; step++)
        {
            Assert.That(one.Step() && two.Step(), Is.True);
            Assert.That(
                (two.LastAutomaton, two.LastEdge, two.LocationOf(two.LastAutomaton)),
                Is.EqualTo((one.LastAutomaton, one.LastEdge, one.LocationOf(one.LastAutomaton)))
            );
            // The parameters of a named distribution are functions of a law's (a rate, the logarithm of a median).
            Assert.That(two.Now, Is.EqualTo(one.Now).Within(1e-10).Percent);
        }
    }

    // A mixture becomes weighted destinations, whose choice is drawn elsewhere: the same law from other numbers. 20 000
    // runs, 3 sigma, fixed seed.
    [Test]
    public void An_exported_mixture_keeps_its_law()
    {
        var law = new MixtureLaw([
            new(3, new LogNormalLaw(5, .5)),
            new(1, new ConstantLaw(7)),
            new(1, new UniformLaw(6, 30)),
        ]);
        var network = Again(new() { Network = SampleNetworks.Stages(1 + Draw(law)) }).Network;
        var run = new NetworkSimulator(network).Start(1);
        var counts = new int[3];
        for (ulong replication = 0; replication < 20_000; replication++)
        {
            run.Restart(3, replication);
            while (run.Step()) { }
            for (var i = 0; i < 3; i++)
                if (run.Now - 1 <= 5 + 4 * i + 1e-9)
                    counts[i]++;
        }
        for (var i = 0; i < 3; i++)
        {
            var p = law.CumulativeProbability(5 + 4 * i);
            Assert.That(counts[i] / 20_000.0, Is.EqualTo(p).Within(3 * Math.Sqrt(p * (1 - p) / 20_000)));
        }
    }

    [Test]
    [Category("Whole")]
    public void Any_network_makes_the_same_events_after_export_and_import() =>
        Check(seed =>
        {
            var network = RandomNetworks.Network(seed);
            var back = Again(new() { Network = network }).Network;
            var options = new NetworkOptions { SimultaneousSteps = SimultaneousSteps.InOrder };
            var (one, two) = (
                new NetworkSimulator(network, options).Start(seed),
                new NetworkSimulator(back, options).Start(seed)
            );
            for (var step = 0; step < 200; step++)
            {
                one.Step();
                two.Step();
                if (
                    (one.Now, one.LastAutomaton, one.LastEdge, one.LastAction, one["sum"])
                    != (two.Now, two.LastAutomaton, two.LastEdge, two.LastAction, two["sum"])
                )
                    return false;
            }
            return true;
        });

    [Test]
    public void Any_expression_has_the_same_value_after_export_and_import() =>
        Check(seed =>
        {
            var random = RandomStream.For(seed);
            var truth = random.NextInt(2) == 0;
            var expression = truth ? RandomNetworks.Truth(ref random, 4) : RandomNetworks.Number(ref random, 4);
            var network = RandomNetworks.Assigning(expression, truth ? VariableType.Boolean : VariableType.Real);
            return Result(network).Equals(Result(Again(new() { Network = network }).Network));

            static double Result(AutomataNetwork network)
            {
                var run = new NetworkSimulator(network).Start(1);
                try
                {
                    run.Step();
                    return run["result"];
                }
                catch (InputException)
                {
                    // The value is not finite; it has to be so in both.
                    return double.NaN;
                }
            }
        });

    [Test]
    public void An_empirical_law_of_many_pieces_is_refused_or_replaced_with_its_distance()
    {
        var law = new EmpiricalLaw(Enumerable.Range(0, 41).Select(i => i * (double)i));
        var network = SampleNetworks.Stages(Draw(law));
        Assert.That(
            () => JaniWriter.ToBytes(new() { Network = network }),
            Throws.TypeOf<InputException>().With.Message.Contains("an empirical law has 40 pieces; allowed: up to 16")
        );
        var (coarse, notes) = LawLowering.Lower(network, approximate: true);
        Assert.That(notes, Has.Count.EqualTo(1).And.Some.Contains("replaced by one of 16"));
        Assert.That(() => JaniWriter.ToBytes(new() { Network = coarse }), Throws.Nothing);
        var (fewer, distance) = LawLowering.Coarsen(law);
        // The distance at a million points is no larger, and almost as large.
        var seen = Enumerable
            .Range(0, 1_000_000)
            .Max(i => Math.Abs(law.CumulativeProbability(i * .0016) - fewer.CumulativeProbability(i * .0016)));
        Assert.That(distance, Is.EqualTo(seen).Within(1e-3).And.GreaterThanOrEqualTo(seen));
    }

    private static void Check(Func<ulong, bool> law) =>
        FsCheck.Check.One(
            Config.QuickThrowOnFailure.WithReplay(20260301, 1),
            Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed => law((ulong)seed))
        );
}
