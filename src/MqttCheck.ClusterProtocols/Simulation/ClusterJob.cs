using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Shards;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The replications of a cluster, with the outcome of each.</summary>
internal sealed class ClusterJob : ReplicationJob<ClusterOutcome>
{
    /// <summary>The name of this kind of job.</summary>
    public const string Kind = "cluster";

    // Every field of an outcome travels by its name. The time of what never came is infinite.
    private static readonly JsonSerializerOptions s_json = new()
    {
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    private readonly Topology _topology;
    private readonly bool _probes;
    private readonly ulong _seed;
    private readonly IReplications _replications;
    private readonly bool _pairs;
    private readonly bool _isChecked;

    /// <summary>A job.</summary>
    /// <param name="topology">The topology, with load and faults.</param>
    /// <param name="probes">Whether there are probes, see <see cref="ClusterReplications"/>.</param>
    /// <param name="seed">The seed of all replications.</param>
    /// <param name="places">
    /// The places of the topology by which deliveries are told apart; null if they are not.
    /// </param>
    /// <param name="isChecked">Whether the monitors of live runs judge each replication.</param>
    /// <exception cref="InputException">Its system, its hops or its load cannot be simulated.</exception>
    public ClusterJob(Topology topology, bool probes, ulong seed, ClientPlaces? places = null, bool isChecked = false)
        : this(topology, new ClusterReplications(topology, probes, places, isChecked), seed) =>
        (_probes, _pairs, _isChecked) = (probes, places is not null, isChecked);

    /// <summary>A job whose replications somebody else makes, in this process only.</summary>
    /// <param name="topology">The topology.</param>
    /// <param name="replications">Its replications.</param>
    /// <param name="seed">The seed of all replications.</param>
    internal ClusterJob(Topology topology, IReplications replications, ulong seed) =>
        (_topology, _replications, _seed) = (topology, replications, seed);

    /// <summary>Reads what <see cref="Describe"/> wrote.</summary>
    /// <param name="parts">The one part.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static ClusterJob Parse(IReadOnlyList<byte[]> parts)
    {
        var asked = ClusterQuestion.Kind.Parse(parts[0], Kind);
        var places = asked.Pairs ? ClientPlaces.Of(asked.Topology) : null;
        return new(asked.Topology, asked.Probes, asked.Seed, places, asked.IsChecked);
    }

    /// <inheritdoc/>
    public override Func<int, CancellationToken, ClusterOutcome> Start()
    {
        var simulate = _replications.Start(_seed);
        return (replication, cancellation) =>
        {
            cancellation.ThrowIfCancellationRequested();
            return simulate(replication);
        };
    }

    /// <inheritdoc/>
    public override JobDescription Describe() =>
        _replications is ClusterReplications
            ? new(Kind, ClusterQuestion.Kind.ToBytes(new(_topology, _probes, _seed, _pairs, _isChecked)))
            : throw new InputException(
                $"{_topology.Name}: the system '{_topology.System.Name()}' is simulated in one process; "
                    + "leave out the workers."
            );

    /// <inheritdoc/>
    protected override void Write(BinaryWriter writer, ClusterOutcome outcome) =>
        writer.Write(JsonSerializer.Serialize(outcome, s_json));

    /// <inheritdoc/>
    protected override ClusterOutcome Read(BinaryReader reader) =>
        JsonSerializer.Deserialize<ClusterOutcome>(reader.ReadString(), s_json)!;
}
