using MathNet.Numerics.Distributions;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Overlays;

/// <summary>
/// The loads of the paper: five brokers in a mesh, 25 clients that draw a topic and a broker. Expected numbers follow
/// from the placement alone, and from a tree that is a star because all links are equal.
/// </summary>
[TestFixture]
internal sealed class OverlayLoadTests
{
    private const int Brokers = 5;

    [Test]
    public void Messages_between_brokers_are_those_of_the_closed_forms(
        [Values("overlays-table", "overlays-text")] string file,
        [Values(3, 30, 60)] int topics,
        [Values(0, 50, 100)] int locality
    )
    {
        foreach (
            var system in (ClusterSystem[])
                [ClusterSystem.SpanningTree, ClusterSystem.SingleOverlay, ClusterSystem.TopicOverlay]
        )
        {
            var topology = Short(file, topics, locality, system);
            var values = new ClusterReplications(topology, probes: false)
                .Run(30, 0, 149)
                .Select(run => (double)run.LinkMessages!.Value / run.Publications)
                .ToArray();
            var (mean, half) = Interval(values, error: 1e-5);
            // 54 cells at an error of 1 in 100 000 each: a right program fails with one of 1800 seeds.
            Assert.That(mean, Is.EqualTo(Expected(topology, topics, locality)).Within(half + 1e-9), $"{system}");
        }
    }

    // Random placements: distinct pairs of a broker and a topic among 25 clients, 5T (1 - (1 - 1/5T)^25).
    [TestCase(3, 12.3)]
    [TestCase(30, 23.1)]
    [TestCase(60, 24.0)]
    public void Clients_make_so_many_interests(int topics, double expected)
    {
        var topology = Short("overlays-table", topics, 50, ClusterSystem.TopicOverlay);
        var mean = Enumerable
            .Range(0, 2000)
            .Average(run =>
            {
                var drawn = RunClients.Draw(topology, "x/", 30, run);
                return drawn
                    .PublisherNodes.Zip(drawn.Topics)
                    .Concat(drawn.SubscriberNodes.Zip(drawn.Filters))
                    .Distinct()
                    .Count();
            });
        Assert.That(mean, Is.EqualTo(expected).Within(0.2));
    }

    // The paper has 30 % more signalling at 3 topics and 1500 % at 60: twelve times as much. There are only twice as
    // many interests to ping for.
    [Test]
    public void Signalling_grows_by_less_than_the_number_of_interests()
    {
        var bytes = ((int[])[3, 60])
            .Select(topics =>
                new ClusterReplications(Short("overlays-table", topics, 50, ClusterSystem.TopicOverlay), false)
                    .Run(30, 0, 39)
                    .Average(run => run.SignallingBytes!.Value)
            )
            .ToArray();
        TestContext.Out.WriteLine($"signalling: {bytes[0]:0} bytes at 3 topics, {bytes[1]:0} at 60");
        Assert.That(bytes[1] / bytes[0], Is.LessThan(2.2));
    }

    // Delays of links are drawn once for each mesh from N(10, 2.5) ms. Five to six standard errors are .3 ms.
    [TestCase(ClusterSystem.SingleOverlay, 3, 50, 12.6, 600)]
    [TestCase(ClusterSystem.TopicOverlay, 3, 50, 12.1, 600)]
    [TestCase(ClusterSystem.TopicOverlay, 30, 50, 9.0, 1500)]
    [TestCase(ClusterSystem.TopicOverlay, 60, 50, 8.6, 2500)]
    [TestCase(ClusterSystem.SingleOverlay, 3, 0, 15.9, 1200)]
    [TestCase(ClusterSystem.TopicOverlay, 3, 0, 10.0, 600)]
    [Category("Whole")]
    public void Paths_take_so_long(ClusterSystem system, int topics, int locality, double milliseconds, int meshes)
    {
        var (sum, count) = (0.0, 0L);
        var law = new NormalLaw(10, 2.5);
        for (var mesh = 0; mesh < meshes; mesh++)
        {
            var random = RandomStream.For(30, 12, (ulong)mesh);
            var topology = Short("overlays-table", topics, locality, system);
            var links = topology.Links.Select(link =>
                link with
                {
                    DelayMilliseconds = new ConstantLaw(Math.Max(0.1, law.Draw(ref random))),
                }
            );
            var run = new ClusterReplications(topology with { Links = [.. links] }, probes: false).Run(30, mesh, mesh)[
                0
            ];
            sum += run.DeliveryMilliseconds.Sum();
            count += run.DeliveryMilliseconds.Count;
        }
        TestContext.Out.WriteLine($"{system} {topics} {locality}: {sum / count:0.00} ms over {count} deliveries");
        Assert.That(sum / count, Is.EqualTo(milliseconds).Within(0.3));
    }

