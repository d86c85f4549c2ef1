using System.Globalization;
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
public sealed class FleetJob(LatencyModel model, SimulatedFleet setup, bool detailed = false)
    : ReplicationJob<FleetSample>
{
    /// <summary>The name of this kind of job.</summary>
    public const string Kind = "fleet";

    /// <summary>Reads what <see cref="Describe"/> wrote.</summary>
    /// <param name="parts">The setup and the model.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static FleetJob Parse(IReadOnlyList<byte[]> parts)
    {
        var (setup, detailed) = ReadSetup(parts[0]);
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
        new(Kind, WriteSetup(setup, detailed), LatencyModelFile.ToBytes(model));

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

    /// <summary>The text of a setup.</summary>
    internal static byte[] WriteSetup(SimulatedFleet setup, bool detailed = false) =>
        JsonText.Of(
            JsonNodes.Object(
                ("clients", setup.Clients),
                ("sequences", setup.Sequences),
                ("seed", setup.Seed.ToString(CultureInfo.InvariantCulture)),
                ("timerGridMilliseconds", setup.TimerGridMilliseconds),
                ("maximumEvents", setup.MaximumEvents),
                ("detailed", detailed),
                ("population", ProfileFile.Of(setup.Population))
            )
        );

    /// <summary>Reads the text of a setup.</summary>
    internal static (SimulatedFleet Setup, bool IsDetailed) ReadSetup(ReadOnlySpan<byte> utf8Json)
    {
        var findings = new JsonFindings(Kind);
        var reader = new JsonObjectReader(JsonTree.Parse(utf8Json, Kind), findings);
        var population = reader.Required("population", "a population") is { } tree
            ? ProfileFile.Read(tree, findings)
            : null;
        var seed = reader.Text("seed", null);
        var setup = new SimulatedFleet
        {
            Population = population!,
            Clients = reader.Integer("clients", 1, int.MaxValue),
            Sequences = reader.Integer("sequences", 1, int.MaxValue),
            TimerGridMilliseconds = reader.Number("timerGridMilliseconds", 0, 1000),
            MaximumEvents = (long)reader.Number("maximumEvents", 1, long.MaxValue),
        };
        var detailed = reader.Flag("detailed");
        reader.End();
        findings.ThrowIfAny();
        return (setup with { Seed = ulong.Parse(seed, CultureInfo.InvariantCulture) }, detailed);
    }
}
