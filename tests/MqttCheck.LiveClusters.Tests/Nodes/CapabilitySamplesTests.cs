using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.LiveClusters.Nodes;

namespace MqttCheck.LiveClusters.Tests.Nodes;

[TestFixture]
internal sealed class CapabilitySamplesTests
{
    private const double Second = 1e9;

    [TestCase(0, 0, 5)]
    [TestCase(1, 0, 4)]
    [TestCase(2, 0, 3)]
    [TestCase(0, 50, 3.5)]
    [TestCase(3, 200, 0)]
    public void The_free_shares_of_processors_and_memory_are_weighed(double seconds, double bytes, double capability)
    {
        var samples = new CapabilitySamples(new MachineCapability { Alpha = 2, Beta = 3 });
        // Two processors; more than all of them is no less than nothing free.
        Assert.That(samples.Take(seconds * Second, Second, 2, bytes, 100), Is.EqualTo(capability));
    }

    [Test]
    public void A_capability_that_varies_a_little_stays_and_one_that_drifts_is_followed()
    {
        var samples = new CapabilitySamples(new MachineCapability { Beta = 0, Hysteresis = 0.25 });
        double?[] taken = [.. new[] { 0.5, 0.4, 0.6, 0.75, 0.76, 0.9, 0.5 }.Select(used => Take(samples, used))];
        Assert.That(taken, Is.EqualTo((double?[])[0.5, null, null, null, 1 - 0.76, null, 0.5]));
    }

    private static double? Take(CapabilitySamples samples, double used) =>
        samples.Take(used * Second, Second, 1, 0, 100);
}
