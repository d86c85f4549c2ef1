using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Automata.Splitting;
using MqttCheck.Latency.Models;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Tests.Splitting;

internal sealed class ImportanceSplittingTests
{
    private static NetworkProperty.Probability Overflow(int capacity) =>
        new("overflow", new PathFormula.Until(Of("q2") > 0, Of("q2") >= capacity, TimeBound.Any));

    // P(q2 reaches c before 0), from the linear equations of the chain: c = 8: 5.605e-6, c = 10: 3.148e-7. Three
    // standard errors are allowed (false alarm .003, the seed is fixed); what is reached in ten seconds is measured by
    // the benchmark "splitting". Levels of fixed effort have a heavy tail here: of 24 seeds with twenty repetitions one
    // is 3.8 times too high. With 160 the standard error of twelve seeds is .07 to .17.
    [TestCase(8, 5.605e-6, SplittingMethod.FixedEffort)]
    [TestCase(10, 3.148e-7, SplittingMethod.FixedEffort)]
    [TestCase(8, 5.605e-6, SplittingMethod.Restart)]
    [Category("Whole")]
    public void A_full_queue_of_a_tandem_has_its_known_probability(
        int capacity,
        double expected,
        SplittingMethod method
    )
    {
        var simulator = new NetworkSimulator(SampleNetworks.Tandem());
        var options = new SplittingOptions
        {
            Method = method,
            Effort = 1_000,
            Repetitions = method == SplittingMethod.Restart ? 20 : 160,
            Seed = 5,
        };
        var estimate = ImportanceSplitting.Estimate(simulator, Overflow(capacity), options);
        TestContext.Out.WriteLine(
            $"{estimate.Probability:G4} +- "
                + $"{estimate.StandardError / estimate.Probability:P1}, {estimate.Steps} steps, "
                + $"levels {string.Join(' ', estimate.Thresholds.Select(t => t.ToString("G3")))}"
        );
        Assert.That(estimate.Probability, Is.EqualTo(expected).Within(3 * estimate.StandardError));
        Assert.That(estimate.StandardError, Is.LessThan(.25 * expected));
        Assert.That(estimate.ApproximateInterval(.9999).Contains(expected), Is.True);
    }

    // The same queues, in which every step draws the time to the next one anew, so that copies of a run share no time
    // that is already drawn: three standard errors, and ten per cent. Seed 4.
    [TestCase(8, 5.605e-6, SplittingMethod.FixedEffort)]
    [TestCase(10, 3.148e-7, SplittingMethod.FixedEffort)]
    [TestCase(8, 5.605e-6, SplittingMethod.Restart)]
    [TestCase(10, 3.148e-7, SplittingMethod.Restart)]
    [Category("Whole")]
    public void Without_memory_few_runs_find_it_within_ten_per_cent(
        int capacity,
        double expected,
        SplittingMethod method
    )
    {
        var options = new SplittingOptions
        {
            Method = method,
            Effort = method == SplittingMethod.Restart ? 8_000 : 3_000,
            Repetitions = 20,
            Seed = 4,
        };
        var estimate = ImportanceSplitting.Estimate(
            new NetworkSimulator(SampleNetworks.MemorylessTandem()),
            Overflow(capacity),
            options
        );
        TestContext.Out.WriteLine(
            $"{estimate.Probability:G4} +- {estimate.StandardError / estimate.Probability:P1}, {estimate.Steps} steps"
        );
        Assert.That(
            estimate.Probability,
            Is.EqualTo(expected).Within(Math.Min(3 * estimate.StandardError, .1 * expected))
        );
        Assert.That(estimate.StandardError, Is.LessThan(.06 * expected));
    }

    [Test]
    public void A_level_and_its_thresholds_may_be_given()
    {
        var simulator = new NetworkSimulator(SampleNetworks.Tandem());
        var options = new SplittingOptions
        {
            Level = Of("q2"),
            Thresholds = [2, 3, 4],
            Effort = 2_000,
            Repetitions = 10,
        };
        var estimate = ImportanceSplitting.Estimate(simulator, Overflow(5), options);
        Assert.That(estimate.Thresholds, Is.EqualTo(new[] { 2.0, 3, 4 }));
        // The same without splitting: 200 000 runs.
        var monitor = new PropertyMonitor(simulator, Overflow(5));
        var plain = Enumerable.Range(0, 200_000).Sum(replication => monitor.Replicate(2, (ulong)replication)) / 200_000;
        Assert.That(
            estimate.Probability,
            Is.EqualTo(plain).Within(3 * Math.Sqrt(plain / 200_000 + estimate.StandardError * estimate.StandardError))
        );
    }

