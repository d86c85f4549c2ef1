using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>
/// The load of a run, and when its fault happens: half of the readers are away while it does, and come back.
/// </summary>
/// <param name="Duration">How long messages are published.</param>
/// <param name="Settle">How long subscriptions stand before.</param>
/// <param name="Away">How long readers are away, from a quarter of the duration on.</param>
/// <param name="Earliest">When the fault begins at the earliest.</param>
/// <param name="Latest">When it begins at the latest.</param>
/// <param name="Lasts">How long it lasts.</param>
/// <param name="Patience">How long a run waits at its end.</param>
/// <param name="Rest">How long a run takes beside: it connects, looks whether messages pass, waits, and leaves.</param>
/// <param name="StartTime">How long the brokers take to start.</param>
internal sealed record SurvivalLoad(
    TimeSpan Duration,
    TimeSpan Settle,
    TimeSpan Away,
    TimeSpan Earliest,
    TimeSpan Latest,
    TimeSpan Lasts,
    RunPatience Patience,
    TimeSpan Rest,
    TimeSpan StartTime
)
{
    private const int PairsOfOne = 8;
    private const int MessagesPerSecondOfPair = 10;

    // Brokers of a cluster elect leaders and open bridges again, which takes some of them 30 s.
    private static readonly SurvivalLoad s_ofCluster = new(
        Seconds(8),
        Seconds(1),
        Seconds(4),
        Seconds(2.5),
        Seconds(3),
        Seconds(2),
        new(Seconds(40), Seconds(2)),
        Seconds(5),
        Seconds(20)
    );

    private static readonly SurvivalLoad s_ofOne = new(
        Seconds(5),
        Seconds(.5),
        Seconds(2.5),
        Seconds(1.6),
        Seconds(2),
        Seconds(1),
        new(Seconds(10), Seconds(1)),
        Seconds(3.5),
        Seconds(3)
    );

    /// <summary>The times that suit a cluster, or a single broker.</summary>
    /// <param name="topology">The cluster.</param>
    public static SurvivalLoad Of(Topology topology) => topology.Brokers.Count > 1 ? s_ofCluster : s_ofOne;

    /// <summary>How long a run takes in which nothing is lost.</summary>
    public TimeSpan RunTime => Settle + Duration + Rest;

    /// <summary>When the fault happens, in the language of faults.</summary>
    public string FaultTime =>
        Invariant($"at U({Milliseconds(Earliest)}ms,{Milliseconds(Latest)}ms) for {Milliseconds(Lasts)}ms");

    /// <summary>The scenario of a run.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="maximumQos">The highest quality of service that its brokers take.</param>
    /// <param name="faults">The faults of the run.</param>
    public ClusterScenario ScenarioOf(Topology topology, int maximumQos, IReadOnlyList<ClusterFault> faults)
    {
        var promises = SystemPromises.Of(topology);
        return topology.Scenario with
        {
            Name = "survives",
            Workload = topology.OfSites(WorkloadOf(topology, maximumQos)),
            Duration = Duration,
            Settle = Settle,
            Return = ClientReturn.Same,
            Sessions = new SessionLoad(
                One(promises.SharedSubscriptions),
                topology.Brokers.Count > 1 ? One(promises.TakeOver) : 0,
                One(promises.Wills)
            ),
            Faults = faults,
            Properties = [],
        };
    }

    private Workload WorkloadOf(Topology topology, int maximumQos)
    {
        var brokers = topology.Brokers.Count;
        // A pair for each ordered pair of brokers, at QoS 1 and again at QoS 2.
        var pairs = brokers == 1 ? PairsOfOne : 2 * brokers * brokers;
        return new()
        {
            Name = "acknowledged",
            Description = "Half of the publishers send QoS 1 and half QoS 2, and half of the readers are away.",
            Publishers = pairs,
            Subscribers = pairs,
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = Math.Min(400, MessagesPerSecondOfPair * pairs),
            Qos = QualityOfService.AtLeastOnce,
            SecondQos = maximumQos > 1 ? QualityOfService.ExactlyOnce : null,
            SubscribeQos = maximumQos > 1 ? QualityOfService.ExactlyOnce : QualityOfService.AtLeastOnce,
            PersistentSubscribers = true,
            OfflineShare = .5,
            OfflineTime = Away,
            WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
            Duration = Duration,
        };
    }

    private static int One(SessionReach reach) => reach == SessionReach.Cluster ? 1 : 0;

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);

    private static long Milliseconds(TimeSpan time) => (long)time.TotalMilliseconds;
}
