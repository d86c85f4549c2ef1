using System.Text.RegularExpressions;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Bench;
using MqttCheck.Cli.Compare;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Tests.Compare;
using MqttCheck.Cli.VerifyProperty;
using MqttCheck.Comparison;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Tests.Results;

[TestFixture]
internal sealed partial class MetricsFileTests
{
    [Test]
    public void Verdicts_are_gauges_with_a_series_for_each_word()
    {
        var text = VerdictMetrics.Of(Document, DateTimeOffset.FromUnixTimeSeconds(1_700_000_000)).ToString();
        const string Labels = "{broker=\"embedded\",profile=\"up1\",clients=\"200\",threshold_seconds=\"0.016\"";
        Assert.That(
            text.Split('\n'),
            Does.Contain("# TYPE mqttcheck_predicted_ratio gauge")
                .And.Contain($"mqttcheck_predicted_ratio{Labels}}} 0.85")
                .And.Contain($"mqttcheck_measured_ratio{Labels}}} 0.8425")
                .And.Contain($"mqttcheck_runs{Labels}}} 8")
                .And.Contain($"mqttcheck_verdict{Labels},verdict=\"confirmed\"}} 1")
                .And.Contain($"mqttcheck_verdict{Labels},verdict=\"not worse\"}} 0")
                .And.Contain("mqttcheck_finished_timestamp_seconds{broker=\"embedded\"} 1700000000")
        );
        AssertIsOfTheFormat(text);
    }

    [Test]
    public void Every_metric_is_described_once_and_what_is_not_known_is_left_out()
    {
        var metrics = new MetricsFile();
        metrics.Add("a", "First.", 1, ("name", "with \"quotes\", a \\ and a\nline"));
        metrics.Add("b", "Second.", double.PositiveInfinity);
        metrics.Add("a", "First.", 2, ("name", "x"));
        metrics.Add("c", "Third.", double.NaN);
        metrics.Add("d", "Fourth.", null);
        var text = metrics.ToString();
        Assert.That(
            text,
            Is.EqualTo(
                "# HELP mqttcheck_a First.\n# TYPE mqttcheck_a gauge\n"
                    + "mqttcheck_a{name=\"with \\\"quotes\\\", a \\\\ and a\\nline\"} 1\n"
                    + "mqttcheck_a{name=\"x\"} 2\n"
                    + "# HELP mqttcheck_b Second.\n# TYPE mqttcheck_b gauge\nmqttcheck_b{} +Inf\n"
            )
        );
        AssertIsOfTheFormat(text);
    }

    [Test]
    public void A_bench_has_rates_latencies_and_what_went_wrong()
    {
        var text = BenchMetrics
            .Of(
                new()
                {
                    ToolVersion = "1",
                    Generated = DateTimeOffset.UnixEpoch,
                    Seed = 1,
                    Repeat = "mqttcheck bench",
                    Runs =
                    [
                        new()
                        {
                            Broker = "embedded",
                            Workload = "pairs",
                            Loop = "open",
                            OfferedPerSecond = 800,
                            InPerSecond = 799.5,
                            Lost = 3,
                            Latency = new(100, 5, 4, 8, 10, null, 25),
                        },
                    ],
                }
            )
            .ToString();
        Assert.That(
            text,
            Does.Match("bench_in_messages_per_second{.*offered=\"800\"} 799.5")
                .And.Match("bench_lost_messages{.*} 3")
                .And.Match("bench_latency_seconds{.*quantile=\"0.99\"} 0.01")
                .And.Match("bench_latency_seconds{.*quantile=\"1\"} 0.025")
                .And.Not.Contain("0.999")
                .And.Not.Contain("knee")
        );
        AssertIsOfTheFormat(text);
    }

