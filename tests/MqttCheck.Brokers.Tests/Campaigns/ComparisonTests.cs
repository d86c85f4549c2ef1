using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Health;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Campaigns;

/// <summary>
/// Short comparisons on live embedded brokers, with thresholds so far off that the speed of the machine does not
/// matter.
/// </summary>
[TestFixture, NonParallelizable]
public sealed class ComparisonTests
{
    private static readonly TwoSampleOptions s_test = new()
    {
        Error = .1,
        Indifference = .3,
        MinimumRuns = 4,
    };

    [Test]
    public async Task Brokers_take_turns_with_the_same_choices_and_equal_ones_are_found_equal()
    {
        await using var first = EmbeddedBroker.Start(new());
        await using var second = EmbeddedBroker.Start(new());
        // In time always, below 60 s.
        var (result, logs) = Run([first, second], Setup(60_000));
        var point = result.Points.Single();
        Assert.That(
            (point.First, point.Second, point.Result.Verdict),
            Is.EqualTo(((int?)0, 1, TwoSampleVerdict.NoDifference)),
            point.Result.Reason
        );
        Assert.That(result.Cases.Select(cases => cases.Count), Is.EqualTo(new[] { 4, 4 }));
        var starts = result
            .Cases.SelectMany((cases, broker) => cases.Select(made => (made.Started, broker)))
            .OrderBy(start => start.Started)
            .Select(start => start.broker);
        Assert.That(starts, Is.EqualTo(new[] { 0, 1, 1, 0, 0, 1, 1, 0 }));
        Assert.That(Choices(logs[1]), Is.EqualTo(Choices(logs[0])));
    }

    [Test]
    [Category("Whole")]
    public async Task A_slow_broker_is_found_slower()
    {
        await using var fast = EmbeddedBroker.Start(new());
        // Every answer of the slow one is late; of the fast one hardly any.
        await using var slow = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("constant:100ms", "test") });
        var (result, _) = Run([slow, fast], Setup(95) with { CountedSequences = 1 });
        Assert.That(
            result.Points.Single().Result.Verdict,
            Is.EqualTo(TwoSampleVerdict.SecondFaster),
            result.Points.Single().Result.Reason
        );
    }

    [Test]
    public async Task Stored_runs_are_compared_with_each_broker()
    {
        await using var broker = EmbeddedBroker.Start(new());
        IReadOnlyList<double> stored = [.. Enumerable.Repeat(double.PositiveInfinity, 60)];
        var (result, _) = Run([broker], Setup(60_000) with { StoredRuns = [stored, stored, stored, stored] });
        var point = result.Points.Single();
        Assert.That(
            (point.First, point.Second, point.Result.Verdict, point.Result.IsPaired),
            Is.EqualTo(((int?)null, 0, TwoSampleVerdict.SecondFaster, false)),
            point.Result.Reason
        );
    }

    [Test]
    public async Task An_interrupted_comparison_keeps_what_was_counted()
    {
        await using var first = EmbeddedBroker.Start(new());
        await using var second = EmbeddedBroker.Start(new());
        using var interruption = new CancellationTokenSource();
        interruption.Cancel();
        var (result, _) = Run([first, second], Setup(60_000), orderly: interruption.Token);
        Assert.That(
            (result.Interrupted, result.Points.Single().Result.Verdict),
            Is.EqualTo((true, TwoSampleVerdict.Partial))
        );
    }

    [TestCase(2, null, false, 3)]
    [TestCase(3, null, false, 9)]
    [TestCase(2, null, true, 6)]
    [TestCase(3, new[] { 1.0, 2, 3 }, false, 6)]
    [TestCase(3, new[] { 1.0, 1, 3 }, false, 5)]
    public void Every_pair_at_each_of_its_thresholds_shares_the_error(
        int brokers,
        double[]? mostInformative,
        bool stored,
        int expected
    )
    {
        var setup = Setup(1) with
        {
            ThresholdsMilliseconds = [1, 2, 3],
            MostInformative = mostInformative,
            StoredRuns = stored
                ?
                [
                    [1],
                    [1],
                    [1],
                ]
                : null,
        };
        Assert.That(ComparisonCampaign.Comparisons(brokers, [setup]), Is.EqualTo(expected));
    }

    [Test]
    [Category("Whole")]
    public async Task A_round_with_an_invalid_run_does_not_count_and_another_is_made_in_its_place()
    {
        await using var first = EmbeddedBroker.Start(new());
        await using var second = EmbeddedBroker.Start(new());
        var asked = 0;
        // The second and the third run are both the second broker's, in the first and in the second round.
        var (result, _) = Run([first, second], Setup(60_000), isValid: _ => ++asked is not (2 or 3));
        var point = result.Points.Single();
        Assert.That(
            (point.Result.Verdict, point.Result.First.Count, point.Result.Second.Count),
            Is.EqualTo((TwoSampleVerdict.NoDifference, 4, 4)),
            point.Result.Reason
        );
        Assert.That(result.Cases.Select(cases => cases.Count), Is.EqualTo(new[] { 6, 6 }));
    }

    [Test]
    public async Task Where_every_round_is_invalid_a_comparison_gives_up_after_the_smallest_number_of_them()
    {
        await using var first = EmbeddedBroker.Start(new());
        await using var second = EmbeddedBroker.Start(new());
        var (result, _) = Run([first, second], Setup(60_000), isValid: _ => false);
        Assert.That(result.Points.Single().Result.IsDecided, Is.False);
        Assert.That(result.Cases.Select(cases => cases.Count), Is.EqualTo(new[] { 4, 4 }));
    }

    private static (ComparisonResult Result, ExchangeList[] Logs) Run(
        IReadOnlyList<IBrokerUnderTest> brokers,
        ComparedSetup setup,
        Func<RunHealth, bool>? isValid = null,
        CancellationToken orderly = default
    )
    {
        var logs = brokers.Select(_ => new ExchangeList()).ToArray();
        var options = new CampaignOptions { Seed = 5, Prefix = FleetSetup.NewPrefix() };
        var result = new ComparisonCampaign(brokers, options, s_test, TimeProvider.System)
        {
            IsValid = isValid ?? (_ => true),
        }.Run([setup], new(TimeSpan.FromMinutes(5)), logs, null, orderly, default);
        return (result, logs);
    }

    private static ComparedSetup Setup(double threshold) => new(QuickPopulation.Value, 30, 2, [threshold]);

    private static IEnumerable<string> Choices(ExchangeList log) =>
        log
            .Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
            .OrderBy(exchange => exchange.Run)
            .ThenBy(exchange => exchange.Client)
            .ThenBy(exchange => exchange.IssueIndex)
            .Select(exchange =>
                $"{exchange.Run} {exchange.Client} {exchange.Message} {exchange.Topic} {exchange.MessageSize}"
            );
}
