using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Json;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The replications that a worker is asked for.</summary>
/// <param name="Topology">The cluster.</param>
/// <param name="Probes">Whether probes run between all pairs of nodes.</param>
/// <param name="Seed">The seed.</param>
/// <param name="Pairs">Whether deliveries are told apart by the places of their clients.</param>
/// <param name="IsChecked">Whether monitors judge each replication.</param>
internal sealed record ReplicationQuestion(Topology Topology, bool Probes, ulong Seed, bool Pairs, bool IsChecked)
{
    private const double UsualKeepAliveSeconds = 2;

    /// <summary>The places by which deliveries are told apart; null if they are not.</summary>
    public ClientPlaces? Places => Pairs ? ClientPlaces.Of(Topology) : null;

    /// <summary>Its format.</summary>
    public static JsonKind<ReplicationQuestion> Kind { get; } =
        JsonFormat.Of<ReplicationQuestion>(fields =>
        {
            var seed = fields.Required("seed", JsonKinds.Seed, of => of.Seed);
            var probes = fields.Required("probes", JsonKinds.Flag, of => of.Probes);
            var pairs = fields.Required("pairs", JsonKinds.Flag, of => of.Pairs);
            var isChecked = fields.Required("checks", JsonKinds.Flag, of => of.IsChecked);
            // These may have been varied to values that a file has no words for.
            var keepAlive = fields.Required(
                "keepAliveSeconds",
                JsonKinds.Number(0),
                of => of.Topology.KeepAliveSeconds
            );
            var rates = fields.Required(
                "bitsPerSecond",
                JsonKinds.List(JsonKinds.Number(0), "an array of rates"),
                of => [.. of.Topology.Links.Select(link => link.BitsPerSecond ?? 0)]
            );
            var topology = fields.Required("topology", TopologyFormat.Kind, of => Plain(of.Topology));
            return new(
                topology with
                {
                    KeepAliveSeconds = keepAlive,
                    Links =
                    [
                        .. topology.Links.Zip(
                            rates,
                            (link, rate) => link with { BitsPerSecond = rate > 0 ? rate : null }
                        ),
                    ],
                },
                probes,
                seed,
                pairs,
                isChecked
            );
        });

    // Replications do not know what is asked of their outcomes.
    private static Topology Plain(Topology topology) =>
        topology with
        {
            KeepAliveSeconds = UsualKeepAliveSeconds,
            Links = [.. topology.Links.Select(link => link with { BitsPerSecond = null })],
            Scenario = topology.Scenario with { Properties = [] },
        };
}
