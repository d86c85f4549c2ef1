using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>A column of the table: something that a broker promises to keep.</summary>
/// <param name="Name">Its name in files.</param>
/// <param name="Title">Its name in words.</param>
/// <param name="Unit">What is counted, in the plural.</param>
/// <param name="WhyNot">Why a cluster with a highest QoS has nothing to lose in it; null if it has.</param>
/// <param name="Of">What a run lost; null if it could not show it.</param>
internal sealed record SurvivalColumn(
    string Name,
    string Title,
    string Unit,
    Func<Topology, int, string?> WhyNot,
    Func<ClusterOutcome, int, SurvivalCount?> Of
)
{
    /// <summary>The column of retained messages.</summary>
    public static SurvivalColumn Retained { get; } =
        new(
            "retained",
            "retained messages",
            "messages",
            (topology, _) => topology.System == ClusterSystem.Pipeline ? "the system keeps no retained messages" : null,
            (run, _) => run.Kept is { } kept ? new(kept.Missing, kept.Acknowledged, 0, 0, kept.First) : null
        );

    /// <summary>All columns, in their order.</summary>
    public static IReadOnlyList<SurvivalColumn> All { get; } =
    [
        new("qos1", "acknowledged QoS 1 messages", "messages", (_, _) => null, (run, _) => Messages(run, 1)),
        new(
            "qos2",
            "acknowledged QoS 2 messages",
            "messages",
            (_, most) => most > 1 ? null : Invariant($"the brokers take QoS {most} at most"),
            (run, _) => Messages(run, 2)
        ),
        Retained,
        new("sessions", "sessions", "sessions", (_, _) => null, Sessions),
        new(
            "shared-subscriptions",
            "shared subscriptions",
            "messages",
            (topology, _) =>
                SystemPromises.Of(topology) is { SharedSubscriptions: not SessionReach.Cluster } promises
                    ? promises.OfSharedSubscriptions
                    : null,
            (run, _) => Promise(run, "shared subscription")
        ),
        new(
            "wills",
            "wills",
            "wills",
            (topology, _) =>
                SystemPromises.Of(topology) is { Wills: not SessionReach.Cluster } promises ? promises.OfWills : null,
            (run, _) => Promise(run, "will")
        ),
        new(
            "take-over",
            "take-over at another node",
            "clients",
            (topology, _) =>
                topology.Brokers.Count == 1 ? "there is one broker"
                : SystemPromises.Of(topology) is { TakeOver: not SessionReach.Cluster } promises ? promises.OfTakeOver
                : null,
            (run, _) => Promise(run, "take-over")
        ),
    ];

    private static SurvivalCount? Messages(ClusterOutcome run, int qos)
    {
        foreach (var level in run.ByQos)
            if (level.Qos == qos && level.Owed > 0)
                return new(
                    level.Lost,
                    level.Owed,
                    level.LostOfForgotten,
                    // A repeat is allowed at QoS 1.
                    qos == 2
                        ? level.Repeated
                        : 0,
                    level.Example
                );
        return null;
    }

    private static SurvivalCount? Sessions(ClusterOutcome run, int sessions) =>
        new(
            run.SessionsForgotten,
            sessions,
            0,
            0,
            run.SessionsForgotten > 0
                ? Invariant($"{run.SessionsForgotten} of {sessions} clients came back to a broker that answered ")
                    + "'session present: 0'"
                : ""
        );

    // The monitor of a promise judges what is away from the fault: whether it holds again afterwards.
    private static SurvivalCount? Promise(ClusterOutcome run, string invariant)
    {
        var broken = run.Violations.Where(violation => violation.Invariant == invariant).ToList();
        return new(broken.Count, 0, 0, 0, broken.Count > 0 ? broken[0].What : "");
    }
}
