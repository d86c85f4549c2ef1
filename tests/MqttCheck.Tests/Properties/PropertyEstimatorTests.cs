using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Shards;
using MqttCheck.Simulation;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Properties.Live;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Properties;

/// <summary>
/// All latencies are log-normal with median 1 ms and sigma .5, so P(every message of ten below 2 ms) = Phi(ln 2 /
/// .5)^10 = .421217. Every interval is at 99 %, with a fixed seed.
/// </summary>
[TestFixture]
public sealed class PropertyEstimatorTests
{
    private const double Truth = .421217;

    private static readonly LatencyModel s_model = new LawLatencyModel(new LogNormalLaw(1, .5));
    private static readonly Population s_up1 = Population.Of(TestProfiles.Up1);
    private static readonly PropertyOptions s_options = new() { Seed = 3 };
    private static readonly JudgedTraces s_nobody = new([]);

    private static PropertyAnswer Ask(string property, PropertyOptions? options = null, int clients = 5) =>
        PropertyEstimator.Simulate(TraceProperty.Parse(property), s_model, s_up1, clients, options ?? s_options);

    [Test]
    public void A_probability_stops_by_the_sequential_rule_and_covers_the_truth()
    {
        var answer = Ask("P[ G<=10msg latency < 2ms ]");
        Assert.That(answer.Interval!.Contains(Truth), Is.True, $"{answer.Interval}");
        Assert.That(answer.Units, Is.EqualTo(answer.Traces).And.InRange(600, 700), "682 at p = .5");
        Assert.That(answer.Method, Does.Contain("sequential Clopper-Pearson"));
    }

    [Test]
    public void A_load_with_stages_is_refused_by_name()
    {
        var staged = Population.Of(TestProfiles.Up1 with { Stages = [new(1, 1)] });
        Assert.That(
            () => new SimulatedTraces(s_model, staged, 7, 2, seed: 3),
            Throws.InstanceOf<InputException>().With.Message.Contains("profile up1: \"stages\" is given")
        );
    }

    [Test]
    public void With_a_fixed_number_of_replications_it_is_the_prediction()
    {
        var answer = Ask("P[ G<=10msg latency < 2ms ]", s_options with { Replications = 200 });
        var prediction = Predictor.Predict(
            s_model,
            s_up1,
            5,
            new()
            {
                Seed = 3,
                Replications = 200,
                Confidence = .99,
            }
        );
        Assert.That(
            (answer.Estimate, answer.Interval!.Lower),
            Is.EqualTo((prediction.Probability(2), prediction.Interval(2).Lower)).Within(1e-12)
        );
        Assert.That(answer.Interval!.Upper, Is.EqualTo(prediction.Interval(2).Upper).Within(1e-12));
    }

    [TestCase("P>=0.3[ G<=10msg latency < 2ms ]", true)]
    [TestCase("P>=0.55[ G<=10msg latency < 2ms ]", false)]
    [TestCase("P<=0.55[ G<=10msg latency < 2ms ]", true)]
    [TestCase("P<=0.3[ G<=10msg latency < 2ms ]", false)]
    public void A_probability_is_compared_with_a_number(string property, bool holds)
    {
        Assert.That(
            (Ask(property).Holds, Ask(property, s_options with { Indifference = .1 }).Holds),
            Is.EqualTo((holds, holds))
        );
    }

    [Test]
    public void A_number_at_the_truth_stays_undecided()
    {
        var answer = Ask("P>=0.4212[ G<=10msg latency < 2ms ]", s_options with { LargestReplications = 300 });
        Assert.That((answer.Holds, answer.Units), Is.EqualTo(((bool?)null, 300L)));
        Assert.That(answer.Method, Does.Contain("Not decided"));
    }

    [Test]
    public void The_answer_does_not_depend_on_the_number_of_threads()
    {
        foreach (
            var property in new[]
            {
                "P[ G latency < 2ms ]",
                "P>=0.3[ G latency < 2ms ]",
                "E[ max latency ]",
                "D[ max latency ]",
            }
        )
        {
            PropertyAnswer one = Ask(property, s_options with { Threads = 1, Epsilon = .1 }),
                two = Ask(property, s_options with { Threads = 3, Epsilon = .1 });
            Assert.That(
                (two with { Quantiles = [], Notes = [], Judged = s_nobody }, two.Quantiles, two.Judged.Groups),
                Is.EqualTo(
                    (one with { Quantiles = [], Notes = [], Judged = s_nobody }, one.Quantiles, one.Judged.Groups)
                )
            );
        }
    }

