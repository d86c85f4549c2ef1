using MqttCheck.App.Clusters.Survival;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Tests.Terminal;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Histories;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Cli.Tests.Survives;

/// <summary>Runs whose outcomes a test plans; each takes some seconds of the test's clock.</summary>
/// <param name="time">The clock.</param>
/// <param name="outcome">The outcome of a run by its fault and the number of its round, from 0.</param>
internal sealed class PlannedRuns(ManualTime time, Func<string, int, SurvivalRun?> outcome) : ISurvivalRuns
{
    /// <summary>How long a run takes.</summary>
    public TimeSpan Run { get; init; } = TimeSpan.FromSeconds(8);

    /// <summary>The highest QoS of the broker.</summary>
    public int MaximumQos { get; init; } = 2;

    /// <summary>The faults of the runs in their order.</summary>
    public List<string> Made { get; } = [];

    /// <summary>Whether each run wrote retained messages.</summary>
    public List<bool> Kept { get; } = [];

    public Task<BrokerDescription> StartAsync(CancellationToken cancellation)
    {
        time.Advance(TimeSpan.FromSeconds(2));
        return Task.FromResult(new BrokerDescription { Name = "planned", MaximumQos = MaximumQos });
    }

    public Task<SurvivalRun?> RunAsync(
        ClusterScenario scenario,
        int run,
        bool keepsMessages,
        CancellationToken cancellation
    )
    {
        var fault = scenario.Faults[0].ToString().Split(' ')[0];
        time.Advance(Run);
        Made.Add(fault);
        Kept.Add(keepsMessages);
        return Task.FromResult(cancellation.IsCancellationRequested ? null : outcome(fault, run % 10_000));
    }

    /// <summary>A run in which nothing is lost.</summary>
    public static SurvivalRun Whole { get; } = new(Outcome(0, 0, 0), null);

    /// <summary>A run that loses messages of QoS 1, retained messages and sessions.</summary>
    public static SurvivalRun Losing(long messages, long retained, long sessions) =>
        new(Outcome(messages, retained, sessions) with { History = messages > 0 ? HistoryOf(messages) : null }, null);

    private static RunHistory HistoryOf(long lost) =>
        new()
        {
            Names = new ClientNames(["a"], ["a"]),
            LengthNanoseconds = 5_000_000_000,
            LateAfterNanoseconds = 500_000_000,
            Faults = [new FaultSpan(FaultKind.Kill, "kill a", 0, -1, 1_000_000_000) { End = 2_000_000_000 }],
            Bins = new FateBins(1, 5_000_000_000),
            Messages = [],
            Published = 200,
            Acknowledged = 200,
            Lost = new LostMessages(lost, 0, 0, 0, 0),
            Explaining = [],
        };

    /// <summary>An outcome.</summary>
    public static ClusterOutcome Outcome(
        long messages,
        long retained,
        long sessions,
        long repeated = 0,
        params string[] broken
    ) =>
        new()
        {
            Publications = 200,
            Deliveries = 200,
            DeliveryMilliseconds = [],
            Lost = messages,
            LostSettled = 0,
            Duplicates = 0,
            Reordered = 0,
            Racing = 0,
            ByQos =
            [
                new(1, 100, messages, 0, 3, messages > 0 ? "message #3 of publisher 1 never came" : ""),
                new(2, 90, 0, 0, repeated, repeated > 0 ? "message #1 of publisher 5 came twice" : ""),
            ],
            SessionsForgotten = sessions,
            Kept = new(40, retained, retained > 0 ? "retained message #1 was not there" : ""),
            Violations = [.. broken.Select(invariant => new ClusterViolation(invariant, 0, "it broke"))],
        };
}
