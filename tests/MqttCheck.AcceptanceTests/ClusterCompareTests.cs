namespace MqttCheck.AcceptanceTests;

/// <summary>Two clusters of MqttCheck's own nodes that run in turn.</summary>
[Platform("Linux")]
[Category("AloneOnTheMachine")]
[Parallelizable]
public sealed class ClusterCompareTests
{
    [Test]
    public async Task Nodes_with_a_transport_carry_every_message_once_and_the_designs_are_compared()
    {
        using var directory = new WorkDirectory();
        // A fifth of the usual rates, so that a busy machine keeps up; the interval is wide with two pairs.
        await File.WriteAllTextAsync(
            Path.Combine(directory.Path, "small.json"),
            """
            { "name": "small", "system": "transport", "family": "mesh:3", "delay": "constant:0.5ms",
              "transport": { "sendsPerSecond": 400, "receivesPerSecond": 360, "retransmissionMilliseconds": 5000 },
              "sites": [ { "name": "p", "at": "n1", "publishers": 1 }, { "name": "q", "at": "n2", "publishers": 1 },
                         { "name": "s", "at": "n2", "subscribers": 1 }, { "name": "t", "at": "n1", "subscribers": 1 } ],
              "workload": { "name": "closed", "inFlight": 20, "durationSeconds": 2, "qos": 1 } }
            """
        );
        var result = await ToolProcess.SucceedAsync(
            directory.Path,
            "cluster",
            "compare",
            "small.json",
            "--vary",
            "design=4.18,4.17",
            "--pairs",
            "2",
            "-p",
            "ratio[ throughput ]",
            "-p",
            "first: P[ lost = 0 & duplicates = 0 & reordered = 0 ]",
            "-p",
            "second: P[ lost = 0 & duplicates = 0 & reordered = 0 ]"
        );
        Assert.That(
            result.Output,
            Does.Contain("pair 2, design=4.17: ")
                .And.Match(@"first: P\[ .* \] +- +- +1 ")
                .And.Match(@"second: P\[ .* \] +- +- +1 ")
                .And.Match(@"ratio\[ throughput \] +\d+.* +estimate")
                .And.Not.Contain("violated"),
            result.ToString
        );
        Assert.That(Path.Combine(directory.Path, "cluster-comparison.json"), Does.Exist);
    }
}
