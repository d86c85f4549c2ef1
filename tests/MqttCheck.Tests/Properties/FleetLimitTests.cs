using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Properties;

[TestFixture]
public sealed class FleetLimitTests
{
    private static readonly Population s_up1 = Population.Of(TestProfiles.Up1);

    // P(ten messages below 2 ms) = Phi(ln(2 / m) / .5)^10 with the median m = 1 + growth n is .3 at m = 1.0930: n = 9.3
    // for a growth of .01.
    private static FleetLimit Find(double growth, int to, PropertyOptions options) =>
        FleetLimitSearch.Find(
            TraceProperty.Parse("P>=0.3[ G<=10msg latency < 2ms ]"),
            new Crowd(clients => 1 + growth * clients),
            s_up1,
            1,
            to,
            options
        );

    [Test]
    public void The_limit_lies_between_what_holds_and_what_fails()
    {
        var limit = Find(.01, 64, new() { Seed = 1, LargestReplications = 400 });
        Assert.That(limit.Holds, Is.InRange(1, 9));
        Assert.That(limit.Fails, Is.InRange(10, 64));
        Assert.That(limit.Fails - limit.Holds, Is.LessThan(10), "near the limit more replications are needed");
        Assert.That(limit.Tests, Has.Count.LessThanOrEqualTo(FleetLimitSearch.LargestNumberOfTests(1, 64)));
    }

    [Test]
    public void A_steep_limit_is_found_to_the_client()
    {
        // P is .421, .245 and .127 for 0, 0.15 and 0.3 more: one client more than one is too many.
        var limit = Find(.07, 50, new() { Seed = 2, LargestReplications = 20_000 });
        Assert.That((limit.Holds, limit.Fails, limit.IsExact), Is.EqualTo(((int?)1, (int?)2, true)));
    }

    [Test]
    public void Fleets_beyond_the_range_are_not_spoken_of()
    {
        var all = Find(0, 20, new());
        Assert.That((all.Holds, all.Fails), Is.EqualTo(((int?)20, (int?)null)));
        var none = Find(5, 20, new());
        Assert.That((none.Holds, none.Fails, none.Tests.Count), Is.EqualTo(((int?)null, (int?)1, 1)));
    }

    [Test]
    public void A_limit_names_the_groups_that_it_is_about()
    {
        var limit = FleetLimitSearch.Find(
            TraceProperty.Parse("P>=0.3[ G latency(subscribe) < 1h ]"),
            new Crowd(_ => 1),
            TwoGroups.Population,
            10,
            20,
            new()
        );
        var (judged, traces) = (limit.Judged!.Judged, limit.Judged.Traces);
        Assert.That(judged, Is.EqualTo(traces / 10));
        Assert.That(
            limit.Describe(10, 20),
            Is.EqualTo(
                "holds for 20 clients, the largest number considered, judged on "
                    + $"{judged} of {traces} traces (10.0%; sensors none of {traces - judged}, dashboards all {judged})"
            )
        );
        Assert.That(Find(0, 20, new()).Describe(1, 20), Does.EndWith("the largest number considered"));
    }

    // With 1 client the probability is far above .3, with 16 far below, and between them just .3: all tests there are
    // made where a wrong decision is as likely as it can be, and a search that calls .3 too little for some number of
    // clients is wrong. 100 searches with an error of .3 each, six such tests in a search: 46 or more wrong ones have a
    // probability of .0006 if all of the error were used up. Where each test of a search takes the whole error, 52 are
    // wrong. Seeds 1 .. 100.
    [Test]
    [Category("Whole")]
    public void The_error_of_the_whole_search_is_kept()
    {
        var one = Population.Of(TestProfiles.Up1 with { SequenceLength = 1 });
        var (wrong, tests) = (0, 0);
        for (ulong seed = 1; seed <= 100; seed++)
        {
            var limit = FleetLimitSearch.Find(
                TraceProperty.Parse("P>=0.3[ G<=1msg latency < 2ms ]"),
                new Crowd(Plateau),
                one,
                1,
                16,
                new()
                {
                    Seed = seed,
                    Error = .3,
                    LargestReplications = 1500,
                    Threads = 1,
                }
            );
            Assert.That((limit.Holds >= 1, limit.Fails <= 16), Is.EqualTo((true, true)), "the ends are clear");
            tests += limit.Tests.Count(test => test.Clients is > 1 and < 16);
            if (limit.Fails < 16)
                wrong++;
        }
        TestContext.Out.WriteLine($"{wrong} of 100 searches wrong, {tests} tests on the plateau");
        Assert.That(tests, Is.GreaterThanOrEqualTo(500), "searches that decide nothing show nothing");
        Assert.That(wrong, Is.LessThan(46));
    }

