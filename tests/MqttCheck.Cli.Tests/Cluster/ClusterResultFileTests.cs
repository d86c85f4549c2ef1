using System.Text.Json;
using MqttCheck.App.Clusters.Compare;
using MqttCheck.Cli.Cluster;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>The file of a comparison.</summary>
[TestFixture]
internal sealed class ClusterResultFileTests : DirectoryFixture
{
    [Test]
    public void A_verdict_on_what_nothing_bounds_is_approximate_and_the_file_says_what_it_assumes()
    {
        var topology = TopologyFile.Read("bridge-pair");
        var limits = RunLimits.Of(topology, TimeSpan.FromSeconds(5));
        PairStatementTest[] tests =
        [
            .. new[] { "ratio[ throughput ] in 1.5 to 2.5", "difference[ lost ] within 1" }.Select(
                text => new PairStatementTest(PairStatement.Parse(text, "test"), .05, .25, (limits, limits))
            ),
        ];
        for (var pair = 0; pair < 8; pair++)
        {
            foreach (var test in tests)
                test.Add(Run(2000 + pair, lost: pair % 2), Run(1000, lost: 0));
        }
        var path = In("cluster-comparison.json");
        ClusterResultFile.Write(
            path,
            new ClusterCompareRequest(("a", topology), ("b", topology), tests, .05, 8, 1, "mqttcheck"),
            new([], [.. tests.Select(test => test.Answer)], IsInterrupted: false)
        );
        var statements = JsonElement.Parse(File.ReadAllText(path)).GetProperty("statements");
        Assert.That((Text(0, "verdict"), Text(0, "intervalKind")), Is.EqualTo(("holds approximately", "approximate")));
        Assert.That(Text(0, "reason"), Does.Contain("if the logarithms of pairs' ratios are about normal"));
        Assert.That((Text(1, "verdict"), Text(1, "intervalKind")), Is.EqualTo(("withheld", "guaranteed")));
        Assert.That(
            statements[1].GetProperty("intervalIfNormal").GetProperty("upper").GetDouble(),
            Is.LessThan(1),
            "0.447 and more, by Student"
        );

        string? Text(int statement, string name) => statements[statement].GetProperty(name).GetString();
    }

    private static ClusterOutcome Run(double throughput, long lost) =>
        new()
        {
            Publications = 2000,
            Deliveries = 4000,
            DeliveryMilliseconds = [1],
            Lost = lost,
            LostSettled = 0,
            Duplicates = 0,
            Reordered = 0,
            Racing = 0,
            Throughput = throughput,
        };
}
