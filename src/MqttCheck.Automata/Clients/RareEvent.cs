using System.Globalization;
using System.Text;
using System.Text.Json;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Automata.Splitting;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Models;
using MqttCheck.Shards;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Automata.Clients;

/// <summary>
/// A rare event to estimate, given by what it is made from: a JANI model, or a client whose message is slow. So another
/// process can make the same of it.
/// </summary>
internal sealed class RareEvent(
    AutomataNetwork network,
    NetworkProperty.Probability property,
    Expression? level,
    NetworkOptions options,
    IReadOnlyList<byte[]> parts
)
{
    /// <summary>The name of the jobs that estimate it.</summary>
    public const string Kind = "splitting";

    private readonly NetworkSimulator _simulator = new(
        network,
        options with
        {
            Observed = PropertyMonitor.Reads(property, network),
        }
    );
    private readonly NetworkProperty.Probability _property = property;
    private readonly Expression? _level = level;

    /// <summary>The property whose probability is asked for.</summary>
    public NetworkProperty.Probability Property => _property;

    /// <summary>The notes that a reader must be told about the network.</summary>
    public IReadOnlyList<string> Notes { get; private init; } = [];

    /// <summary>The event of a property of a JANI model.</summary>
    /// <param name="utf8">The text of the model.</param>
    /// <param name="source">The name of the model in messages.</param>
    /// <param name="constants">Values for constants that have none in the text.</param>
    /// <param name="property">The name of the property; null for the only one.</param>
    /// <param name="level">A shared variable that grows towards the event; null to derive the level.</param>
    /// <param name="options">How the network is simulated.</param>
    /// <exception cref="InputException">
    /// The text is malformed, or the property is not there or no probability.
    /// </exception>
    public static RareEvent OfJani(
        byte[] utf8,
        string source,
        IReadOnlyDictionary<string, double> constants,
        string? property,
        string? level,
        NetworkOptions options
    )
    {
        var read = JaniReader.Parse(utf8, source, constants);
        var name =
            property
            ?? (
                read.Properties.Count == 1
                    ? read.Properties[0].Name
                    : throw new InputException(
                        "--property is missing; allowed: "
                            + $"{string.Join(", ", read.Properties.Select(known => known.Name))}"
                    )
            );
        var asked =
            read.Property(name) as NetworkProperty.Probability
            ?? throw new InputException(
                $"property {name} is no probability; allowed for splitting: a probability of F or U"
            );
        var question = JsonSerializer.SerializeToUtf8Bytes(
            new JaniQuestion(source, new(constants), name, level, NetworkChoices.Of(options))
        );
        return new(
            read.Network,
            asked,
            level is null ? null : Expression.Of(level),
            options,
            ["jani"u8.ToArray(), question, utf8]
        );
    }

    /// <summary>The event that a message of a client's sequence takes at least a time.</summary>
    /// <param name="setup">Who does what.</param>
    /// <param name="model">A model of a file; null for a law.</param>
    /// <param name="law">One law for all latencies as text; null for a model.</param>
    /// <param name="thresholdMilliseconds">The time, positive.</param>
    /// <param name="level">A shared variable that grows towards the event; null to derive the level.</param>
    /// <param name="options">How the network is simulated.</param>
    /// <exception cref="InputException">A value is not allowed.</exception>
    public static RareEvent OfClient(
        SimulatedFleet setup,
        LatencyModel? model,
        string? law,
        double thresholdMilliseconds,
        string? level,
        NetworkOptions options
    )
    {
        var latencies = model ?? new LawLatencyModel(LawText.Parse(law!, "--law"));
        var (network, asked, derived, notes) = ClientNetwork.Late(setup, latencies, thresholdMilliseconds);
        var question = JsonSerializer.SerializeToUtf8Bytes(
            new ClientQuestion(thresholdMilliseconds, level, NetworkChoices.Of(options))
        );
        return new(
            network,
            asked,
            level is null ? derived : Expression.Of(level),
            options,
            [
                model is null ? "law"u8.ToArray() : "model"u8.ToArray(),
                question,
                FleetJob.Format.ToBytes((setup, false)),
                model is null ? Encoding.UTF8.GetBytes(law!) : LatencyModelFile.ToBytes(model),
            ]
        )
        {
            Notes = notes,
        };
    }

    /// <summary>Estimates how likely it is.</summary>
    /// <param name="options">How; the level is that of the event.</param>
    /// <param name="runner">Who makes the repetitions; null for the threads of this process.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">As <see cref="ImportanceSplitting.Estimate"/>.</exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public SplittingEstimate Estimate(SplittingOptions options, IShardRunner? runner, CancellationToken cancellation)
    {
        return ImportanceSplitting.Estimate(
            _simulator,
            _property,
            options with
            {
                Level = _level,
            },
            runner,
            Describe,
            cancellation
        );
    }

    /// <summary>Reads a job that estimates a rare event.</summary>
    /// <param name="parts">The parts of its description.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static SplittingJob ParseJob(IReadOnlyList<byte[]> parts)
    {
        var effort = Question<SplittingQuestion>(parts[0]);
        var rare = Parse([.. parts.Skip(1)]);
        return new(
            rare._simulator,
            rare._property,
            new()
            {
                Method = effort.Method,
                Level = rare._level,
                Effort = effort.Effort,
                Seed = ulong.Parse(effort.Seed, CultureInfo.InvariantCulture),
            },
            [.. effort.Thresholds.Zip(effort.Shares, (threshold, share) => new SplittingLevel(threshold, share))],
            null
        );
    }

    private static RareEvent Parse(IReadOnlyList<byte[]> parts)
    {
        if (Encoding.UTF8.GetString(parts[0]) == "jani")
        {
            var jani = Question<JaniQuestion>(parts[1]);
            return OfJani(parts[2], jani.Source, jani.Constants, jani.Property, jani.Level, jani.Choices.Options());
        }
        var client = Question<ClientQuestion>(parts[1]);
        var isLaw = Encoding.UTF8.GetString(parts[0]) == "law";
        return OfClient(
            FleetJob.Format.Parse(parts[2], FleetJob.Kind).Setup,
            isLaw ? null : LatencyModelFile.ParseModel(parts[3], Kind),
            isLaw ? Encoding.UTF8.GetString(parts[3]) : null,
            client.ThresholdMilliseconds,
            client.Level,
            client.Choices.Options()
        );
    }

    private static T Question<T>(byte[] utf8) =>
        JsonSerializer.Deserialize<T>(utf8) ?? throw new InputException($"{Kind}: null given; allowed: an object");

    private JobDescription Describe(SplittingOptions options, IReadOnlyList<SplittingLevel> levels) =>
        new(
            Kind,
            [
                JsonSerializer.SerializeToUtf8Bytes(
                    new SplittingQuestion(
                        options.Method,
                        options.Effort,
                        options.Seed.ToString(CultureInfo.InvariantCulture),
                        [.. levels.Select(level => level.Threshold)],
                        [.. levels.Select(level => level.Share)]
                    )
                ),
                .. parts,
            ]
        );

    private sealed record SplittingQuestion(
        SplittingMethod Method,
        int Effort,
        string Seed,
        double[] Thresholds,
        double[] Shares
    );

    private sealed record JaniQuestion(
        string Source,
        Dictionary<string, double> Constants,
        string Property,
        string? Level,
        NetworkChoices Choices
    );

    private sealed record ClientQuestion(double ThresholdMilliseconds, string? Level, NetworkChoices Choices);

    private sealed record NetworkChoices(SimultaneousSteps Simultaneous, bool AsSoonAsPossible, long MaximumSteps)
    {
        public static NetworkChoices Of(NetworkOptions options) =>
            new(options.SimultaneousSteps, options.AsSoonAsPossible, options.MaximumSteps);

        public NetworkOptions Options() =>
            new()
            {
                SimultaneousSteps = Simultaneous,
                AsSoonAsPossible = AsSoonAsPossible,
                MaximumSteps = MaximumSteps,
            };
    }
}
