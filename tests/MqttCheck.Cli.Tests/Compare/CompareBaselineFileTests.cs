using MqttCheck.App.Compare;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Reports.Input;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Tests.Compare;

[TestFixture]
internal sealed class CompareBaselineFileTests : DirectoryFixture
{
    private string Baseline => In("baseline.json");

    [Test]
    public void A_baseline_is_read_as_it_was_written()
    {
        var written = CompareBaselineFile.From(Log(runs: 4), [Verdict(20).Point, Verdict(15).Point], 7, _ => { });
        CompareBaselineFile.Write(Baseline, written);
        var read = CompareBaselineFile.Read(Baseline);
        Assert.That((read.Seed, read.Broker, read.Machine), Is.EqualTo((7UL, written.Broker, written.Machine)));
        var setup = read.Setups.Single();
        Assert.That((setup.Population.Name, setup.Clients, setup.CountedSequences), Is.EqualTo(("up1", 2, 3)));
        Assert.That(setup.ThresholdsMilliseconds, Is.EqualTo(new[] { 15.0, 20 }));
        Assert.That(setup.StoredRuns, Has.Count.EqualTo(4));
        // Of each run: the slowest exchange of each sequence in the order in which they began; a failed one is late for
        // every threshold; what comes after a cut one does not count.
        Assert.That(setup.StoredRuns![0], Is.EqualTo(new[] { 12, double.PositiveInfinity }));
    }

    [TestCase("5", ProtocolVersion.V5)]
    [TestCase("3.1.1", ProtocolVersion.V311)]
    [TestCase(null, ProtocolVersion.V311)]
    public void A_baseline_brings_its_protocol(string? said, ProtocolVersion version)
    {
        var log = Log(runs: 4);
        var details = new Dictionary<string, string>();
        if (said is not null)
            details["mqtt"] = said;
        CompareBaselineFile.Write(
            Baseline,
            CompareBaselineFile.From(
                log with
                {
                    Information = log.Information with { Broker = log.Information.Broker with { Details = details } },
                },
                [Verdict(20).Point],
                7,
                _ => { }
            )
        );
        Assert.That(CompareBaselineFile.Read(Baseline).ProtocolVersion, Is.EqualTo(version));
    }

    [Test]
    public void Two_runs_are_not_a_baseline() =>
        Assert.That(
            () => CompareBaselineFile.From(Log(runs: 2), [Verdict(20).Point], 7, _ => { }),
            Throws.TypeOf<InputException>().With.Message.Contains("three complete runs")
        );

    // Four stored runs may have missed any state of the broker: what 81 and more would tell (TwoSamplePlan) is refused
    // before a broker is started.
    [Test]
    public async Task A_comparison_without_an_assumption_refuses_a_baseline_of_few_runs_with_the_number_that_would_do()
    {
        CompareBaselineFile.Write(Baseline, CompareBaselineFile.From(Log(runs: 4), [Verdict(20).Point], 7, _ => { }));
        var needed = TwoSamplePlan.StoredRunsOfAnyLaw(
            new() { Guarantee = Guarantee.Any, Error = RunPlan.Comparison.Error },
            ThresholdChooser.MostInformative
        );
        await TestTool.AssertRefusedAsync(
            ["compare", "--brokers", "embedded", "--baseline", Baseline, "--guarantee", "any", "-o", Folder],
            "the baseline has 4 runs of a setup; without an assumption "
                + $"on the law of the runs at least {needed} are needed"
        );
        Assert.That(needed, Is.InRange(75, 90));
    }

