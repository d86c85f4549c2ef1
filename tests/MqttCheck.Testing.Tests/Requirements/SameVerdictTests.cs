using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Testing.Reporting;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Testing.Tests.Requirements;

/// <summary>
/// The same recorded runs, once through the campaign of <c>mqttcheck verify</c> and once through a requirement of a
/// test. Nothing is random, and the clock moves one second with each run.
/// </summary>
[TestFixture, NonParallelizable]
internal sealed class SameVerdictTests
{
    private const int Clients = 20;
    private const int SequencesOfRun = 200;
    private const double Threshold = 50;

    private static readonly Population s_population = Population.Of(QuickProfile.Create());
    private static readonly Interval s_narrow = new(.83, .87);

    private static IEnumerable<TestCaseData> Cases() =>
        [
            Case("confirmed", VerdictKind.Confirmed, "0.850", .85, s_narrow, _ => new(.85)),
            Case("not worse", VerdictKind.NotWorse, "no upper side", .99, new(.98, 1), _ => new(.99)),
            Case("worse", VerdictKind.Worse, "worse than the predicted", .85, s_narrow, _ => new(.6)),
            Case("better", VerdictKind.Better, "better than the predicted", .6, new(.58, .62), _ => new(.9)),
            Case(
                "withheld: most runs are invalid",
                VerdictKind.Withheld,
                "runs are invalid: The generator sent up to 2 ms late",
                .85,
                s_narrow,
                run => new(.85) { IsLate = run % 2 == 0 || run > 4 }
            ),
            Case(
                "confirmed: one run is invalid and shows the same",
                VerdictKind.Confirmed,
                "in 8 runs",
                .85,
                s_narrow,
                run => new(.85) { IsLate = run == 2 }
            ),
            Case(
                "withheld: all runs do not say what those that count do",
                VerdictKind.Withheld,
                "The runs that count say: confirmed; all runs, with what the others showed, say: withheld.",
                .85,
                s_narrow,
                run => new(run is 2 or 5 or 9 ? .2 : .85) { IsLate = run is 2 or 5 or 9 }
            ),
            Case(
                "withheld: the runs never settle",
                VerdictKind.Withheld,
                "8 of 8 runs never became stationary",
                .85,
                s_narrow,
                _ => new(.85) { Settles = false }
            ),
            Case(
                "withheld: a worse broker whose runs never settle",
                VerdictKind.Withheld,
                "Otherwise it would be",
                .85,
                s_narrow,
                _ => new(.6) { Settles = false }
            ),
            Case(
                "withheld: half of the runs are invalid or never settle",
                VerdictKind.Withheld,
                "runs are invalid",
                .85,
                s_narrow,
                run => new(.85) { IsLate = run is 1 or 3, Settles = run % 2 == 1 }
            ),
            Case(
                "confirmed: more than half of the runs can be used in the end",
                VerdictKind.Confirmed,
                "in 9 runs",
                .85,
                s_narrow,
                run => new(.85) { IsLate = run is 1 or 3, Settles = run is not (0 or 2 or 4) }
            ),
            Case(
                "confirmed: one run of eight never settles",
                VerdictKind.Confirmed,
                "0.850",
                .85,
                s_narrow,
                run => new(.85) { Settles = run != 3 }
            ),
            Case(
                "withheld: the truth lies at the border",
                VerdictKind.Withheld,
                "The budget of 12 s holds no more runs",
                .85,
                s_narrow,
                run => new(run % 2 == 0 ? .7 : .8)
            ),
            Case(
                "withheld: the prediction is vague",
                VerdictKind.Withheld,
                "too vague to be confirmed",
                .75,
                new(.45, 1),
                _ => new(.75)
            ),
            Case(
                "withheld: the broker slows down from run to run",
                VerdictKind.Withheld,
                "slowed down from run to run",
                .85,
                s_narrow,
                run => new(.97 - .02 * run)
            ),
            Case(
                "withheld: the share changes inside the runs",
                VerdictKind.Withheld,
                "the broker has not settled",
                .85,
                s_narrow,
                _ => new(.85) { FirstHalf = .99 }
            ),
            Case(
                "withheld: the runs differ too much",
                VerdictKind.Withheld,
                "times more than chance makes them",
                .9,
                new(.88, .92),
                run => new(run is 2 or 5 ? .3 : .95)
            ),
        ];

