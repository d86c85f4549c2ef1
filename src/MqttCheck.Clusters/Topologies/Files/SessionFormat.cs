using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The key of clients that share subscriptions or take over across nodes.</summary>
internal static class SessionFormat
{
    /// <summary>The numbers of these clients.</summary>
    public static JsonKind<SessionLoad> Kind { get; } =
        JsonFormat.Of<SessionLoad>(fields =>
            new(
                fields.Optional(
                    "sharedSubscriptions",
                    JsonKinds.Integer(0, SessionLoad.Most),
                    of => of.SharedSubscriptions,
                    0
                ),
                fields.Optional("takeOvers", JsonKinds.Integer(0, SessionLoad.Most), of => of.TakeOvers, 0),
                fields.Optional("wills", JsonKinds.Integer(0, SessionLoad.Most), of => of.Wills, 0)
            )
        );

    /// <summary>Why a topology cannot have such clients; null if it can.</summary>
    public static string? Problem(Topology topology) =>
        topology.Scenario.Sessions != SessionLoad.None && topology.Brokers.Count < 2
            ? "there is one broker, and these clients are at several; allowed: at least two brokers"
            : null;
}
