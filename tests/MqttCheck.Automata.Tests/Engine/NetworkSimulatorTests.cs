using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Tests.Engine;

[TestFixture]
internal sealed class NetworkSimulatorTests
{
    // M/M/1, arrivals .8, service 1: the sojourn time is exponential with rate .2. M/D/1, rho .8: P(wait <= 0/1/2/3) by
    // Crommelin's formula. 400 000 customers, the first 20 000 left out; 40 batches give the standard error, of which 3
    // are allowed (false alarm .003 per value; the seed is fixed).
    [TestCase("M/M/1", new[] { 1.0, 5, 10 }, new[] { .181269, .632121, .864665 })]
    [TestCase("M/D/1", new[] { 1e-9, 1, 2, 3 }, new[] { .2, .445108, .634520, .762100 })]
    public void A_queue_has_the_known_laws_of_its_times(string queue, double[] thresholds, double[] expected)
    {
        var markov = queue == "M/M/1";
        var simulator = new NetworkSimulator(SampleNetworks.Queue(.8, markov ? Draw(Distribution.Exponential, 1) : 1));
        var quantity = simulator.Compile(Of(markov ? "sojourn" : "wait"), "test");
        var run = simulator.Start(seed: 3);
        var values = new List<double>();
        while (values.Count < 400_000)
        {
            run.Step();
            if (run.LastAutomaton == 1 && run.LastEdge == (markov ? 1 : 0))
                values.Add(quantity(run));
        }
        for (var i = 0; i < thresholds.Length; i++)
        {
            // An arrival at the very time of a departure waits 0 up to rounding; times between are far apart from the
            // thresholds.
            var batches = values
                .Skip(20_000)
                .Chunk(9_500)
                .Select(batch => batch.Count(value => value <= thresholds[i] + 1e-9) / 9_500.0)
                .ToArray();
            var mean = batches.Average();
            var error = Math.Sqrt(
                batches.Sum(batch => (batch - mean) * (batch - mean)) / (batches.Length - 1) / batches.Length
            );
            Assert.That(mean, Is.EqualTo(expected[i]).Within(3 * error), $"at {thresholds[i]}");
        }
    }

    // P(Exp(.2) < U(0, 10)) = .567668: two automata race, and a synchronisation tells the loser. 100 000 runs, 3 sigma
    // = .0047.
    [Test]
    public void Of_two_automata_that_race_the_first_one_stops_the_other()
    {
        StochasticTimedAutomaton Racer(string name, Expression time, string other) =>
            new()
            {
                Name = name,
                Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                Locations = [new("start", Of("c") <= 0), new("run", Of("c") <= Of("d")), new("end")],
                InitialLocation = "start",
                Edges =
                [
                    new("start", [new("run", 1, [new("c", 0), new("d", time)])]),
                    new("run", [new("end", 1, [])]) { Action = "win", Guard = Of("c") >= Of("d") },
                    new("run", [new("end", 1, [])]) { Action = "lose" },
                ],
            };
        var network = new AutomataNetwork
        {
            Name = "race",
            Automata =
            [
                Racer("A", Draw(Distribution.Exponential, .2), "B"),
                Racer("B", Draw(Distribution.Uniform, 0, 10), "A"),
            ],
            Synchronisations =
            [
                new("A wins", [new("A", "win"), new("B", "lose")]),
                new("B wins", [new("B", "win"), new("A", "lose")]),
            ],
        };
        var run = new NetworkSimulator(network).Start(7);
        var wins = 0;
        for (ulong replication = 0; replication < 100_000; replication++)
        {
            run.Restart(7, replication);
            while (run.Step())
            {
                if (run.LastAction == "A wins")
                    wins++;
            }
            Assert.That(run.Steps, Is.EqualTo(3));
        }
        Assert.That(wins / 100_000.0, Is.EqualTo(.567668).Within(.0047));
    }

    [Test]
    public void Assignments_of_a_group_are_made_at_once_and_groups_in_order()
    {
        var network = new AutomataNetwork
        {
            Name = "swap",
            Variables =
            [
                new("a", VariableType.Integer, 1),
                new("b", VariableType.Integer, 2),
                new("sum", VariableType.Integer),
            ],
            Automata =
            [
                new()
                {
                    Name = "P",
                    Variables = [new("c", VariableType.Clock)],
                    Locations = [new("l", Of("c") <= 1), new("m")],
                    InitialLocation = "l",
                    Edges =
                    [
                        new(
                            "l",
                            [
                                new(
                                    "m",
                                    1,
                                    [
                                        new("sum", Of("a") * 10 + Of("b")) { Order = 1 },
                                        new("a", Of("b")),
                                        new("b", Of("a")),
                                    ]
                                ),
                            ]
                        )
                        {
                            Guard = Of("c") >= 1,
                        },
                    ],
                },
            ],
        };
        var run = new NetworkSimulator(network).Start(1);
        Assert.That((run.Step(), run["a"], run["b"], run["sum"], run.Now), Is.EqualTo((true, 2.0, 1.0, 21.0, 1.0)));
        Assert.That(run.Step(), Is.False);
    }

