using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>A run that the search may make: its faults, and how much is published.</summary>
/// <param name="Faults">The faults, at fixed times.</param>
/// <param name="Pairs">How many publishers there are, each with a reader of its own.</param>
/// <param name="Messages">How many messages all of them publish.</param>
internal sealed record SearchSchedule(IReadOnlyList<SearchFault> Faults, int Pairs, int Messages)
{
    /// <summary>How long messages are published: until all faults are over, and a while after.</summary>
    public TimeSpan Duration =>
        TimeSpan.FromMilliseconds(
            Math.Max(2000, 1000 + Faults.Select(fault => fault.EndMilliseconds).DefaultIfEmpty().Max())
        );

    /// <summary>The scenario of a run.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="settle">How long subscriptions stand before.</param>
    /// <param name="maximumQos">The highest quality of service that its brokers take.</param>
    public ClusterScenario ScenarioOf(Topology topology, TimeSpan settle, int maximumQos) =>
        new()
        {
            Name = "worst",
            Description = "The smallest schedule found under which acknowledged messages are lost.",
            TopicPrefix = topology.Scenario.TopicPrefix,
            Duration = Duration,
            Settle = settle,
            Workload = topology.OfSites(WorkloadOf(maximumQos)),
            Faults = [.. Faults.Select(fault => FaultText.Read(fault.Text))],
            Properties = [new ScenarioProperty("P>=0.9[ lost = 0 ]", "survives --search")],
        };

    /// <inheritdoc/>
    public override string ToString() =>
        FormattableString.Invariant($"{Messages} messages of {Pairs} publishers: ")
        + string.Join("; ", Faults.Select(fault => fault.Text));

    private Workload WorkloadOf(int maximumQos)
    {
        var hasBoth = maximumQos > 1 && Pairs > 1;
        return new()
        {
            Name = "worst",
            Publishers = Pairs,
            Subscribers = Pairs,
            Arrivals = ArrivalKind.Constant,
            MessagesPerSecond = Messages / Duration.TotalSeconds,
            Qos = QualityOfService.AtLeastOnce,
            SecondQos = hasBoth ? QualityOfService.ExactlyOnce : null,
            SubscribeQos = hasBoth ? QualityOfService.ExactlyOnce : QualityOfService.AtLeastOnce,
            PersistentSubscribers = true,
            OfflineShare = .5,
            OfflineTime = Duration / 2,
            WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
            Duration = Duration,
        };
    }
}
