using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Shards;

namespace MqttCheck.Automata.Splitting;

/// <summary>The repetitions of an estimate by splitting, whose levels are known.</summary>
/// <param name="simulator">The network.</param>
/// <param name="property">A probability of F or U, with or without an upper time bound.</param>
/// <param name="options">How.</param>
/// <param name="levels">The levels.</param>
/// <param name="describe">Describes the job so that another process can do it; null where none can.</param>
internal sealed class SplittingJob(
    NetworkSimulator simulator,
    NetworkProperty.Probability property,
    SplittingOptions options,
    IReadOnlyList<SplittingLevel> levels,
    Func<SplittingOptions, IReadOnlyList<SplittingLevel>, JobDescription>? describe
) : ReplicationJob<SplittingRepetition>
{
    /// <inheritdoc/>
    public override Func<int, CancellationToken, SplittingRepetition> Start()
    {
        var splitting = new ImportanceSplitting(simulator, property, options);
        return (repetition, cancellation) => splitting.Repeat(repetition, levels, cancellation);
    }

    /// <inheritdoc/>
    public override JobDescription Describe() =>
        describe?.Invoke(options, levels)
        ?? throw new InputException(
            $"property {property.Name}: its network was made by code; allowed for workers: a JANI model, or --threshold"
        );

    /// <inheritdoc/>
    protected override void Write(BinaryWriter writer, SplittingRepetition outcome)
    {
        writer.Write(outcome.Probability);
        writer.Write(outcome.Steps);
    }

    /// <inheritdoc/>
    protected override SplittingRepetition Read(BinaryReader reader)
    {
        return new(reader.ReadDouble(), reader.ReadInt64());
    }
}
