using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>
/// The setup of a live run on a cluster: the clients of a workload, which the topology places, and probes between all
/// pairs of nodes.
/// </summary>
internal sealed record LiveClusterSetup
{
    /// <summary>The cluster, started.</summary>
    public required IClusterUnderTest Cluster { get; init; }

    /// <summary>The load.</summary>
    public required Workload Workload { get; init; }

    /// <summary>
    /// The places and topics of its clients. Null (the default) stands for those that topology and workload give to
    /// every run.
    /// </summary>
    internal RunClients? Clients { get; init; }

    /// <summary>
    /// How long nothing is sent between counted warm-up messages, which do not count, and the others. Default 0.
    /// </summary>
    public TimeSpan WarmUpPause { get; init; }

    /// <summary>The faults, with times counted from the first message that counts. Default none.</summary>
    public IReadOnlyList<ScheduledFault> Faults { get; init; } = [];

    /// <summary>
    /// The beginning of all client identifiers, and of topics behind <see cref="TopicPrefix"/>: letters, digits,
    /// slashes, a slash last.
    /// </summary>
    public required string Prefix { get; init; }

    /// <summary>The beginning of all topics, see <see cref="ClusterScenario.TopicPrefix"/>. Default empty.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>The beginning of all topics of the run.</summary>
    internal string Topics => TopicPrefix + Prefix;

    /// <summary>Told, before anything is published, when messages begin to count, in nanoseconds.</summary>
    internal Action<long>? Began { get; init; }

    /// <summary>The seed of the schedule, of payloads, and of who goes offline.</summary>
    public ulong Seed { get; init; }

    /// <summary>How long subscriptions stand before the first message. Default 20 ms.</summary>
    public TimeSpan HeadStart { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>How long to wait after the last message for what is under way. Default 5 s.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long to wait where nothing more is owed; null (the default) as where something is.</summary>
    public TimeSpan? DrainOfUnowed { get; init; }

    /// <summary>Whether retained messages are written, and asked for at the end. Default no.</summary>
    public bool KeepsMessages { get; init; }

    /// <summary>
    /// How many messages a closed loop sends in a second at most; null (the default) for as many as the brokers answer.
    /// </summary>
    public double? MostPerSecond { get; init; }

    /// <summary>The clients that share subscriptions or take over. Default none.</summary>
    public SessionLoad Sessions { get; init; } = SessionLoad.None;

    /// <summary>Whether a client that lost its connection tries the next node. Default no.</summary>
    public bool Failover { get; init; }

    /// <summary>Probes of each ordered pair of nodes each second, 0 .. 1000; 0 for none. Default 10.</summary>
    public double ProbesPerSecond { get; init; } = 10;
}