    private static IEnumerable<(int? Holds, int? Fails)> Found =>
        from holds in new int?[] { null, 1, 5, 20 }
        from fails in new int?[] { null, 1, 6, 20 }
        where holds is null || fails is null || holds < fails
        select (holds, fails);

    // All states: what was found, what was tested, and whether the model's error is known.
    [Test]
    public void What_is_said_of_a_limit_and_what_is_promised_do_not_contradict_each_other(
        [ValueSource(nameof(Found))] (int? Holds, int? Fails) found,
        [Values] bool isTrusted,
        [Values] bool isWithinModelError,
        [Values(null, .9)] double? level
    )
    {
        var (holds, fails) = found;
        var limit = new FleetLimit
        {
            Property = TraceProperty.Parse("P>=0.3[ failed ]"),
            Holds = holds,
            Fails = fails,
            Tests = [new(10, 5, new([]), .4, null) { IsTrusted = isTrusted, IsWithinModelError = isWithinModelError }],
            Error = .05,
            ModelLevel = level,
        };
        var (said, promised) = (limit.Describe(1, 20), limit.Promise);
        var isDecided = holds is not null || fails is not null;
        var isOfModel = said.Contains("model", StringComparison.Ordinal);
        using var scope = Assert.EnterMultipleScope();
        Assert.That(said.StartsWith("undecided", StringComparison.Ordinal), Is.EqualTo(!isDecided));
        Assert.That(promised.Contains("right with probability", StringComparison.Ordinal), Is.EqualTo(isDecided));
        Assert.That(promised.Contains("nothing is decided", StringComparison.Ordinal), Is.EqualTo(!isDecided));
        if (!isDecided)
            Assert.That(promised.Contains("a model of more", StringComparison.Ordinal), Is.EqualTo(isOfModel), said);
        else
            Assert.That(promised.Contains("nothing is known", StringComparison.Ordinal), Is.EqualTo(level is null));
        Assert.That(promised, Does.Not.Contain("does not change the answer"));
    }

    [TestCase("E[ count ]")]
    [TestCase("P[ failed ]")]
    [TestCase("P<=0.5[ failed ]")]
    [TestCase("P>=0.5[ acknowledgement < 5ms ]")]
    public void Only_a_least_probability_limits_a_fleet(string property) =>
        Assert.That(
            () => FleetLimitSearch.Find(TraceProperty.Parse(property), new Crowd(_ => 1), s_up1, 1, 9, new()),
            Throws.TypeOf<InputException>()
        );

    [Test]
    public void A_range_must_be_one() =>
        Assert.That(
            () => FleetLimitSearch.Find(TraceProperty.Parse("P>=0.5[ failed ]"), new Crowd(_ => 1), s_up1, 5, 4, new()),
            Throws.TypeOf<InputException>().With.Message.Contains("5 to 4")
        );

    /// <summary>Latencies whose median depends on the number of clients.</summary>
    private sealed class Crowd(Func<int, double> median) : LatencyModel
    {
        public override string Kind => "crowd";

        public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
            new LawLatencyModel(new LogNormalLaw(median(clients), .5)).Use(clients, consumer);
    }

    // One message is below 2 ms with a probability of .9 for 1 client, .1 for 16, and .3 for all numbers between.
    private static double Plateau(int clients)
    {
        var probability =
            clients <= 1 ? .9
            : clients >= 16 ? .1
            : .3;
        return 2 * Math.Exp(-.5 * MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, probability));
    }
}
