using MqttCheck.Shards;

namespace MqttCheck.Predictions;

/// <summary>How a prediction is made.</summary>
public sealed record PredictionOptions
{
    /// <summary>
    /// The seed; the same seed gives the same prediction on any machine and with any number of threads.
    /// </summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>
    /// How many independent setups are simulated, 1 or more. By default 1060, which suffices for an error of .05 with
    /// probability .99 whatever the truth (Okamoto: n >= ln(2/.01) / (2 * .05^2)).
    /// </summary>
    public int Replications { get; init; } = 1060;

    /// <summary>
    /// How many sequences of each client count in each setup, 1 or more. A fleet that has just begun is a load of its
    /// own (all clients connect); a live run of several sequences of each client is to be compared with a simulation of
    /// about as many. Default 1.
    /// </summary>
    public int SequencesPerClient { get; init; } = 1;

    /// <summary>
    /// The share of intervals that hold the truth, in (0, 1). Default .95. A prediction of a model with few replayed
    /// training cases has a lower one: see <see cref="Forecast.Level"/>.
    /// </summary>
    public double Confidence { get; init; } = .95;

    /// <summary>How many threads share the work, 1 or more; by default one per processor.</summary>
    public int Threads { get; init; } = Environment.ProcessorCount;

    /// <summary>The grid on which the fleet's waits end, in milliseconds; 0 for none.</summary>
    public double TimerGridMilliseconds { get; init; }

    /// <summary>
    /// About how many sequences are simulated besides, from which informative thresholds are chosen, so that the choice
    /// does not bias the estimates at the chosen thresholds; 0 for none. Default 2000.
    /// </summary>
    public int PilotSequences { get; init; } = 2000;

    /// <summary>Whether an answer is wanted for what the model has never seen. Default no: it is refused.</summary>
    public bool Beyond { get; init; }

    /// <summary>Who computes the replications; null (the default) for <see cref="Threads"/> of this process.</summary>
    public IShardRunner? Runner { get; init; }

    /// <summary>Checks every value.</summary>
    /// <returns>One line per error: what, the value given, what is allowed. Empty when all is well.</returns>
    public IReadOnlyList<string> Validate()
    {
        return OptionChecks.Unmet([
            (Replications >= 1, $"number of replications is {Replications}; allowed: 1 or more"),
            (SequencesPerClient >= 1, $"number of sequences per client is {SequencesPerClient}; allowed: 1 or more"),
            (Confidence is > 0 and < 1, $"confidence is {Confidence}; allowed: between 0 and 1, both excluded"),
            (Threads >= 1, $"number of threads is {Threads}; allowed: 1 or more"),
            (
                TimerGridMilliseconds is >= 0 and <= 1000,
                $"timer grid is {TimerGridMilliseconds} ms; allowed: 0 (none) to 1000 ms"
            ),
            (PilotSequences >= 0, $"number of pilot sequences is {PilotSequences}; allowed: 0 (none) or more"),
        ]);
    }
}