    // Before anything is known, a bare advertisement loses the first publication to every remote subscriber.
    [TestCase(AdvertisementMode.Carry)]
    [TestCase(AdvertisementMode.Bare)]
    public void The_first_publication_on_a_topic_is_lost_to_the_race_where_advertisements_are_bare(
        AdvertisementMode advertisement
    )
    {
        var topology = Short("overlays-table", 3, 50, ClusterSystem.SingleOverlay);
        topology = topology with
        {
            Overlay = topology.Overlay with { Advertisement = advertisement },
            Scenario = topology.Scenario with { Workload = topology.Load with { WarmUp = default } },
        };
        var runs = new ClusterReplications(topology, probes: false).Run(30, 0, 19);
        var share = (double)runs.Sum(run => run.RaceLosses) / runs.Sum(run => run.Publications);
        TestContext.Out.WriteLine($"{advertisement}: {share:0.000} of all publications");
        if (advertisement == AdvertisementMode.Carry)
            Assert.That(share, Is.Zero);
        else
            Assert.That(share, Is.InRange(0.5, 1));
    }

    [TestCase("topics=3,30,60", "topics=3 topics=30 topics=60")]
    [TestCase("locality=0,100", "locality=0 locality=100")]
    [TestCase("system=spanning-tree,single-overlay", "system=spanning-tree system=single-overlay")]
    public void An_axis_of_an_overlay_has_the_values_of_its_list(string text, string labels)
    {
        var variants = TopologyVariation.Of(TopologyFile.Read("overlays-text"), text, "--vary");
        Assert.That(string.Join(' ', variants.Select(variant => variant.Label)), Is.EqualTo(labels));
        Assert.That(
            variants.Select(variant => (variant.Topology.Overlay, variant.Topology.System)).Distinct().Count(),
            Is.EqualTo(variants.Count)
        );
    }

    [TestCase("overlays-text", "locality=30", "'30' is out of range")]
    [TestCase("overlays-text", "topics=0", "'0' is out of range")]
    [TestCase("overlays-text", "system=nats", "allowed: spanning-tree, single-overlay, topic-overlay")]
    [TestCase("bridge-pair", "topics=3", "is for overlays")]
    public void A_value_that_an_axis_cannot_have_is_named(string file, string text, string message)
    {
        var topology = TopologyFile.Read(file);
        var wrong = Assert.Throws<InputException>(() => TopologyVariation.Of(topology, text, "--vary"))!;
        Assert.That(wrong.Message, Does.Contain(message));
    }

    private static double Expected(Topology topology, int topics, int locality)
    {
        var (publishers, subscribers) = (topology.Load.Publishers, topology.Load.Subscribers);
        if (topology.System == ClusterSystem.SpanningTree)
            return Brokers - 1;
        var isSingle = topology.System == ClusterSystem.SingleOverlay;
        if (locality == 100)
            return 0;
        if (locality == 0)
            // Two hops unless the publisher's or the subscribers' broker is the root.
            return (isSingle ? 1.6 : 1) * (1 - Math.Pow(1 - (1.0 / topics), subscribers));
        var one = 1.0 / (Brokers * topics);
        if (!isSingle)
            return 4 * (1 - Math.Pow(1 - one, publishers + subscribers - 1));
        var wanted = 1 - Math.Pow(1 - one, subscribers);
        var wantedByAny = 1 - Math.Pow(1 - (4 * one), subscribers);
        return (3.2 * wanted) + (0.8 * wantedByAny);
    }

    private static (double Mean, double Half) Interval(double[] values, double error)
    {
        var mean = values.Average();
        var deviation = Math.Sqrt(values.Sum(value => (value - mean) * (value - mean)) / (values.Length - 1));
        return (mean, Normal.InvCDF(0, 1, 1 - (error / 2)) * deviation / Math.Sqrt(values.Length));
    }

    // Equal links without a rate, a short discovery, and one message of each publisher.
    private static Topology Short(string file, int topics, int locality, ClusterSystem system)
    {
        var topology = TopologyFile.Read(file);
        return topology with
        {
            System = system,
            Links =
            [
                .. topology.Links.Select(link =>
                    link with
                    {
                        DelayMilliseconds = new ConstantLaw(10),
                        BitsPerSecond = null,
                    }
                ),
            ],
            Overlay = topology.Overlay with { Topics = topics, LocalityPercent = locality, CollectSeconds = 0.5 },
            Scenario = topology.Scenario with
            {
                Duration = TimeSpan.FromSeconds(topology.Load.Publishers / topology.Load.MessagesPerSecond),
            },
        };
    }
}
