using MqttCheck.Sequential;
using MqttCheck.Shards;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Properties;

/// <summary>How a property is answered.</summary>
internal sealed record PropertyOptions
{
    /// <summary>The seed; the same seed gives the same answer on any machine and with any number of threads.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>
    /// The probability that the answer is wrong: that an interval misses the truth, or a decision is the wrong one. In
    /// (0, .5). Default .01.
    /// </summary>
    public double Error { get; init; } = .01;

    /// <summary>
    /// Half the width of the interval that is promised for a probability, in (0, .5); it also sets the replications for
    /// expectations, quantiles and distributions. Default .05.
    /// </summary>
    public double Epsilon { get; init; } = .05;

    /// <summary>
    /// A number of replications fixed in advance, all of whose clients count; null (the default) to stop a probability
    /// by <see cref="Rule"/>, with one client of each replication, and to take Okamoto's number for other questions.
    /// </summary>
    public int? Replications { get; init; }

    /// <summary>
    /// Makes the rule that stops the estimation of a probability from the half width and the error. By default the
    /// sequential rule of Clopper and Pearson.
    /// </summary>
    public Func<double, double, IEstimationRule> Rule { get; init; } =
        (epsilon, error) => new SequentialClopperPearsonRule(epsilon, error);

    /// <summary>
    /// How far a probability may lie on the wrong side of the one it is compared with and still count as on the right
    /// side, in (0, .5): Wald's test then decides soon. Null (the default) for none: then a probability near that
    /// number stays undecided.
    /// </summary>
    public double? Indifference { get; init; }

    /// <summary>The most replications that a decision may take, 1 or more. Default 100 000.</summary>
    public int LargestReplications { get; init; } = 100_000;

    /// <summary>
    /// How many sequences of a client make a trace, 1 or more; null (the default) for as many as the property looks at.
    /// </summary>
    public int? SequencesPerTrace { get; init; }

    /// <summary>The grid on which the fleet's waits end, in milliseconds; 0 for none.</summary>
    public double TimerGridMilliseconds { get; init; }

    /// <summary>How many threads share the work, 1 or more; by default one per processor.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>Whether an answer is wanted for what the model has never seen. Default no: it is refused.</summary>
    public bool Beyond { get; init; }

    /// <summary>Who computes the replications; null (the default) for <see cref="Threads"/> of this process.</summary>
    public IShardRunner? Runner { get; init; }

    /// <summary>How many replications a sample has whose size is fixed before.</summary>
    internal int FixedReplications => Replications ?? (int)ConcentrationBounds.OkamotoSampleSize(Epsilon, Error);

    internal IShardRunner ShardRunner => Runner ?? new LocalShardRunner(Threads);

    /// <summary>Checks every value.</summary>
    /// <returns>One line per error: what, the value given, what is allowed. Empty when all is well.</returns>
    public IReadOnlyList<string> Validate()
    {
        return OptionChecks.Unmet([
            (Error is > 0 and < .5, $"error is {Error}; allowed: above 0 and below 0.5"),
            (Epsilon is > 0 and < .5, $"half width is {Epsilon}; allowed: above 0 and below 0.5"),
            (Replications is null or >= 1, $"number of replications is {Replications}; allowed: 1 or more"),
            (Indifference is null or (> 0 and < .5), $"indifference is {Indifference}; allowed: above 0 and below 0.5"),
            (LargestReplications >= 1, $"largest number of replications is {LargestReplications}; allowed: 1 or more"),
            (
                SequencesPerTrace is null or >= 1,
                $"number of sequences per trace is {SequencesPerTrace}; allowed: 1 or more"
            ),
            (Threads >= 1, $"number of threads is {Threads}; allowed: 1 or more"),
        ]);
    }

    internal void ThrowIfInvalid()
    {
        InputException.ThrowIfAny(Validate());
    }
}
