using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Shards;

namespace MqttCheck.ClusterProtocols.Tests.Predicting;

/// <summary>Predictions whose replications the monitors of live runs judge.</summary>
[TestFixture]
internal sealed class CheckedPredictionTests
{
    // Each message of a flood reaches a node over several links, and a tree lets it pass once.
    [TestCase(ClusterSystem.Flood, true)]
    [TestCase(ClusterSystem.SpanningTree, false)]
    [TestCase(ClusterSystem.SingleOverlay, false)]
    [TestCase(ClusterSystem.TopicOverlay, false)]
    public void Monitors_find_that_messages_come_back_in_a_flood_and_nothing_in_a_tree(
        ClusterSystem system,
        bool isFound
    )
    {
        var violations = Predict(system, isChecked: true).Violations;
        Assert.That(
            violations.Any(found => found is { Run: 2, Violation.Invariant: "loop-free" }),
            Is.EqualTo(isFound)
        );
        Assert.That(violations, isFound ? Is.Not.Empty : Is.Empty);
    }

    [Test]
    public void Checks_change_no_answer_and_without_them_nothing_is_judged()
    {
        var (checkedRuns, runs) = (Predict(ClusterSystem.Flood, true), Predict(ClusterSystem.Flood, false));
        Assert.That(checkedRuns.Tests[0].Answer.Estimate, Is.EqualTo(runs.Tests[0].Answer.Estimate));
        Assert.That(runs.Violations, Is.Empty);
    }

    [Test]
    public void A_worker_judges_too()
    {
        var job = new ClusterJob(new(Mesh(ClusterSystem.Flood), false, 1, false, IsChecked: true));
        var travelled = ClusterJob.Parse(job.Describe().Parts);
        var outcome = job.Read(new Shard(0, 1), travelled.StartShards()(new Shard(0, 1), default)).Single();
        Assert.That(outcome.Violations, Is.Not.Empty);
    }

    private static ClusterPrediction Predict(ClusterSystem system, bool isChecked)
    {
        var prediction = new ClusterPrediction(Mesh(system), .01, .05, seed: 1, isChecked: isChecked);
        prediction.Run(new LocalShardRunner(1), 2, _ => { }, CancellationToken.None);
        return prediction;
    }

    private static Topology Mesh(ClusterSystem system)
    {
        var topology = TopologyFile.Read("mesh:4", system);
        return topology with
        {
            Scenario = topology.Scenario with
            {
                Duration = TimeSpan.FromSeconds(1),
                Properties = [new ScenarioProperty("E[ link messages ]", "test")],
            },
        };
    }
}