    [Test]
    public void Weights_decide_among_destinations()
    {
        var network = new AutomataNetwork
        {
            Name = "die",
            Variables = [new("n", VariableType.Integer, Length: 3)],
            Automata =
            [
                new()
                {
                    Name = "P",
                    Variables = [new("c", VariableType.Clock)],
                    Locations = [new("l", Of("c") <= 1)],
                    InitialLocation = "l",
                    Edges =
                    [
                        new(
                            "l",
                            [
                                .. Enumerable
                                    .Range(0, 3)
                                    .Select(i => new Destination(
                                        "l",
                                        2 * i,
                                        [new("c", 0), new("n", At("n", i) + 1) { Element = i }]
                                    )),
                            ]
                        )
                        {
                            Guard = Of("c") >= 1,
                        },
                    ],
                },
            ],
        };
        var simulator = new NetworkSimulator(network);
        var count = simulator.Compile(At("n", 1), "test");
        var never = simulator.Compile(At("n", 0), "test");
        var run = simulator.Start(1);
        for (var i = 0; i < 30_000; i++)
            run.Step();
        Assert.That(never(run), Is.Zero);
        Assert.That(count(run), Is.EqualTo(10_000).Within(3 * Math.Sqrt(30_000 * 2 / 9.0)));
    }

