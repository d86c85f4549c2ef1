using MqttCheck.App.Clusters.Survival;
using MqttCheck.App.Clusters.Survival.Search;
using MqttCheck.App.Progress;
using MqttCheck.Cli.Survives;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Tests.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Survives;

/// <summary>The search, on planted failures whose smallest cause is known. Seeds are fixed.</summary>
[TestFixture]
internal sealed class ScheduleSearchTests
{
    private static readonly (string Verb, string Target)[] s_faults =
    [
        ("kill", "any"),
        ("kill", "all"),
        ("freeze", "any"),
        ("power", "any"),
        ("power", "all"),
        ("fill", "any"),
        ("partition", "a|b,c"),
    ];

    /// <summary>A planted failure: what has to be in a schedule, and how often it then loses something.</summary>
    private sealed record Plant(string Name, Func<SearchSchedule, bool> Is, double Share = 1);

    private static readonly Plant[] s_plants =
    [
        new("a kill of all", schedule => HasFault(schedule, "kill all")),
        new("a power failure of any node", schedule => HasFault(schedule, "power")),
        new("a kill and later a power failure", schedule => InOrder(schedule, "kill", "power")),
        new("a partition and 12 messages", schedule => HasFault(schedule, "partition") && schedule.Messages >= 12),
        new("a freeze of half a second", schedule => Any(schedule, "freeze", fault => fault.ForMilliseconds >= 500)),
        new("a full disk during a kill", schedule => Overlap(schedule, "fill", "kill")),
        new("a full disk and two publishers", schedule => HasFault(schedule, "fill") && schedule.Pairs >= 2),
        new("a power failure of all, mostly", schedule => HasFault(schedule, "power all"), .8),
        new("a kill of any node, often", schedule => HasFault(schedule, "kill"), .6),
        new(
            "three faults",
            schedule => HasFault(schedule, "kill") && HasFault(schedule, "freeze") && HasFault(schedule, "partition")
        ),
    ];

    [Test]
    public async Task Nine_of_ten_planted_failures_shrink_to_three_faults_and_twenty_publications()
    {
        var small = 0;
        foreach (var (number, plant) in s_plants.Index())
        {
            var (first, share, smallest, rest, isWhole) = await FindAsync(plant, (ulong)number + 1);
            TestContext.Out.WriteLine($"{plant.Name}: {first} ({share}) -> {smallest} ({rest})");
            Assert.That(plant.Is(smallest), Is.True, $"{plant.Name}: {smallest} is no longer a cause");
            Assert.That(
                (double)rest.Losses / ScheduleShare.Repeats,
                Is.GreaterThan((double)share.Losses / share.Runs / 2),
                plant.Name
            );
            if (isWhole && smallest.Faults.Count <= 3 && smallest.Messages <= 20)
                small++;
        }
        Assert.That(small, Is.GreaterThanOrEqualTo(9));
    }

    [Test]
    public void Every_pair_of_faults_comes_in_a_schedule_before_long()
    {
        var generator = new ScheduleGenerator(s_faults, 8, 400, seed: 1);
        var drawn = 0;
        for (; generator.CoveredPairs < generator.AllPairs; drawn++)
            generator.Next();
        Assert.That(drawn, Is.LessThanOrEqualTo(generator.AllPairs), "each schedule begins with a pair that is open");
    }

    [Test]
    public void The_same_seed_draws_the_same_schedules()
    {
        var again = Drawn(3);
        Assert.That(Drawn(3), Is.EqualTo(again));
        Assert.That(Drawn(3), Is.Not.EqualTo(Drawn(4)));

        static List<string> Drawn(ulong seed)
        {
            var generator = new ScheduleGenerator(s_faults, 8, 400, seed);
            return [.. Enumerable.Range(0, 20).Select(_ => generator.Next().ToString())];
        }
    }

    [Test]
    public void Every_schedule_and_every_smaller_one_can_be_made()
    {
        var topology = ClusterInput.Topology("nats-3");
        var generator = new ScheduleGenerator([("kill", "any"), ("freeze", "any")], 8, 400, seed: 2);
        var shrinker = new ScheduleShrinker((_, _) => Task.FromResult<bool?>(false), 0, "a", () => true);
        for (var draw = 0; draw < 20; draw++)
        {
            var schedule = generator.Next();
            foreach (var one in shrinker.Candidates(schedule).Prepend(schedule))
            {
                var scenario = one.ScenarioOf(topology, TimeSpan.FromSeconds(1), 2);
                Assert.That(() => ScenarioFile.Apply(topology, scenario, "test"), Throws.Nothing, one.ToString());
                var again = ScenarioFile.Parse(ScenarioFile.ToBytes(scenario), "test");
                Assert.That(again.Faults, Is.EqualTo(scenario.Faults));
                Assert.That(again.Workload, Is.EqualTo(scenario.Workload));
            }
        }
    }