    [Test]
    public void A_comparison_has_both_ratios_their_difference_and_a_series_for_each_word()
    {
        var comparison = CompareReportTests.Comparison([TwoSampleVerdict.SecondFaster]) with
        {
            Trends =
            [
                new()
                {
                    Broker = "a",
                    Profile = "up1",
                    Clients = 100,
                    ThresholdMilliseconds = 20,
                    Results = [],
                    Changes = [new(DateTimeOffset.UnixEpoch, .8, 20, .7, 4, [])],
                },
            ],
        };
        var text = CompareMetrics.Of(comparison).ToString();
        const string Point = "profile=\"up1\",clients=\"100\",threshold_seconds=\"0.02\"";
        const string Pair = "{first=\"a\",second=\"b <1>\"," + Point;
        Assert.That(
            text.Split('\n'),
            Does.Contain($"mqttcheck_compare_first_ratio{Pair}}} 0.7")
                .And.Contain($"mqttcheck_compare_difference{Pair}}} -0.1")
                .And.Contain($"mqttcheck_compare_difference_lower{Pair}}} -0.12")
                .And.Contain($"mqttcheck_compare_verdict{Pair},verdict=\"second faster\"}} 1")
                .And.Contain($"mqttcheck_compare_verdict{Pair},verdict=\"no difference\"}} 0")
                .And.Contain($"mqttcheck_compare_changes{{broker=\"a\",{Point}}} 1")
        );
        AssertIsOfTheFormat(text);
    }

    [Test]
    public void A_property_has_what_is_required_what_was_measured_and_a_series_for_each_word()
    {
        var text = PropertyMetrics
            .Of(
                new()
                {
                    ToolVersion = "1",
                    Broker = new() { Name = "embedded" },
                    Property = "P>=0.9[ G latency < 50ms ]",
                    Meaning = "",
                    Profile = "up1",
                    Clients = 50,
                    Verdict = PropertyVerdictKind.Holds,
                    Reason = "",
                    Seen = "",
                    Probability = .9,
                    Indifference = .05,
                    Error = .01,
                    Promise = "",
                    Observed = .97,
                    Interval = new(.95, .99),
                    Fulfilling = 97,
                    Silent = 0,
                    Traces = 100,
                    Groups = [new("up1", 99, 100)],
                    Runs = [new(50, 49), new(50, 48)],
                    Seconds = 1,
                    Log = "l.csv",
                    Seed = 1,
                    Repeat = "mqttcheck verify",
                },
                DateTimeOffset.FromUnixTimeSeconds(1_700_000_000)
            )
            .ToString();
        const string Labels =
            "{broker=\"embedded\",profile=\"up1\",clients=\"50\",property=\"P>=0.9[ G latency < 50ms ]\"";
        Assert.That(
            text.Split('\n'),
            Does.Contain($"mqttcheck_property_required_ratio{Labels}}} 0.9")
                .And.Contain($"mqttcheck_property_measured_ratio{Labels}}} 0.97")
                .And.Contain($"mqttcheck_property_lower_ratio{Labels}}} 0.95")
                .And.Contain($"mqttcheck_property_judged_ratio{Labels},group=\"up1\"}} 0.99")
                .And.Contain($"mqttcheck_property_runs{Labels}}} 2")
                .And.Contain($"mqttcheck_property_verdict{Labels},verdict=\"holds\"}} 1")
                .And.Contain($"mqttcheck_property_verdict{Labels},verdict=\"violated\"}} 0")
        );
        AssertIsOfTheFormat(text);
    }

    [Test]
    public Task A_file_that_cannot_be_written_is_refused_before_anything_is_measured() =>
        TestTool.AssertRefusedAsync(["bench", "--metrics", ".", "--for", "1s"], "--metrics", "directory");

    // The grammar of the text format: comments for a metric, then its samples, each line ended.
    private static void AssertIsOfTheFormat(string text)
    {
        Assert.That(text, Does.EndWith("\n"));
        var metric = "";
        foreach (var line in text.TrimEnd('\n').Split('\n'))
        {
            if (line.StartsWith("# HELP ", StringComparison.Ordinal))
                metric = line.Split(' ')[2];
            else if (!line.StartsWith('#'))
            {
                Assert.That(line, Does.Match(Sample()).And.StartWith(metric + "{"));
            }
        }
    }

    private static readonly VerdictDocument Document = new()
    {
        ToolVersion = "1",
        Broker = new() { Name = "embedded" },
        Prediction = "p.json",
        Log = "l.csv",
        Seed = 1,
        Repeat = "mqttcheck run",
        Verdicts =
        [
            new()
            {
                Point = new("up1", 200, 16, .85, new(.8, .9)),
                Kind = VerdictKind.Confirmed,
                Reason = "so it is",
                MeasuredProbability = .8425,
                Runs = 8,
            },
        ],
    };

    [GeneratedRegex(
        @"^[a-z_]+\{([a-z_]+=""([^""\\]|\\[n\\""])*""(,[a-z_]+=""([^""\\]|\\[n\\""])*"")*)?\} (\+Inf|-Inf|[-+0-9.Ee]+)$"
    )]
    private static partial Regex Sample();
}