    [Test]
    public void A_time_bound_and_a_jump_over_levels_do_no_harm()
    {
        // P(three stages of Exp(1) take at most .3) = 1 - e^-.3 (1 + .3 + .3^2/2) = 3.5995e-3: the level is the number
        // of stages done.
        var stages = SampleNetworks.Stages(
            Draw(Distribution.Exponential, 1),
            Draw(Distribution.Exponential, 1),
            Draw(Distribution.Exponential, 1)
        );
        var automaton = stages.Automata[0];
        var counted = stages with
        {
            Variables = [.. stages.Variables, new("stage", VariableType.Integer)],
            Automata =
            [
                automaton with
                {
                    Edges =
                    [
                        .. automaton.Edges.Select(edge =>
                            edge with
                            {
                                Destinations =
                                [
                                    edge.Destinations[0] with
                                    {
                                        Assignments =
                                        [
                                            .. edge.Destinations[0].Assignments,
                                            new("stage", Of("stage") + 1),
                                        ],
                                    },
                                ],
                            }
                        ),
                    ],
                },
            ],
        };
        var property = new NetworkProperty.Probability("p", new PathFormula.Eventually(Of("stage") >= 4, new(0, .3)));
        foreach (var method in Enum.GetValues<SplittingMethod>())
        {
            var estimate = ImportanceSplitting.Estimate(
                new NetworkSimulator(counted),
                property,
                new() { Method = method, Effort = 3_000 }
            );
            Assert.That(estimate.Probability, Is.EqualTo(3.5995e-3).Within(3 * estimate.StandardError));
            Assert.That(estimate.StandardError, Is.LessThan(3e-4));
        }
    }

    // A client alone, latencies LogN(0, .5): P(one of ten takes at least e^2.5 ms) = 1 - Phi(5)^10 = 2.8665e-6.
    [Test]
    public void A_slow_message_has_its_known_probability()
    {
        var setup = new SimulatedFleet { Population = Population.Of(TestProfiles.Up1), Clients = 1 };
        var (network, property, level, _) = ClientNetwork.Late(
            setup,
            new LawLatencyModel(new LogNormalLaw(1, .5)),
            Math.Exp(2.5)
        );
        var estimate = ImportanceSplitting.Estimate(
            new NetworkSimulator(network),
            property,
            new() { Level = level, Effort = 400 }
        );
        TestContext.Out.WriteLine(
            $"{estimate.Probability:G4} +- {estimate.StandardError / estimate.Probability:P1}, "
                + $"{estimate.Steps} steps, {estimate.Thresholds.Count} levels"
        );
        Assert.That(estimate.Probability, Is.EqualTo(2.8665e-6).Within(3 * estimate.StandardError));
        Assert.That(estimate.StandardError, Is.LessThan(.2 * 2.8665e-6));
    }

    // Latencies that depend on the load, not rare, so that plain simulation gives the same: the stages reveal a latency
    // without changing its law.
    [Test]
    public void Revealing_latencies_in_stages_changes_no_law()
    {
        var setup = new SimulatedFleet
        {
            Population = Population.Of(TestProfiles.Up2 with { Topics = 5 }),
            Clients = 6,
        };
        var regression = new PaperRegressionModel(
            [4, 1, 3, .5, .25, .8, .01, .4],
            [1, .5, .2, .1, .1, .2, .005, .1],
            [true, true, true, true, true]
        );
        var (network, property, level, _) = ClientNetwork.Late(setup, regression, 12);
        var monitor = new PropertyMonitor(new NetworkSimulator(ClientNetwork.Of(setup, regression)), property);
        var plain = Enumerable.Range(0, 4_000).Sum(replication => monitor.Replicate(2, (ulong)replication)) / 4_000;
        var estimate = ImportanceSplitting.Estimate(
            new NetworkSimulator(network),
            property,
            new()
            {
                Level = level,
                Effort = 300,
                Repetitions = 10,
            }
        );
        TestContext.Out.WriteLine(
            $"{plain:G4}; {estimate.Probability:G4} +- "
                + $"{estimate.StandardError / estimate.Probability:P1}, "
                + $"{estimate.Steps} steps, {estimate.Thresholds.Count} levels"
        );
        Assert.That(
            estimate.Probability,
            Is.EqualTo(plain).Within(3 * Math.Sqrt(plain / 4_000 + estimate.StandardError * estimate.StandardError))
        );
        Assert.That(plain, Is.InRange(.003, .9));
    }

