using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Predicting;

[TestFixture]
internal sealed class SimulatedLimitsTests
{
    // A bound that a simulated run exceeds would be none: 10 runs of each, seed 1.
    [TestCase("tree-mesh-5")]
    [TestCase("overlays-table")]
    public void No_simulated_run_exceeds_its_bounds(string name)
    {
        var topology = TopologyFile.Read(name, ClusterSystem.SpanningTree);
        topology = topology with
        {
            Scenario = topology.Scenario with { Duration = TimeSpan.FromSeconds(3), Faults = [] },
        };
        var limits = ClusterPrediction.LimitsOf(topology);
        foreach (var run in new ClusterReplications(topology, probes: true).Run(1, 0, 9))
        {
            foreach (var quantity in ClusterQuantity.All)
            foreach (var measure in (ClusterMeasure[])[new(quantity, false), new(quantity, true)])
            {
                if (measure.Largest(limits) is { } largest && measure.Quantity.Times is null)
                    Assert.That(measure.Of(run), Is.NaN.Or.AtMost(largest), $"{measure}");
            }
            Assert.That(run.Publications, Is.AtMost(limits.Publications!.Value));
            Assert.That(run.Owed, Is.AtMost(limits.Publications!.Value * limits.Receivers));
            Assert.That(run.DeliveryMilliseconds, Has.All.AtMost(limits.Milliseconds));
        }
    }
}
