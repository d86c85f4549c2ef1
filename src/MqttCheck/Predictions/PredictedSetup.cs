namespace MqttCheck.Predictions;

/// <summary>The predicted law of the worst latency of a sequence in one setup, as a prediction file keeps it.</summary>
public sealed record PredictedSetup
{
    /// <summary>How many order statistics a file keeps of a setup at most.</summary>
    public const int LargestTable = 2000;

    /// <summary>Name of the usage profile or population.</summary>
    public required string Profile { get; init; }

    /// <summary>Number of clients.</summary>
    public required int Clients { get; init; }

    /// <summary>
    /// Whether the setup lies outside of what the model was trained on; notes of the prediction say how, and which
    /// command mends it.
    /// </summary>
    public bool IsOutsideTraining { get; init; }

    /// <summary>How many independent setups were simulated.</summary>
    public required int Replications { get; init; }

    /// <summary>How many sequences were simulated in them.</summary>
    public required int Sequences { get; init; }

    /// <summary>How many exchanges were simulated, those that do not count included.</summary>
    public required long Exchanges { get; init; }

    /// <summary>Mean number of open exchanges at the start of an exchange, the own included.</summary>
    public required double MeanActive { get; init; }

    /// <summary>The most exchanges that were open at once.</summary>
    public required int MaximumActive { get; init; }

    /// <summary>
    /// Order statistics of the worst latency, ascending, in milliseconds to the nanosecond: all of them where there are
    /// at most <see cref="LargestTable"/> sequences; otherwise so many at equally spaced ranks, the smallest and the
    /// largest included.
    /// </summary>
    public required IReadOnlyList<double> WorstMilliseconds { get; init; }

    /// <summary>Condenses a prediction.</summary>
    /// <param name="prediction">The prediction with its whole sample.</param>
    public static PredictedSetup Of(SetupPrediction prediction)
    {
        var sorted = prediction.SortedWorstMilliseconds;
        var table = new double[Math.Min(sorted.Length, LargestTable)];
        for (var i = 0; i < table.Length; i++)
        {
            var rank =
                table.Length == sorted.Length
                    ? i
                    : (int)(((long)i * (sorted.Length - 1) + (table.Length - 1) / 2) / (table.Length - 1));
            table[i] = Math.Round(sorted[rank], 6);
        }
        return new()
        {
            Profile = prediction.ProfileName,
            Clients = prediction.Clients,
            Replications = prediction.Replications,
            Sequences = prediction.Sequences,
            Exchanges = prediction.Exchanges,
            MeanActive = prediction.MeanActive,
            MaximumActive = prediction.MaximumActive,
            WorstMilliseconds = table,
        };
    }
}
