using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Verification;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Brokers.Tests.Campaigns.Calibrations;

/// <summary>
/// Verdicts, and measuring again to check them, on live embedded brokers; thresholds lie so far off that the speed of
/// the machine does not matter.
/// </summary>
[TestFixture, NonParallelizable]
public sealed class MonteCarloTests
{
    private static readonly PredictedPoint s_point = new("quick", 20, 60_000, .85, new(.85, .85));

    [Test]
    public async Task It_measures_as_many_sequences_as_asked_in_five_runs()
    {
        var result = await MeasureAsync(_ => true);
        var estimate = result.Estimates.Single();
        Assert.That(
            (estimate.Samples, estimate.Runs.Count, estimate.Share, result.Cases.Count),
            Is.EqualTo((200, 5, 1.0, 5)),
            "ten sequences of a client would be too few"
        );
        Assert.That(estimate.Interval.Lower, Is.GreaterThan(.5));
    }

    [Test]
    public async Task A_verification_tells_its_progress_and_ends_with_the_verdict_that_measuring_again_confirms()
    {
        await using var broker = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("constant:1ms", "test") });
        var (result, seen) = Verify(broker, _ => true);
        var verdict = result.Verdicts.Single().Verdict;
        Assert.That(
            seen.Where(progress => progress.Verdicts[0].Runs.Count < 4).Select(progress => progress.Share),
            Is.Ordered
        );
        Assert.That(
            seen.Where(progress => progress.Moved.Count > 0).Select(progress => progress.Moved[0].Runs.Count),
            Is.EqualTo(Enumerable.Range(1, result.Runs.Count))
        );
        Assert.That(verdict.Clients!.Total, Is.EqualTo(20));
        var again = new MonteCarlo(broker, Options() with { Seed = 6 }, TimeProvider.System)
        {
            IsValid = _ => true,
        }.Run([Setup()], 100, new ExchangeList(), null, default, default);
        Assert.That(again.Estimates.Single().Confirms(verdict), Is.EqualTo(verdict.IsDecided ? true : null));
    }

    [Test]
    public async Task An_invalid_run_does_not_count_in_a_verdict_and_another_is_made_in_its_place()
    {
        await using var broker = EmbeddedBroker.Start(new());
        var asked = 0;
        // The second and the fourth.
        var (result, seen) = Verify(broker, _ => ++asked is not (2 or 4));
        var verdict = result.Verdicts.Single().Verdict;
        Assert.That(result.Runs, Has.Count.EqualTo(asked).And.Count.AtLeast(6));
        Assert.That(verdict.Runs, Has.Count.EqualTo(asked - 2));
        Assert.That(
            verdict.Samples,
            Is.EqualTo(result.Runs.Where((_, index) => index is not (1 or 3)).Sum(run => run.Outcomes.Count))
        );
        Assert.That(
            seen.Count(progress => progress.Detail.Contains("invalid", StringComparison.Ordinal)),
            Is.EqualTo(2)
        );
        Assert.That(seen.Select(progress => progress.Share), Is.All.InRange(0, 1));
    }

    [Test]
    public async Task Where_every_run_is_invalid_a_verification_gives_up_after_the_smallest_number_of_runs()
    {
        await using var broker = EmbeddedBroker.Start(new());
        var (result, _) = Verify(broker, _ => false);
        Assert.That((result.Runs.Count, result.Verdicts.Single().Verdict.Kind), Is.EqualTo((4, VerdictKind.Withheld)));
    }

    [Test]
    public async Task An_invalid_run_does_not_count_in_an_estimate()
    {
        var asked = 0;
        var result = await MeasureAsync(_ => ++asked != 3);
        Assert.That(
            (result.Estimates.Single().Samples, result.Estimates.Single().Runs.Count, result.Cases.Count),
            Is.EqualTo((160, 4, 5))
        );
    }

    // No run takes less than a millisecond: of two setups the first gets one run, the other none.
    [Test]
    public async Task A_used_up_budget_ends_a_verification_before_its_smallest_number_of_runs_and_the_reason_names_it()
    {
        await using var broker = EmbeddedBroker.Start(new());
        var setups = new[] { Setup(), Setup() with { Clients = 10, Points = [s_point with { Clients = 10 }] } };
        var result = new VerificationCampaign(broker, Options(), new(), TimeProvider.System)
        {
            IsValid = _ => true,
        }.Run(setups, new(TimeSpan.FromMilliseconds(1)), new ExchangeList(), null, default, default);
        Assert.That((result.Runs.Count, result.Interrupted), Is.EqualTo((1, false)));
        Assert.That(result.Verdicts.Select(timed => timed.Verdict.Kind), Has.All.EqualTo(VerdictKind.Withheld));
        Assert.That(
            result.Verdicts[0].Verdict.Reason,
            Does.EndWith("The budget of 0.001 s was used up before that: allow more time.")
        );
        Assert.That(result.Verdicts[1].Verdict.Reason, Does.StartWith("No sequence was observed."));
    }

    [TestCase(VerdictKind.Confirmed, 450, true)]
    [TestCase(VerdictKind.Confirmed, 370, null, TestName = "Confirms(barely worse, chance may be the reason)")]
    [TestCase(VerdictKind.Confirmed, 250, false)]
    [TestCase(VerdictKind.Confirmed, 499, false)]
    [TestCase(VerdictKind.Worse, 350, true)]
    [TestCase(VerdictKind.Worse, 480, false)]
    [TestCase(VerdictKind.Better, 490, true)]
    [TestCase(VerdictKind.Better, 300, false)]
    [TestCase(VerdictKind.Withheld, 450, null)]
    public void An_estimate_confirms_the_side_of_a_verdict(VerdictKind kind, int hits, bool? expected)
    {
        var point = s_point with { ThresholdMilliseconds = 50 };
        var estimate = MonteCarloEstimate.Of(point, Enumerable.Range(0, 5).Select(run => Outcomes(run, hits)));
        Assert.That(
            estimate.Confirms(new PredictionTest(point, new()).Conclude() with { Kind = kind }),
            Is.EqualTo(expected),
            estimate.Interval.ToString()
        );
    }

    [Test]
    public void Without_a_sequence_there_is_no_estimate()
    {
        var estimate = MonteCarloEstimate.Of(s_point, []);
        Assert.That((estimate.Share, estimate.Interval), Is.EqualTo(((double?)null, new Interval(0, 1))));
    }

    private static IReadOnlyList<Outcome> Outcomes(int run, int hits) =>
        [
            .. Enumerable
                .Range(0, 500)
                .Select(i => new Outcome(
                    run,
                    i % 20,
                    i / 20,
                    i,
                    new(i < hits ? 10 : 100, 0, 0),
                    OutcomeStatus.Completed
                )),
        ];

    private static async Task<MonteCarloResult> MeasureAsync(Func<RunHealth, bool> isValid)
    {
        await using var broker = EmbeddedBroker.Start(new());
        return new MonteCarlo(broker, Options(), TimeProvider.System) { IsValid = isValid }.Run(
            [Setup()],
            150,
            new ExchangeList(),
            null,
            default,
            default
        );
    }

    private static (VerificationResult Result, List<VerificationProgress> Seen) Verify(
        EmbeddedBroker broker,
        Func<RunHealth, bool> isValid
    )
    {
        var seen = new List<VerificationProgress>();
        var test = new VerificationOptions
        {
            Error = .1,
            Indifference = .3,
            MinimumRuns = 4,
        };
        var campaign = new VerificationCampaign(broker, Options(), test, TimeProvider.System) { IsValid = isValid };
        var progress = new ProgressHandler<VerificationProgress>(seen.Add);
        var result = campaign.Run(
            [Setup()],
            new(TimeSpan.FromMinutes(1)),
            new ExchangeList(),
            progress,
            default,
            default
        );
        return (result, seen);
    }

    private static CampaignOptions Options() => new() { Seed = 5, Prefix = FleetSetup.NewPrefix() };

    private static VerifiedSetup Setup() => new(QuickPopulation.Value, 20, 3, [s_point]);
}