    [TestCaseSource(nameof(Cases))]
    public async Task The_same_runs_give_the_same_verdict_to_verify_and_to_a_test(
        VerdictKind expected,
        string reason,
        PredictedPoint point,
        Func<int, Recorded> runs
    )
    {
        var budget = TimeSpan.FromSeconds(12);
        var (verified, made) = await Verify(point, runs, budget);
        var (tested, alsoMade) = Test(point, runs, budget);
        Assert.That(verified.Kind, Is.EqualTo(expected), verified.Reason);
        Assert.That(verified.Reason, Does.Contain(reason));
        Assert.That((tested.Kind, tested.Reason), Is.EqualTo(((VerdictKind?)verified.Kind, verified.Reason)));
        Assert.That(tested.Remark, Is.EqualTo(verified.InvalidRuns));
        Assert.That(alsoMade, Is.EqualTo(made), "runs that were made");
        Assert.That(
            Conclusions.Of(tested.IsMet, isInterrupted: false),
            Is.EqualTo(Conclusions.Of([verified.Kind], isContradicted: false, isInterrupted: false))
        );
    }

    [Test]
    public void Without_time_for_the_smallest_number_of_runs_a_test_is_refused_with_the_time_that_would_do()
    {
        var point = new PredictedPoint(s_population.Name, Clients, Threshold, .85, s_narrow);
        Assert.That(
            () => Test(point, _ => new(.85), TimeSpan.FromSeconds(3)),
            Throws.TypeOf<InputException>().With.Message.Match("Within: 3s given cannot suffice.*Within 20s or more")
        );
        Assert.That(() => Test(point, _ => new(.85), TimeSpan.FromSeconds(20)), Throws.Nothing);
    }

    [TestCase(.99, TestName = "A_requirement_that_seems_met_is_withheld_where_the_runs_never_settle")]
    [TestCase(.1, TestName = "A_requirement_that_seems_violated_is_withheld_where_the_runs_never_settle")]
    public void A_requirement_is_withheld_where_the_runs_never_settle(double share)
    {
        var clock = new Clock();
        var measurement = new RecordedMeasurement(clock, _ => new(share) { Settles = false });
        var verdict = Requirement
            .Latency(below: TimeSpan.FromMilliseconds(Threshold), probability: .8)
            .Judge(measurement, clock);
        Assert.That(verdict.IsMet, Is.Null);
        Assert.That(
            verdict.Reason,
            Does.Match(
                @"^withheld: (\d+) of \1 runs never became stationary: .* Otherwise it would be: (met|violated)\.$"
            )
        );
    }

    [TestCase(.99, true)]
    [TestCase(.1, false)]
    public void A_requirement_is_decided_where_they_do(double share, bool isMet)
    {
        var clock = new Clock();
        var verdict = Requirement
            .Latency(below: TimeSpan.FromMilliseconds(Threshold), probability: .8)
            .Judge(new RecordedMeasurement(clock, _ => new(share)), clock);
        Assert.That(verdict.IsMet, Is.EqualTo(isMet), verdict.Reason);
    }

    private static async Task<(Verdict Verdict, int Runs)> Verify(
        PredictedPoint point,
        Func<int, Recorded> runs,
        TimeSpan budget
    )
    {
        await using var broker = EmbeddedBroker.Start(new());
        var clock = new Clock();
        var prediction = Predicted(point);
        var options = new CampaignOptions
        {
            Seed = 1,
            Prefix = FleetSetup.NewPrefix(),
            Recorded = setup => Result(setup.Run, runs(setup.Run), clock),
        };
        // As many as the test finds that the budget holds.
        var test = new VerificationOptions
        {
            Indifference = prediction.Indifference,
            IntervalLevel = prediction.Level,
            PlannedRuns = 8,
        };
        var result = new VerificationCampaign(broker, options, test, clock).Run(
            [new VerifiedSetup(s_population, Clients, 10, [point])],
            new(budget),
            new ExchangeList(),
            null,
            default,
            default
        );
        return (result.Verdicts.Single().Verdict, result.Runs.Count);
    }

