using MqttCheck.Json;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Profiles;
using MqttCheck.Shards;

namespace MqttCheck.Simulation;

/// <summary>
/// The replications of a simulated fleet, of which the worst latency of each counted sequence is kept.
/// </summary>
/// <param name="model">Who answers a message, after what time.</param>
/// <param name="setup">The simulated fleet.</param>
/// <param name="detailed">Whether publications and issue order are kept besides the worst latencies.</param>
internal sealed class FleetJob(LatencyModel model, SimulatedFleet setup, bool detailed = false)
    : ReplicationJob<FleetSample>
{
    /// <summary>The name of this kind of job.</summary>
    public const string Kind = "fleet";

    /// <summary>Reads what <see cref="Describe"/> wrote.</summary>
    /// <param name="parts">The setup and the model.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static FleetJob Parse(IReadOnlyList<byte[]> parts)
    {
        var (setup, detailed) = Format.Parse(parts[0], Kind);
        return new(LatencyModelFile.ParseModel(parts[1], Kind), setup, detailed);
    }

    /// <inheritdoc/>
    public override Func<int, CancellationToken, FleetSample> Start()
    {
        var fleet = FleetSimulation.Unobserved(model, setup, detailed);
        return (replication, cancellation) =>
        {
            var nobody = default(NoObserver);
            return fleet.Run(replication, ref nobody, cancellation);
        };
    }

    /// <inheritdoc/>
    public override JobDescription Describe() =>
        new(Kind, Format.ToBytes((setup, detailed)), LatencyModelFile.ToBytes(model));

    /// <inheritdoc/>
    protected override void Write(BinaryWriter writer, FleetSample outcome)
    {
        outcome.Write(writer);
    }

    /// <inheritdoc/>
    protected override FleetSample Read(BinaryReader reader)
    {
        return FleetSample.Read(reader, setup.Clients, setup.Sequences, detailed);
    }

    /// <summary>A setup, and whether publications and issue order are kept.</summary>
    internal static JsonKind<(SimulatedFleet Setup, bool IsDetailed)> Format { get; } =
        JsonFormat.Of<(SimulatedFleet Setup, bool IsDetailed)>(fields =>
            (
                new SimulatedFleet
                {
                    Clients = fields.Required("clients", JsonKinds.Integer(1), of => of.Setup.Clients),
                    Sequences = fields.Required("sequences", JsonKinds.Integer(1), of => of.Setup.Sequences),
                    Seed = fields.Required("seed", JsonKinds.Seed, of => of.Setup.Seed),
                    TimerGridMilliseconds = fields.Required(
                        "timerGridMilliseconds",
                        JsonKinds.Number(0, 1000),
                        of => of.Setup.TimerGridMilliseconds
                    ),
                    MaximumEvents = fields.Required(
                        "maximumEvents",
                        JsonKinds.Long(1, long.MaxValue),
                        of => of.Setup.MaximumEvents
                    ),
                    Population = fields.Required("population", ProfileFormat.Inline, of => of.Setup.Population),
                },
                fields.Required("detailed", JsonKinds.Flag, of => of.IsDetailed)
            )
        );
}
