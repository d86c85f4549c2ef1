using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Shards;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The replications of a cluster, with the outcome of each.</summary>
internal sealed class ClusterJob : ReplicationJob<ClusterOutcome>
{
    /// <summary>The name of this kind of job.</summary>
    public const string Kind = "cluster";

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
        var (topology, probes, seed, pairs, isChecked) = ClusterJobText.Read(parts[0], Kind);
        return new(topology, probes, seed, pairs ? ClientPlaces.Of(topology) : null, isChecked);
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
            ? new(Kind, ClusterJobText.Write(_topology, _probes, _seed, _pairs, _isChecked))
            : throw new InputException(
                $"{_topology.Name}: the system '{_topology.System.Name()}' is simulated in one process; "
                    + "leave out the workers."
            );

    /// <inheritdoc/>
    protected override void Write(BinaryWriter writer, ClusterOutcome outcome)
    {
        foreach (var count in Counts(outcome))
            writer.Write(count);
        foreach (var value in Optionals(outcome))
        {
            writer.Write(value.HasValue);
            writer.Write(value ?? 0);
        }
        foreach (var count in LinkCounts(outcome))
        {
            writer.Write(count.HasValue);
            writer.Write(count ?? 0);
        }
        Write(writer, outcome.DeliveryMilliseconds);
        Write(writer, outcome.AcknowledgementMilliseconds);
        writer.Write(outcome.Pairs.Count);
        foreach (var pair in outcome.Pairs)
            Write(writer, pair);
        writer.Write(outcome.IsServiceLost);
        Write(writer, outcome.Violations);
        Write(writer, outcome.Reports);
    }

    /// <inheritdoc/>
    protected override ClusterOutcome Read(BinaryReader reader)
    {
        // Initialisers run in the order of writing.
        return new()
        {
            Publications = reader.ReadInt64(),
            Deliveries = reader.ReadInt64(),
            WithoutSubscription = reader.ReadInt64(),
            Owed = reader.ReadInt64(),
            Missing = new(reader.ReadInt64(), reader.ReadInt64(), reader.ReadInt64(), reader.ReadInt64()),
            Lost = reader.ReadInt64(),
            LostSettled = reader.ReadInt64(),
            Duplicates = reader.ReadInt64(),
            Reordered = reader.ReadInt64(),
            Racing = reader.ReadInt64(),
            RaceLosses = reader.ReadInt64(),
            RepairMilliseconds = Number(reader),
            ConvergenceMilliseconds = Number(reader),
            BlackoutMilliseconds = Number(reader),
            ProbeResolutionMilliseconds = Number(reader),
            UnwatchedMilliseconds = Number(reader),
            CaughtUpMilliseconds = Number(reader),
            Throughput = Number(reader),
            LinkMessages = Count(reader),
            LinkBytes = Count(reader),
            SignallingBytes = Count(reader),
            Retransmitted = Count(reader),
            DeliveryMilliseconds = Many(reader, one => one.ReadDouble()),
            AcknowledgementMilliseconds = Many(reader, one => one.ReadDouble()),
            Pairs = Many(reader, Pair),
            IsServiceLost = reader.ReadBoolean(),
            Violations = Many(reader, Violation),
            Reports = Many(reader, Violation),
        };
    }

    private static ClusterViolation Violation(BinaryReader reader) =>
        new(reader.ReadString(), reader.ReadInt64(), reader.ReadString());

    private static PairOutcome Pair(BinaryReader reader) =>
        new(
            reader.ReadInt32(),
            reader.ReadInt32(),
            reader.ReadInt64(),
            reader.ReadInt64(),
            reader.ReadInt64(),
            Many(reader, one => one.ReadInt64())
        );

    private static double? Number(BinaryReader reader)
    {
        var isKnown = reader.ReadBoolean();
        var value = reader.ReadDouble();
        return isKnown ? value : null;
    }

    private static long? Count(BinaryReader reader)
    {
        var isKnown = reader.ReadBoolean();
        var value = reader.ReadInt64();
        return isKnown ? value : null;
    }

    private static T[] Many<T>(BinaryReader reader, Func<BinaryReader, T> read)
    {
        var items = new T[reader.ReadInt32()];
        for (var i = 0; i < items.Length; i++)
            items[i] = read(reader);
        return items;
    }

    private static void Write(BinaryWriter writer, IReadOnlyList<double> times)
    {
        writer.Write(times.Count);
        foreach (var time in times)
            writer.Write(time);
    }

    private static void Write(BinaryWriter writer, IReadOnlyList<ClusterViolation> violations)
    {
        writer.Write(violations.Count);
        foreach (var violation in violations)
        {
            writer.Write(violation.Invariant);
            writer.Write(violation.Nanoseconds);
            writer.Write(violation.What);
        }
    }

    private static void Write(BinaryWriter writer, PairOutcome pair)
    {
        writer.Write(pair.From);
        writer.Write(pair.To);
        writer.Write(pair.Owed);
        writer.Write(pair.Missing);
        writer.Write(pair.Lost);
        writer.Write(pair.DeliveryNanoseconds.Count);
        foreach (var time in pair.DeliveryNanoseconds)
            writer.Write(time);
    }

    private static long[] Counts(ClusterOutcome outcome) =>
        [
            outcome.Publications,
            outcome.Deliveries,
            outcome.WithoutSubscription,
            outcome.Owed,
            outcome.Missing.Lost,
            outcome.Missing.BestEffort,
            outcome.Missing.Racing,
            outcome.Missing.Unacknowledged,
            outcome.Lost,
            outcome.LostSettled,
            outcome.Duplicates,
            outcome.Reordered,
            outcome.Racing,
            outcome.RaceLosses,
        ];

    private static double?[] Optionals(ClusterOutcome outcome) =>
        [
            outcome.RepairMilliseconds,
            outcome.ConvergenceMilliseconds,
            outcome.BlackoutMilliseconds,
            outcome.ProbeResolutionMilliseconds,
            outcome.UnwatchedMilliseconds,
            outcome.CaughtUpMilliseconds,
            outcome.Throughput,
        ];

    private static long?[] LinkCounts(ClusterOutcome outcome) =>
        [outcome.LinkMessages, outcome.LinkBytes, outcome.SignallingBytes, outcome.Retransmitted];
}