    // Half of the runs spoiled by the generator, or unsettled: a setup that later ones must not be compared with.
    [TestCase(2, 0, "2 of 4 runs are invalid")]
    [TestCase(0, 2, "2 of 4 runs never became stationary")]
    [TestCase(1, 1, null)]
    [TestCase(1, 0, null)]
    public void A_spoiled_setup_is_left_out_with_the_reason(int late, int unsettled, string? said)
    {
        var log = Log(runs: 4);
        log = log with
        {
            Information = log.Information with
            {
                Cases =
                [
                    .. log.Information.Cases.Select(run =>
                        run with
                        {
                            Health = new()
                            {
                                Loop = LoadLoop.Closed,
                                LatencyP99Milliseconds = 10,
                                LagP99Microseconds = run.Run < late ? 2000 : 10,
                            },
                            WarmUp = new(
                                run.Run >= 4 - unsettled ? StationarityState.Never : StationarityState.Reached,
                                0
                            ),
                        }
                    ),
                ],
            },
        };
        var leftOut = new List<string>();
        if (said is null)
        {
            Assert.That(
                CompareBaselineFile.From(log, [Verdict(20).Point], 7, leftOut.Add).Setups.Single().StoredRuns,
                Has.Count.EqualTo(4 - late),
                "an invalid run is not stored"
            );
            Assert.That(leftOut, Is.Empty);
            return;
        }
        Assert.That(
            () => CompareBaselineFile.From(log, [Verdict(20).Point], 7, leftOut.Add),
            Throws.TypeOf<InputException>().With.Message.Contains("that can be trusted")
        );
        Assert.That(leftOut.Single(), Does.StartWith($"up1 with 2 clients is not in the baseline: {said}"));
    }

    [TestCase("{", "baseline")]
    [TestCase("""{"format":"other","version":1}""", "format other 1 given")]
    [TestCase("""{"format":"mqttcheck-baseline","version":1}""", "allowed: a file that")]
    public void A_malformed_file_is_named(string text, string said)
    {
        File.WriteAllText(Baseline, text);
        Assert.That(
            () => CompareBaselineFile.Read(Baseline),
            Throws.TypeOf<InputException>().With.Message.Contains(said).And.Message.Contains(Baseline)
        );
    }

    [Test]
    public void A_missing_file_is_named() =>
        Assert.That(
            () => CompareBaselineFile.Read("no-such.json"),
            Throws.TypeOf<InputException>().With.Message.Contains("no-such.json")
        );

    private static VerdictReport Verdict(double threshold) =>
        new()
        {
            Point = new("up1", 2, threshold, .85, new(.84, .86)),
            Kind = VerdictKind.Confirmed,
            Reason = "",
        };

    private static ExchangeLog Log(int runs)
    {
        Exchange[] Of(int run) =>
            [
                Exchange(run, client: 0, sequence: 1, index: 0, 12, ExchangeOutcome.Success),
                Exchange(run, client: 0, sequence: 1, index: 2, 11, ExchangeOutcome.Success),
                Exchange(run, client: 1, sequence: 1, index: 1, double.NaN, ExchangeOutcome.Timeout),
                Exchange(run, client: 0, sequence: 2, index: 3, double.NaN, ExchangeOutcome.Cancelled),
                Exchange(run, client: 1, sequence: 2, index: 4, 1, ExchangeOutcome.Success),
                Exchange(run, client: 1, sequence: 3, index: 5, 1, ExchangeOutcome.Success) with
                {
                    Phase = ExchangePhase.CoolDown,
                },
            ];
        var population = ProfileFile.Read("up1");
        return new()
        {
            Exchanges = [.. Enumerable.Range(0, runs).SelectMany(Of)],
            Information = new()
            {
                ToolVersion = "0.1.0",
                Seed = 1,
                Started = DateTimeOffset.UnixEpoch,
                Broker = new("embedded", "0.1.0", "default", new Dictionary<string, string> { ["delay"] = "none" }),
                Machine = MachineInformation.Unknown,
                TopicPrefix = "mqttcheck/00000000/",
                Cases =
                [
                    .. Enumerable
                        .Range(0, runs)
                        .Select(run => new RunCase
                        {
                            Run = run,
                            Purpose = RunPurpose.Verify,
                            Clients = 2,
                            Population = population,
                            MessagesPerClient = 30,
                        }),
                ],
            },
        };
    }

    private static Exchange Exchange(
        int run,
        int client,
        int sequence,
        long index,
        double latency,
        ExchangeOutcome outcome
    ) =>
        new()
        {
            Run = run,
            Client = client,
            Sequence = sequence,
            IssueIndex = index,
            LatencyMilliseconds = latency,
            Outcome = outcome,
            Phase = ExchangePhase.Counted,
            Message = MessageKind.Publish,
        };
}
