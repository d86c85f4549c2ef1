using System.Text;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Shards;
using MqttCheck.Simulation;

namespace MqttCheck.Properties.Traces;

/// <summary>The replications of a simulated fleet, of which the value of a property on each trace is kept.</summary>
/// <param name="model">Who answers a message, after what time.</param>
/// <param name="setup">The simulated fleet.</param>
/// <param name="property">The property whose value each trace yields.</param>
internal sealed class TraceJob(LatencyModel model, SimulatedFleet setup, TraceProperty property)
    : ReplicationJob<TraceValues>
{
    private readonly IReadOnlyList<string> _groups = JudgedTraces.GroupNames(setup.Population, setup.Clients);

    /// <summary>The name of this kind of job.</summary>
    public const string Kind = "traces";

    /// <summary>Reads what <see cref="Describe"/> wrote.</summary>
    /// <param name="parts">The setup, the model and the property.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static TraceJob Parse(IReadOnlyList<byte[]> parts)
    {
        return new(
            LatencyModelFile.ParseModel(parts[1], Kind),
            FleetJob.Format.Parse(parts[0], FleetJob.Kind).Setup,
            TraceProperty.Parse(Encoding.UTF8.GetString(parts[2]))
        );
    }

    /// <inheritdoc/>
    public override Func<int, CancellationToken, TraceValues> Start()
    {
        var fleet = FleetSimulation.Observed<TraceCollector>(model, setup);
        var collector = new TraceCollector(setup.Clients);
        return (replication, cancellation) =>
        {
            // The traces are dropped when the property is evaluated, and all memory serves again.
            foreach (var trace in collector.Traces)
                trace.Clear();
            fleet.Run(replication, ref collector, cancellation);
            return new TraceUnit(replication, collector.Traces, _groups).Values(property);
        };
    }

    /// <inheritdoc/>
    public override JobDescription Describe() =>
        new(
            Kind,
            FleetJob.Format.ToBytes((setup, false)),
            LatencyModelFile.ToBytes(model),
            Encoding.UTF8.GetBytes(property.ToString())
        );

    /// <inheritdoc/>
    protected override void Write(BinaryWriter writer, TraceValues outcome)
    {
        foreach (var value in outcome.Values)
            writer.Write(value);
        writer.Write(outcome.CutShort);
    }

    /// <inheritdoc/>
    protected override TraceValues Read(BinaryReader reader)
    {
        double[] values = [.. Enumerable.Range(0, setup.Clients).Select(_ => reader.ReadDouble())];
        return new(values, _groups, reader.ReadInt32());
    }
}
