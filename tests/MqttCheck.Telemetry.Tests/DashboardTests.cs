using System.Text.Json;
using System.Text.RegularExpressions;
using MqttCheck.Requirements;
using MqttCheck.Testing;

namespace MqttCheck.Telemetry.Tests;

/// <summary>The sample dashboard asks for nothing that does not arrive.</summary>
[TestFixture, FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.None)]
internal sealed partial class DashboardTests : DirectoryFixture
{
    private static readonly string s_dashboard = RepositoryFiles.At("samples/dashboards/mqttcheck.json");

    [Test, Category("AloneOnTheMachine")]
    public async Task Every_metric_that_the_dashboard_asks_for_arrives_at_a_collector()
    {
        await using var collector = new OtlpCollector();
        await File.WriteAllTextAsync(In("quick.json"), SendingTool.Profile);
        string[][] commands =
        [
            [
                "predict",
                "--model",
                RepositoryFiles.Model,
                "--profile",
                "quick.json",
                "--clients",
                "10",
                "--threshold",
                "20ms",
                "--replications",
                "100",
                "--beyond",
                "--out",
                "predicted.json",
            ],
            [
                "verify",
                "predicted.json",
                "--delay",
                "constant:1ms",
                "--error",
                ".2",
                "--indifference",
                ".3",
                "--out",
                "verdicts.json",
            ],
            ["bench", "--delay", "none", "--pairs", "2", "--for", "300ms", "--warm-up", "50ms"],
            ["check", "--for", "1s"],
            ["cluster", "run", "--broker", "embedded", "--for", "1s", "--runs", "1", "--property", "E[ lost ]"],
        ];
        foreach (var command in commands)
        {
            var (code, output, error) = await SendingTool.RunAsync(Folder, [.. command, "--otlp", collector.Address]);
            // A verdict may be withheld on a busy machine, and is told all the same.
            Assert.That(code, Is.AnyOf(0, 1, 4), string.Join(' ', command) + "\n" + output + error);
        }
        using (TelemetryExport.To(collector.Address))
        {
            await using var broker = await TestBroker.StartAsync("embedded:nodelay");
            var measurement = await Measure.Sequences(
                (_, token) => Task.Delay(20, token),
                clients: 10,
                new() { Broker = broker, Seed = 7 }
            );
            var decision = Requirement.Success(probability: .5).Decide(measurement, new() { WriteProgress = _ => { } });
            Assume.That(
                decision.Verdict,
                Is.Not.EqualTo(RequirementVerdict.Withheld),
                "a machine that is busy otherwise measures nothing"
            );
        }
        var arrived = collector.Metrics.Values.SelectMany(metric => metric.PrometheusNames).ToHashSet();
        Assert.That(Asked().Except(arrived), Is.Empty, "arrived: " + string.Join(", ", arrived.Order()));
        Assert.That(Asked(), Has.Count.GreaterThan(15));
    }

    [Test]
    public void Each_panel_has_a_title_a_description_and_a_unit()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(s_dashboard));
        var panels = dashboard.RootElement.GetProperty("panels").EnumerateArray();
        foreach (var panel in panels.Where(panel => panel.GetProperty("type").GetString() != "row"))
        {
            Assert.That(panel.GetProperty("title").GetString(), Is.Not.Empty);
            Assert.That(panel.GetProperty("description").GetString(), Is.Not.Empty);
            Assert.That(
                panel.GetProperty("fieldConfig").GetProperty("defaults").GetProperty("unit").GetString(),
                Is.Not.Empty
            );
        }
    }

    private static HashSet<string> Asked()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(s_dashboard));
        return
        [
            .. dashboard
                .RootElement.GetProperty("panels")
                .EnumerateArray()
                .SelectMany(panel =>
                    panel.TryGetProperty("targets", out var targets) ? targets.EnumerateArray().ToArray() : []
                )
                .SelectMany(target => Metric().Matches(target.GetProperty("expr").GetString()!))
                .Select(match => match.Value),
        ];
    }

    [GeneratedRegex(@"\b(mqttcheck|messaging)_[a-z_]+\b(?=[{\[])")]
    private static partial Regex Metric();
}