    private static (MeasuredVerdict Verdict, int Runs) Test(
        PredictedPoint point,
        Func<int, Recorded> runs,
        TimeSpan budget
    )
    {
        var clock = new Clock();
        var measurement = new RecordedMeasurement(clock, runs);
        var verdict = Requirement.Prediction(Predicted(point)).Within(budget).Judge(measurement, clock);
        return (verdict, measurement.Runs.Count);
    }

    private static Prediction Predicted(PredictedPoint point) =>
        new()
        {
            Model = new("model.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new(),
            Populations = [s_population],
            Setups = [],
            Points = [point],
        };

    private static TestCaseData Case(
        string name,
        VerdictKind expected,
        string reason,
        double predicted,
        Interval interval,
        Func<int, Recorded> runs
    ) =>
        new TestCaseData(
            expected,
            reason,
            new PredictedPoint(s_population.Name, Clients, Threshold, predicted, interval),
            runs
        ).SetArgDisplayNames(name);

    private static FleetRunResult Result(int run, Recorded recorded, Clock clock)
    {
        clock.Now += TimeSpan.FromSeconds(1);
        return new()
        {
            Run = run,
            Outcomes = [.. Enumerable.Range(0, SequencesOfRun).Select(i => OutcomeOf(run, i, recorded))],
            ExchangesByOutcome = new long[6],
            Publications = 0,
            Deliveries = 0,
            Lost = 0,
            Duplicates = 0,
            Redeliveries = 0,
            Strays = 0,
            Health = new()
            {
                Loop = LoadLoop.Closed,
                LatencyP99Milliseconds = 10,
                LagP99Microseconds = recorded.IsLate ? 2000 : 10,
            },
            WarmUp = recorded.Settles ? new(StationarityState.Reached, 0) : new(StationarityState.Never, double.NaN),
            StartNanoseconds = 0,
            Duration = TimeSpan.FromSeconds(1),
            Interrupted = false,
            SessionsLeft = 0,
            FirstFailures = [],
        };
    }

    // The sequences in time are spread evenly, over the run or over each of its halves.
    private static Outcome OutcomeOf(int run, int index, Recorded recorded)
    {
        var share =
            recorded.FirstHalf is not { } first ? recorded.Share
            : index < SequencesOfRun / 2 ? first
            : 2 * recorded.Share - first;
        var isInTime = Math.Floor((index + 1) * share + 1e-9) > Math.Floor(index * share + 1e-9);
        return new(
            run,
            index % Clients,
            index / Clients,
            index,
            new(isInTime ? Threshold / 5 : 2 * Threshold, double.NaN, double.NaN),
            OutcomeStatus.Completed
        );
    }

    /// <summary>A run as it might have been made.</summary>
    /// <param name="Share">The share of its sequences that are in time.</param>
    internal sealed record Recorded(double Share)
    {
        public double? FirstHalf { get; init; }

        public bool IsLate { get; init; }

        public bool Settles { get; init; } = true;
    }

    private sealed class Clock : TimeProvider
    {
        public TimeSpan Now { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now.Ticks;
    }

    private sealed class RecordedMeasurement(Clock clock, Func<int, Recorded> runs)
        : Measurement(SameVerdictTests.Clients, 1, 10, CancellationToken.None)
    {
        public override string Profile => s_population.Name;

        public override TimeSpan SequenceTime => TimeSpan.FromMilliseconds(100);

        internal override TimeSpan RunOverhead => TimeSpan.FromMilliseconds(100);

        internal override MeasurementWords Words => MeasurementWords.Fleet;

        internal override string? Environment => null;

        internal override string? Failures => null;

        internal override void Check(MeasuredLatency latency, string? step) { }

        internal override double SamplesPerSequence(MeasuredLatency latency, string? step) => 1;

        private protected override MeasuredRun Make(int index, int sequencesPerClient) =>
            new FleetMeasuredRun(Result(index, runs(index), clock), []);
    }
}