    // A run is good with probability .2 and goes on with .95 at each of eight stages, or else with .5; the first step
    // succeeds with .9: .9 (.2 .95^8 + .8 .5^8) = .122227. With ten starts that were taken in turns the estimate would
    // be 1.9 % too large (400 000 repetitions of such a chain outside of this program), which is more than five of
    // these standard errors. Seed 3; a false alarm has a probability of .003.
    [Test]
    public void Few_starts_of_different_worth_leave_the_estimate_unbiased()
    {
        Edge Stage(int good, double goesOn) =>
            new("go", [new("go", goesOn, [new("stage", Of("stage") + 1)]), new("over", 1 - goesOn, [])])
            {
                Guard = (Of("stage") > 0) & Of("good").Is(good),
            };
        var network = new AutomataNetwork
        {
            Name = "worth",
            Variables = [new("stage", VariableType.Integer), new("good", VariableType.Integer)],
            Automata =
            [
                new()
                {
                    Name = "P",
                    Variables = [new("c", VariableType.Clock)],
                    Locations = [new("go", Of("c") <= 0), new("over")],
                    InitialLocation = "go",
                    Edges =
                    [
                        new(
                            "go",
                            [
                                new("go", .18, [new("stage", 1), new("good", 1)]),
                                new("go", .72, [new("stage", 1)]),
                                new("over", .1, []),
                            ]
                        )
                        {
                            Guard = Of("stage").Is(0),
                        },
                        Stage(good: 1, .95),
                        Stage(good: 0, .5),
                    ],
                },
            ],
        };
        var exact = .9 * (.2 * Math.Pow(.95, 8) + .8 * Math.Pow(.5, 8));
        var options = new SplittingOptions
        {
            Level = Of("stage"),
            Thresholds = [1, 2, 3, 4, 5, 6, 7, 8],
            Effort = 10,
            Repetitions = 50_000,
            Seed = 3,
        };
        var property = new NetworkProperty.Probability(
            "p",
            new PathFormula.Eventually(Of("stage") >= 9, TimeBound.Any)
        );
        var estimate = ImportanceSplitting.Estimate(new NetworkSimulator(network), property, options);
        TestContext.Out.WriteLine(
            $"{estimate.Probability / exact - 1:P2} +- {estimate.StandardError / exact:P2}, {estimate.Steps} steps"
        );
        Assert.That(estimate.StandardError, Is.LessThan(.006 * exact));
        Assert.That(estimate.Probability, Is.EqualTo(exact).Within(3 * estimate.StandardError));
    }

    [Test]
    public void What_cannot_be_split_is_an_error()
    {
        var simulator = new NetworkSimulator(SampleNetworks.Tandem());
        object? Estimate(NetworkProperty.Probability property, SplittingOptions options) =>
            ImportanceSplitting.Estimate(simulator, property, options);
        WrongValue.AssertRefused(
            (
                "splitting cannot estimate G",
                () => Estimate(new("g", new PathFormula.Always(Of("q2") > 0, TimeBound.Any)), new())
            ),
            ("effort is 1", () => Estimate(Overflow(8), new() { Effort = 1 })),
            ("level 2 follows 3", () => Estimate(Overflow(8), new() { Thresholds = [3, 2] })),
            ("allowed: a level that grows towards the event", () => Estimate(Overflow(8), new() { Level = 0 })),
            (
                "there is no variable q3",
                () => Estimate(new("x", new PathFormula.Eventually(Of("q3") > 1, TimeBound.Any)), new())
            )
        );
    }
}
