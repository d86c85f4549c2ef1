using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Shards;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

[TestFixture]
internal sealed class ClusterJobTests
{
    // Numbers without a short decimal form: what travels has to be the same to the bit.
    private static readonly Topology s_topology = TopologyFamily.TryParse("mesh:3", out var family)
        ? family.ToTopology(
            ClusterSystem.SpanningTree,
            new()
            {
                From = 0,
                To = 1,
                DelayMilliseconds = new NormalLaw(10.0 / 3, 1.0 / 7),
                BitsPerSecond = 1e7 / 3,
                Loss = 1.0 / 300,
            }
        ) with
        {
            KeepAliveSeconds = 1.0 / 3,
            Rules = TreeRules.Paper,
            Overlay = new()
            {
                Advertisement = (AdvertisementMode)1,
                Root = (RootRule)1,
                Balance = new()
                {
                    Gamma = 1.0 / 3,
                    Delta = 2.0 / 3,
                    CountsFilters = true,
                },
                AnnounceLoss = 1.0 / 7,
                AnnounceSeconds = 1.0 / 7,
                CollectSeconds = 2.0 / 7,
                SilenceSeconds = 8.0 / 7,
            },
            Hop = PeerHopMode.Transport417,
            Transport = new()
            {
                SendsPerSecond = 10_000.0 / 7,
                ReceivesPerSecond = 10_000.0 / 9,
                SendQueue = 5,
                ReceiveQueue = 4,
                Shed = 7,
                RetransmissionMilliseconds = 100.0 / 3,
            },
            HasIds = false,
            Sites =
            [
                new()
                {
                    Name = "here",
                    Node = 1,
                    DelayMilliseconds = new ExponentialLaw(2.0 / 3),
                    Publishers = 3,
                    Subscribers = 2,
                },
            ],
            Scenario = new()
            {
                Workload = new()
                {
                    Name = "w",
                    Shape = WorkloadShape.FanOut,
                    Publishers = 3,
                    Subscribers = 2,
                    Arrivals = ArrivalKind.Poisson,
                    MessagesPerSecond = 100.0 / 3,
                },
                Duration = TimeSpan.FromTicks(31_234_567),
                Settle = TimeSpan.FromTicks(1_234_567),
                Return = ClientReturn.Next,
                Faults = [FaultText.Parse("kill any at U(1s,2s) for 1s", "fault")],
            },
        }
        : throw new InvalidOperationException();

    [Test]
    public void A_job_that_travelled_has_the_same_outcomes_and_they_travel_to_the_bit()
    {
        var job = new ClusterJob(new(s_topology, Probes: true, Seed: 7, Pairs: true, IsChecked: false));
        var travelled = ClusterJob.Parse(job.Describe().Parts);
        var topology = ReplicationQuestion.Kind.Parse(job.Describe().Parts[0], "job").Topology;
        Assert.That(
            (topology.Overlay, topology.Transport, travelled.Describe().Hash),
            Is.EqualTo((s_topology.Overlay, s_topology.Transport, job.Describe().Hash))
        );
        var shard = new Shard(3, 4);
        var bytes = travelled.StartShards()(shard, default);
        Assert.That(bytes, Is.EqualTo(job.StartShards()(shard, default)));
        var outcomes = job.Read(shard, bytes);
        var local = new LocalShardRunner(2).Run(job, 7, default).Skip(3).ToArray();
        Assert.That(outcomes.Select(OutcomeFields.Of), Is.EqualTo(local.Select(OutcomeFields.Of)));
        Assert.That(local.Sum(outcome => outcome.DeliveryMilliseconds.Count), Is.GreaterThan(100));
        Assert.That(outcomes[0].Pairs.Single().DeliveryNanoseconds, Is.Not.Empty);
    }

    // A field that the job leaves out has its default value after the way.
    [Test]
    public void Every_field_of_an_outcome_travels()
    {
        var job = new ClusterJob(Asked(s_topology), new Given(OutcomeFields.Filled()));
        var shard = new Shard(0, 1);
        var travelled = job.Read(shard, job.StartShards()(shard, default)).Single();
        var fields = OutcomeFields.Of(OutcomeFields.Filled());
        Assert.That(OutcomeFields.Of(travelled), Is.EqualTo(fields));
        Assert.That(OutcomeFields.Of(OutcomeFields.Empty()).Intersect(fields), Is.Empty, "each is filled");
    }