    [Test]
    public async Task A_search_ends_with_a_scenario_and_refutes()
    {
        var answer = await SearchAsync((fault, _) => fault == "kill" ? PlannedRuns.Losing(1, 0, 0) : PlannedRuns.Whole);
        Assert.That(answer.Conclusion, Is.EqualTo(Conclusion.Refuted));
        Assert.That(answer.Found!.FirstShare, Is.EqualTo(new ScheduleShare(5, 5)));
        Assert.That(answer.Scenario!.Faults, Has.Count.EqualTo(1));
        Assert.That(SearchText.Lines(answer), Has.Some.Contains("smallest:   1 message"));
    }

    [Test]
    public async Task A_search_without_a_loss_proves_nothing()
    {
        var answer = await SearchAsync((_, _) => PlannedRuns.Whole);
        Assert.That((answer.Found, answer.Conclusion), Is.EqualTo(((SearchFinding?)null, Conclusion.Withheld)));
        Assert.That(answer.Taken, Is.LessThan(TimeSpan.FromMinutes(10)));
        Assert.That(SearchText.Lines(answer), Has.Some.Contains("no proof"));
    }

    [Test]
    public async Task An_interrupted_search_says_so()
    {
        using var interruption = new Interruption();
        var answer = await SearchAsync(
            (_, _) =>
            {
                interruption.Interrupt();
                return null;
            },
            interruption
        );
        Assert.That(answer.Conclusion, Is.EqualTo(Conclusion.Interrupted));
    }

    private static async Task<SearchAnswer> SearchAsync(
        Func<string, int, SurvivalRun?> outcome,
        Interruption? interruption = null
    )
    {
        var time = new ManualTime();
        return await SearchStage.RunAsync(
            new Workplace(
                new TestScreen().Screen,
                time,
                interruption?.Orderly ?? CancellationToken.None,
                interruption?.AtOnce ?? CancellationToken.None
            ),
            new PlannedRuns(time, outcome),
            new SurvivalRequest
            {
                Topology = ClusterInput.Parse(
                    """{ "name": "one", "system": "mosquitto-bridge", "nodes": [ { "name": "a" } ], "links": [] }"""u8,
                    "test"
                ),
                Only = ["kill", "freeze"],
                Budget = new(TimeSpan.FromMinutes(10)),
            }
        );
    }

    private static async Task<(SearchSchedule, ScheduleShare, SearchSchedule, ScheduleShare, bool)> FindAsync(
        Plant plant,
        ulong seed
    )
    {
        var generator = new ScheduleGenerator(s_faults, 8, 400, seed);
        var shrinker = new ScheduleShrinker(Trial, 1000, "a", () => true);
        for (var run = 0; ; run++)
        {
            var schedule = generator.Next();
            if (await Trial(schedule, run) != true)
                continue;
            var share = await shrinker.ShareAsync(schedule);
            if (share.Losses == 0)
                continue;
            var (smallest, rest) = await shrinker.ShrinkAsync(schedule, share);
            return (schedule, share, smallest, rest, shrinker.IsSmallest);
        }

        Task<bool?> Trial(SearchSchedule schedule, int run) =>
            Task.FromResult<bool?>(plant.Is(schedule) && RandomStream.For(seed, (ulong)run).NextDouble() < plant.Share);
    }

    private static bool HasFault(SearchSchedule schedule, string what) => Any(schedule, what, _ => true);

    private static bool Any(SearchSchedule schedule, string what, Func<SearchFault, bool> predicate) =>
        schedule.Faults.Any(fault => fault.What.StartsWith(what, StringComparison.Ordinal) && predicate(fault));

    private static bool InOrder(SearchSchedule schedule, string first, string later) =>
        Any(schedule, first, one => Any(schedule, later, other => other.AtMilliseconds >= one.EndMilliseconds));

    private static bool Overlap(SearchSchedule schedule, string one, string other) =>
        Any(
            schedule,
            one,
            fault =>
                Any(
                    schedule,
                    other,
                    second =>
                        second.AtMilliseconds < fault.EndMilliseconds && fault.AtMilliseconds < second.EndMilliseconds
                )
        );
}