    // The mean of a log-normal latency: exp(.5^2 / 2) = 1.133148. Messages: 10.
    [Test]
    public void Expectations_cover_the_known_ones()
    {
        Assert.That(Ask("E[ mean latency ]").Interval!.Contains(1.133148), Is.True);
        Assert.That(
            (Ask("E[ sum latency ]").Interval!.Contains(11.33148), Ask("E[ count ]").Estimate),
            Is.EqualTo((true, 10))
        );
        Assert.That(Ask("E[ failures ]").Estimate, Is.Zero);
    }

    [TestCase(1)]
    [TestCase(5)]
    public void Quantiles_cover_the_known_ones(int clients)
    {
        var quantile = Ask("Q0.421217[ max latency ]", s_options, clients);
        Assert.That(quantile.Interval!.Contains(2), Is.True, $"{quantile.Interval}");
        Assert.That(quantile.Interval!.Contains(quantile.Estimate!.Value), Is.True);
        Assert.That(quantile.Interval!.HalfWidth, Is.LessThan(.15));
    }

    // 300 quantiles from 40 replications of 3 clients each, nominal 90 %: at most 30 may miss on average; the bounds
    // are conservative.
    [Test]
    public void Intervals_of_quantiles_keep_their_promise()
    {
        var missed = 0;
        for (ulong seed = 1; seed <= 300; seed++)
            if (
                !Ask(
                    "Q0.421217[ max latency ]",
                    new()
                    {
                        Seed = seed,
                        Error = .1,
                        Replications = 40,
                    },
                    3
                )
                    .Interval!.Contains(2)
            )
                missed++;
        Assert.That(missed, Is.LessThanOrEqualTo(30));
    }