    [Test]
    public void What_an_outcome_does_not_know_travels_as_unknown()
    {
        var job = new ClusterJob(Asked(s_topology), new Given(OutcomeFields.Empty()));
        var shard = new Shard(0, 1);
        var travelled = job.Read(shard, job.StartShards()(shard, default)).Single();
        Assert.That(OutcomeFields.Of(travelled), Is.EqualTo(OutcomeFields.Of(OutcomeFields.Empty())));
    }

    [TestCase("tree:2x3", ClusterSystem.Flood)]
    [TestCase("ring:5", ClusterSystem.SpanningTree)]
    [TestCase("overlays-text", ClusterSystem.TopicOverlay)]
    [TestCase("mesh:4", ClusterSystem.SingleOverlay)]
    public void A_family_travels(string name, ClusterSystem system)
    {
        var description = new ClusterJob(Asked(TopologyFile.Read(name, system))).Describe();
        Assert.That(ClusterJob.Parse(description.Parts).Describe().Hash, Is.EqualTo(description.Hash));
    }

    // A new property has to be written by TopologyFormat, or workers simulate another cluster.
    [Test]
    public void Every_property_of_a_topology_is_known_to_travel_or_to_play_no_part()
    {
        string[] known =
        [
            "Address",
            "Advertisement",
            "AnnounceLoss",
            "AnnounceSeconds",
            "AnnouncesOnLinks",
            "At",
            "Balance",
            "BitsPerSecond",
            "Brokers",
            "Capability",
            "CollectSeconds",
            "Command",
            "DelayMilliseconds",
            "Description",
            "Duration",
            "Faults",
            "From",
            "HasIds",
            // Whether a live node asks its machine.
            "HasOwnCapability",
            "HasTransport",
            "Hop",
            "IsCleanSession",
            "IsInBand",
            "IsPersistent",
            "KeepAliveSeconds",
            "Kind",
            "Links",
            "Load",
            "LocalityPercent",
            "Loss",
            // Read by live nodes alone.
            "Machine",
            "Multicast",
            "Name",
            "Node",
            "Nodes",
            "Overlay",
            // Read by systems that are simulated in one process.
            "Pipeline",
            "Properties",
            "Publishers",
            "Return",
            "Root",
            "Rules",
            "Scenario",
            "ServiceMilliseconds",
            // Refused before anything is simulated.
            "Sessions",
            "Settle",
            "SilenceSeconds",
            "Sites",
            "StreamReplicas",
            "Subscribers",
            "System",
            "To",
            "TopicPrefix",
            "Topics",
            "Transport",
            "Workload",
            // Bridges, brokers of others and those that run already are not simulated.
            "Settings",
            "Access",
            "Broker",
            "Commands",
            "HasBridges",
            "IsEchoed",
            "IsLocalCleanSession",
            "IsMounted",
            "IsOnDemand",
            "IsOutside",
            "IsUnsubscribing",
            "IsVersion5",
            "MaxQueuedMessages",
            "Options",
        ];
        Type[] types =
        [
            typeof(Topology),
            typeof(TopologyNode),
            typeof(TopologyLink),
            typeof(TopologySite),
            typeof(ClusterScenario),
            typeof(OverlaySettings),
        ];
        Assert.That(
            types.SelectMany(type => type.GetProperties()).Select(one => one.Name).Distinct(),
            Is.SubsetOf(known)
        );
    }

    [Test]
    public void Times_are_read_back_to_the_tick()
    {
        var times = Gen.Choose(0, int.MaxValue).Select(ticks => TimeSpan.FromTicks(ticks * 397L));
        Check.QuickThrowOnFailure(
            Prop.ForAll(times.ToArbitrary(), time => TimeSpan.FromSeconds(WorkloadFile.Seconds(time)) == time)
        );
    }

    private static ReplicationQuestion Asked(Topology topology) => new(topology, false, 1, false, false);

    private sealed class Given(ClusterOutcome outcome) : IReplications
    {
        public Func<int, ClusterOutcome> Start(ulong seed) => _ => outcome;
    }
}