    [TestCase(true)]
    [TestCase(false)]
    public void Steps_allocate_nothing(bool alone)
    {
        var run = new NetworkSimulator(
            alone ? SampleNetworks.Queue(.8, Draw(Distribution.Exponential, 1)) : SampleNetworks.Tandem()
        ).Start(1);
        for (var i = 0; i < 10_000; i++)
            run.Step();
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100_000; i++)
            run.Step();
        Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(4096), "a list may still grow");
    }

    [Test]
    public void The_same_seed_gives_the_same_run_and_a_copy_goes_on_alike()
    {
        var simulator = new NetworkSimulator(SampleNetworks.Queue(.8, Draw(Distribution.Gamma, 2, 2)));
        var (one, two) = (simulator.Start(9), simulator.Start(9));
        for (var i = 0; i < 1000; i++)
        {
            one.Step();
            two.Step();
        }
        var copy = simulator.Start(1);
        copy.CopyFrom(one);
        for (var i = 0; i < 1000; i++)
        {
            one.Step();
            two.Step();
            copy.Step();
        }
        Assert.That((two.Now, two["in"], two["sojourn"]), Is.EqualTo((one.Now, one["in"], one["sojourn"])));
        Assert.That((copy.Now, copy["in"], copy["sojourn"]), Is.EqualTo((one.Now, one["in"], one["sojourn"])));
    }

    private static IEnumerable<TestCaseData> Undecided()
    {
        var leave = new Edge("l", [new("end", 1, [])]) { Guard = Of("c") >= 1 };
        var count = new Edge("l", [new("end", 1, [new("x", Of("x") + 1)])]) { Guard = Of("c") >= 1 };
        (string Message, NetworkOptions? Options, StochasticTimedAutomaton[] Automata)[] cases =
        [
            (
                "time-lock: location l of P must be left at time 2",
                null,
                [One("P", new("l", Of("c") <= 2), leave with { Guard = Of("c") >= 3 })]
            ),
            ("no invariant says when it is taken before 2", null, [One("P", new("l", Of("c") <= 2), leave)]),
            (
                "can be taken in 2 ways at time 1 (edge 0 of P, edge 1 of P)",
                null,
                [One("P", new("l", Of("c") <= 1), leave, leave)]
            ),
            (
                "Zeno loop: 1000 steps at time 0, now in location l of P",
                new() { MaximumStepsAtOnce = 1000 },
                [One("P", new("l", Of("c") <= 0), new Edge("l", [new("l", 1, [])]))]
            ),
            (
                "stopped after 50 steps",
                new() { MaximumSteps = 50 },
                [One("P", new("l", Of("c") <= 1), new Edge("l", [new("l", 1, [new("c", 0)])]) { Guard = Of("c") >= 1 })]
            ),
            (
                "influence each other",
                null,
                [One("P", new("l", Of("c") <= 1), count), One("Q", new("l", Of("c") <= 1), count)]
            ),
            (
                "x of P gets the value 6; allowed: an integer in -Infinity .. 5",
                null,
                [One("P", new("l", Of("c") <= 1), leave with { Destinations = [new("end", 1, [new("x", 6)])] })]
            ),
            (
                "add up to 0",
                null,
                [One("P", new("l", Of("c") <= 1), leave with { Destinations = [new("end", 0, []), new("l", 0, [])] })]
            ),
            (
                "Exponential(-1) cannot be drawn from",
                null,
                [
                    One(
                        "P",
                        new("l", Of("c") <= 1),
                        leave with
                        {
                            Destinations = [new("end", 1, [new("d", Draw(Distribution.Exponential, -1))])],
                        }
                    ),
                ]
            ),
        ];
        return cases.Select(one => new TestCaseData(one.Message, one.Options, one.Automata) { TestName = one.Message });

        StochasticTimedAutomaton One(string name, Location first, params Edge[] edges) =>
            new()
            {
                Name = name,
                Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                Locations = [first, new("end")],
                InitialLocation = first.Name,
                Edges = new(edges),
            };
    }

    [TestCaseSource(nameof(Undecided))]
    public void A_network_that_says_neither_when_nor_what_is_an_error_at_its_place(
        string message,
        NetworkOptions? options,
        StochasticTimedAutomaton[] automata
    )
    {
        var network = new AutomataNetwork
        {
            Name = "n",
            Variables = [new("x", VariableType.Integer) { UpperBound = 5 }],
            Automata = new(automata),
        };
        Assert.That(
            () =>
            {
                var run = new NetworkSimulator(network, options).Start(1);
                while (run.Step()) { }
            },
            Throws.TypeOf<InputException>().With.Message.Contains(message)
        );
    }

    [Test]
    public void Independent_steps_at_the_same_time_are_no_error_and_dependent_ones_may_be_resolved()
    {
        var stages = SampleNetworks.Stages(1.0).Automata[0];
        var network = SampleNetworks.Stages(1.0) with
        {
            Automata =
            [
                stages with
                {
                    Edges = [.. stages.Edges.Take(1), stages.Edges[1] with { Destinations = [new("end", 1, [])] }],
                },
                stages with
                {
                    Name = "Q",
                },
            ],
        };
        var run = new NetworkSimulator(network).Start(1);
        while (run.Step()) { }
        Assert.That((run.Now, run["done"], run.Steps), Is.EqualTo((1.0, 1.0, 4)));
        var both = SampleNetworks.Stages(1.0) with { Automata = [stages, stages with { Name = "Q" }] };
        foreach (var how in new[] { SimultaneousSteps.InOrder, SimultaneousSteps.Uniform })
        {
            var resolved = new NetworkSimulator(both, new() { SimultaneousSteps = how }).Start(1);
            while (resolved.Step()) { }
            Assert.That(resolved.Steps, Is.EqualTo(4));
        }
    }

    [Test]
    public void A_wrong_network_is_refused_with_every_finding()
    {
        var network = SampleNetworks.Stages(1.0) with
        {
            Automata =
            [
                new()
                {
                    Name = "P",
                    Variables = [new("c", VariableType.Clock), new("c", VariableType.Real)],
                    Locations = [new("l", Of("c") >= 1), new("m", Of("c") < 1)],
                    InitialLocation = "nowhere",
                    Edges =
                    [
                        new("l", [new("elsewhere", 1, [new("done", Of("missing")), new("c", 3)])])
                        {
                            Guard = Of("c") + 1 >= 2,
                        },
                        new(
                            "m",
                            [new("m", Draw(Distribution.Bernoulli, .5), [new("done", Draw(Distribution.Uniform, 1))])]
                        )
                        {
                            Action = "a",
                        },
                    ],
                },
            ],
            Synchronisations = [new("s", [new("Q", "a"), new("P", "b")])],
        };
        var message = Assert.Throws<InputException>(() => _ = new NetworkSimulator(network)).Message;
        foreach (
            var part in new[]
            {
                "the variable c is declared twice",
                "there is no location nowhere",
                "bounds a clock from below",
                "strict or unequal bound",
                "there is no location elsewhere",
                "there is no variable missing",
                "the clock c is set to 3",
                "is no bound on a clock",
                "draws a random number",
                "has 1 parameters; allowed: 2",
                "there is no automaton Q",
                "has no edge with the action b",
            }
        )
            Assert.That(message, Does.Contain(part));
    }

    [Test]
    public void Networks_print_and_draw()
    {
        var network = SampleNetworks.Queue(.8, Draw(Distribution.Exponential, 1));
        Assert.That(
            network.ToString(),
            Does.Contain("location busy while (c <= d)")
                .And.Contain("edge idle when (in > out)")
                .And.Contain("d = Exponential(0.8)")
        );
        var dot = DotWriter.ToDot(network);
        Assert.That(
            dot,
            Does.StartWith("digraph \"queue\" {").And.Contain("\"server.idle\" -> \"server.busy\" [label=")
        );
        Assert.That(
            network,
            Is.EqualTo(SampleNetworks.Queue(.8, Draw(Distribution.Exponential, 1))),
            "networks are values"
        );
    }
}