    // The band holds for the whole distribution: every share s has its true quantile, exp(.5 Phi^-1(s^(1/10))), inside.
    [Test]
    public void The_band_holds_the_whole_distribution()
    {
        var answer = Ask("D[ max latency ]");
        Assert.That(answer.Units, Is.EqualTo(1060));
        foreach (var row in answer.Quantiles)
        {
            var truth = Math.Exp(.5 * MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, Math.Pow(row.Share, .1)));
            Assert.That(row.Interval.Contains(truth), Is.True, $"{row}, truth {truth}");
        }
    }

    [Test]
    public void Traces_without_a_message_of_the_kind_are_left_out_and_counted()
    {
        var answer = Ask("E[ max latency(unsubscribe) ]", s_options with { Replications = 50 });
        Assert.That(answer.WithoutValue, Is.GreaterThan(0).And.LessThan(answer.Traces));
        Assert.That(
            Ask("P[ G latency(unsubscribe) < 1h ]", s_options with { Replications = 50 }).Estimate,
            Is.EqualTo(1),
            "nothing to violate"
        );
    }

    [TestCase("P>=0.9[ G latency(subscribe) < 1h ]", null)]
    [TestCase("P>=0.9[ G latency(subscribe) < 1h ]", .2)]
    [TestCase("P[ G latency(subscribe) < 1h ]", null)]
    [TestCase("E[ max latency(subscribe) ]", null)]
    [TestCase("Q0.9[ max latency(subscribe) ]", null)]
    [TestCase("D[ max latency(subscribe) ]", null)]
    public void An_answer_names_the_groups_that_it_is_about(string property, double? indifference)
    {
        var options = s_options with { Epsilon = .2, Indifference = indifference };
        var answer = PropertyEstimator.Simulate(
            TraceProperty.Parse(property),
            s_model,
            TwoGroups.Population,
            10,
            options
        );
        var groups = answer.Judged.Groups.ToDictionary(group => group.Group);
        Assert.That(groups["sensors"].Judged, Is.Zero);
        Assert.That(groups["dashboards"].Judged, Is.EqualTo(groups["dashboards"].Traces).And.Positive);
        Assert.That(answer.Judged.InWords, Does.Contain($"sensors none of {groups["sensors"].Traces}, dashboards all"));
    }

    [Test]
    public void A_log_names_the_groups_of_its_runs_where_it_knows_their_population()
    {
        RunCase run = new()
        {
            Run = 0,
            Purpose = RunPurpose.Verify,
            Clients = 10,
            Population = TwoGroups.Population,
        };
        // The sixth client of the ten is the dashboard.
        var fleet = Enumerable
            .Range(0, 10)
            .Select(client => new[] { (client == 5 ? MessageKind.Subscribe : MessageKind.Publish, 1.0) });
        Exchange[] log = [.. LiveExchanges.Run([.. fleet])];
        const string Property = "P[ G latency(subscribe) < 1h ]";
        Assert.That(
            OfLog(Property, log, run).Judged.InWords,
            Is.EqualTo("judged on 1 of 10 traces (10.0%; sensors none of 9, dashboards all 1)")
        );
        Assert.That(OfLog(Property, log).Judged.InWords, Is.EqualTo("judged on 1 of 10 traces (10.0%)"));
    }

    [Test]
    public void A_trace_is_as_long_as_the_property_needs()
    {
        Assert.That(SimulatedTraces.SequencesFor(TraceProperty.Parse("P[ G<=25msg failed ]"), s_up1), Is.EqualTo(3));
        Assert.That(
            SimulatedTraces.SequencesFor(TraceProperty.Parse("P[ F<=10s failed ]"), s_up1),
            Is.EqualTo(5),
            "10 s / (10 * 250 ms) + 1"
        );
        Assert.That(SimulatedTraces.SequencesFor(TraceProperty.Parse("E[ count ]"), s_up1), Is.EqualTo(1));
        Assert.That(Ask("P[ F<=25msg count = 25 ]", s_options with { Replications = 5 }).Estimate, Is.EqualTo(1));
        Assert.That(
            Ask("P[ F<=25msg count = 25 ]", s_options with { Replications = 5, SequencesPerTrace = 1 }).CutShort,
            Is.EqualTo(25)
        );
        Assert.That(
            () => Ask("P[ F<=100h failed ]"),
            Throws.TypeOf<InputException>().With.Message.Contains("at most 100000")
        );
    }

    [Test]
    public void What_a_simulation_does_not_know_is_refused()
    {
        Assert.That(
            () => Ask("P[ G acknowledgement < 5ms ]"),
            Throws.TypeOf<InputException>().With.Message.Contains("acknowledgement")
        );
        Assert.That(
            () => Ask("P[ failed ]", s_options with { Error = .7, Epsilon = 0, Threads = 0 }),
            Throws.TypeOf<InputException>().With.Message.Contains("0.7").And.Message.Contains("threads")
        );
        Assert.That(
            () => Ask("P>=0.99[ failed ]", s_options with { Indifference = .99 }),
            Throws.TypeOf<InputException>().With.Message.Contains("indifference")
        );
    }

    [Test]
    public void Cancelled_work_and_wrong_clients_are_not_errors_of_a_thread()
    {
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();
        Assert.That(
            () =>
                PropertyEstimator.Simulate(
                    TraceProperty.Parse("P[ failed ]"),
                    s_model,
                    s_up1,
                    1,
                    s_options,
                    cancelled.Token
                ),
            Throws.InstanceOf<OperationCanceledException>()
        );
        Assert.That(() => Ask("P[ failed ]", clients: 0), Throws.TypeOf<InputException>());
        // An answer before its question is noticed by the simulation itself, on whatever thread.
        Assert.That(
            () => PropertyEstimator.Simulate(TraceProperty.Parse("P[ failed ]"), new Backwards(), s_up1, 1, s_options),
            Throws.TypeOf<InputException>().With.Message.Contains("virtual time")
        );
    }

    [TestCase("P[ G<=10msg latency < 2ms ]", Truth)]
    [TestCase("E[ mean latency ]", 1.133148)]
    [TestCase("Q0.421217[ max latency ]", 2)]
    public void A_log_is_answered_with_the_run_as_the_sampling_unit(string property, double truth)
    {
        var answer = OfLog(property, Log(5, 60));
        Assert.That(
            (answer.Units, answer.Traces, answer.UnitName, answer.Interval!.Contains(truth)),
            Is.EqualTo((5L, 300L, "runs", true))
        );
    }

    [TestCase("P>=0.1[ G latency < 2ms ]", true)]
    [TestCase("P>=0.8[ G latency < 2ms ]", false)]
    [TestCase("P>=0.42[ G latency < 2ms ]", null)]
    public void A_log_decides_what_its_runs_leave_no_doubt_of(string property, bool? holds) =>
        Assert.That(OfLog(property, Log(5, 60)).Holds, Is.EqualTo(holds));

    [Test]
    public void A_distribution_of_a_log_has_its_quantiles() =>
        Assert.That(OfLog("D[ max latency ]", Log(5, 60)).Quantiles, Has.Count.EqualTo(10));

    [Test]
    public void One_run_says_nothing_of_others() =>
        Assert.That(OfLog("P[ G latency < 2ms ]", Log(1, 60)).Interval, Is.EqualTo(new Interval(0, 1)));

    [Test]
    public void A_failed_exchange_is_slow_and_a_cancelled_one_ends_the_counting_of_its_run()
    {
        Exchange[] log = [.. Log(1, 10)];
        log[35] = log[35] with { Outcome = ExchangeOutcome.Timeout, LatencyMilliseconds = double.NaN };
        Assert.That(OfLog("P[ F failed ]", log).Estimate, Is.EqualTo(.1));
        log[70] = log[70] with { Outcome = ExchangeOutcome.Cancelled };
        var cut = OfLog("P[ F failed ]", log);
        Assert.That((cut.Traces, cut.NotCounted), Is.EqualTo((7L, 3L)));
        Assert.That(() => OfLog("P[ failed ]", []), Throws.TypeOf<InputException>());
    }

    // Of the eighth sequence five exchanges are left; what follows shows whether it was over.
    [TestCase("nothing", 7, 3)]
    [TestCase("reset", 10, 0)]
    [TestCase("failure", 10, 0)]
    public void A_sequence_that_the_end_of_the_run_cut_in_a_wait_is_not_counted(
        string ending,
        int counted,
        int notCounted
    )
    {
        Exchange[] all = [.. Log(1, 10)];
        Exchange[] log = [.. all[..75], .. all[80..]];
        if (ending == "reset")
            log =
            [
                .. log,
                all[75] with
                {
                    Phase = ExchangePhase.Reset,
                    Message = MessageKind.Disconnect,
                    IssueIndex = 200,
                },
            ];
        if (ending == "failure")
            log[74] = log[74] with { Outcome = ExchangeOutcome.Timeout, LatencyMilliseconds = double.NaN };
        var answer = OfLog("P[ F failed ]", log);
        Assert.That((answer.Traces, answer.NotCounted), Is.EqualTo(((long)counted, (long)notCounted)));
    }

    [Test]
    public void Simulators_are_used_again_without_a_trace_of_what_they_did_before()
    {
        var traces = new SimulatedTraces(s_model, s_up1, 7, 2, seed: 3);
        var property = TraceProperty.Parse("E[ max latency ]");
        var again = traces
            .Values(property, new LocalShardRunner(2), 80, CancellationToken.None)
            .Select(unit => unit.Values)
            .ToArray();
        for (var replication = 0; replication < again.Length; replication++)
            Assert.That(again[replication], Is.EqualTo(ByNewSimulator(replication)), $"replication {replication}");

        double[] ByNewSimulator(int replication)
        {
            var setup = new SimulatedFleet
            {
                Population = s_up1,
                Clients = 7,
                Sequences = 2,
                Seed = 3,
            };
            var collector = new TraceCollector(setup.Clients);
            FleetSimulation.Observe(s_model, setup, replication, ref collector);
            var names = JudgedTraces.GroupNames(s_up1, setup.Clients);
            return new TraceUnit(replication, collector.Traces, names).Values(property).Values;
        }
    }

    private sealed class Backwards : LatencyModel
    {
        public override string Kind => "backwards";

        public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
            consumer.Run(() => new Process());

        private readonly struct Process : ILatencyProcess
        {
            public void Reset(ref RandomStream random) { }

            public LatencyStep Start(
                int client,
                in ExchangeFeatures features,
                double nowMilliseconds,
                ref RandomStream random
            ) => new(nowMilliseconds - 1, Completes: true);

            public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) =>
                throw new NotSupportedException();
        }
    }

    private static PropertyAnswer OfLog(string property, IEnumerable<Exchange> log, params RunCase[] cases) =>
        PropertyEstimator.OfLog(TraceProperty.Parse(property), log, s_options, cases);

    private static IEnumerable<Exchange> Log(int runs, int sequences) =>
        LiveExchanges.Drawn(
            new LogNormalLaw(1, .5),
            runs,
            sequences,
            [MessageKind.Connect, .. Enumerable.Repeat(MessageKind.Publish, 9)]
        );
}
