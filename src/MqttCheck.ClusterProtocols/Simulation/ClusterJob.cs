using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Shards;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The replications of a cluster, with the outcome of each.</summary>
/// <param name="question">The question.</param>
/// <param name="replications">
/// Its replications, if somebody makes them in this process only; null for those that a worker makes, too.
/// </param>
/// <exception cref="InputException">Its system, its hops or its load cannot be simulated.</exception>
internal sealed class ClusterJob(ReplicationQuestion question, IReplications? replications = null)
    : ReplicationJob<ClusterOutcome>
{
    /// <summary>The name of this kind of job.</summary>
    public const string Kind = "cluster";

    // Every field of an outcome travels by its name. The time of what never came is infinite.
    private static readonly JsonSerializerOptions s_json = new()
    {
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    private readonly ReplicationQuestion _question = question;
    private readonly IReplications _replications = replications ?? ClusterReplications.Of(question);

    /// <summary>Reads what <see cref="Describe"/> wrote.</summary>
    /// <param name="parts">The one part.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static ClusterJob Parse(IReadOnlyList<byte[]> parts) => new(ReplicationQuestion.Kind.Parse(parts[0], Kind));

    /// <inheritdoc/>
    public override Func<int, CancellationToken, ClusterOutcome> Start()
    {
        var simulate = _replications.Start(_question.Seed);
        return (replication, cancellation) =>
        {
            cancellation.ThrowIfCancellationRequested();
            return simulate(replication);
        };
    }

    /// <inheritdoc/>
    public override JobDescription Describe() =>
        _replications is ClusterReplications
            ? new(Kind, ReplicationQuestion.Kind.ToBytes(_question))
            : throw new InputException(
                $"{_question.Topology.Name}: the system '{_question.Topology.System.Name()}' is simulated in one "
                    + "process; leave out the workers."
            );

    /// <inheritdoc/>
    protected override void Write(BinaryWriter writer, ClusterOutcome outcome) =>
        writer.Write(JsonSerializer.Serialize(outcome, s_json));

    /// <inheritdoc/>
    protected override ClusterOutcome Read(BinaryReader reader) =>
        JsonSerializer.Deserialize<ClusterOutcome>(reader.ReadString(), s_json)!;
}
