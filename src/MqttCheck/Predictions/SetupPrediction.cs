using MqttCheck.Simulation;
using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>
/// The predicted law of the worst latency of a client's sequence in one setup: a sample of all counted sequences of
/// independent replications. The clients of one replication share the broker and are not independent; every interval
/// therefore counts replications, not sequences.
/// </summary>
public sealed class SetupPrediction
{
    private readonly double[] _byReplication,
        _sorted,
        _pilot;
    private readonly int _perReplication;

    internal SetupPrediction(string profileName, PredictionOptions options, FleetSample sample)
    {
        ProfileName = profileName;
        Clients = sample.Clients;
        Replications = options.Replications;
        Confidence = options.Confidence;
        MeanActive = sample.MeanActive;
        MaximumActive = sample.MaximumActive;
        Exchanges = sample.Exchanges;
        _perReplication = sample.Clients * sample.Sequences;
        var counted = _perReplication * options.Replications;
        _byReplication = sample.WorstMilliseconds[..counted].ToArray();
        _sorted = [.. _byReplication];
        _pilot = sample.WorstMilliseconds[counted..].ToArray();
        Array.Sort(_sorted);
        Array.Sort(_pilot);
    }

    /// <summary>Name of the usage profile or population.</summary>
    public string ProfileName { get; }

    /// <summary>How many clients share the broker.</summary>
    public int Clients { get; }

    /// <summary>How many independent setups were simulated: the sample size of every interval.</summary>
    public int Replications { get; }

    /// <summary>How many sequences were simulated and counted.</summary>
    public int Sequences => _sorted.Length;

    /// <summary>The probability with which an interval covers the truth.</summary>
    public double Confidence { get; }

    /// <summary>
    /// Mean number of open exchanges at the start of an exchange, the own included. Compare it with what the model was
    /// trained on.
    /// </summary>
    public double MeanActive { get; }

    /// <summary>The most exchanges that were open at once.</summary>
    public int MaximumActive { get; }

    /// <summary>How many exchanges were simulated, those that do not count included.</summary>
    public long Exchanges { get; }

    /// <summary>The worst latencies of all sequences in milliseconds, ascending.</summary>
    public ReadOnlySpan<double> SortedWorstMilliseconds => _sorted;

    /// <summary>
    /// The worst latencies of replications that serve only the choice of thresholds, ascending, in milliseconds.
    /// </summary>
    public ReadOnlySpan<double> SortedPilotMilliseconds => _pilot;

    /// <summary>
    /// The estimated probability that all messages of a sequence have a latency below a threshold: the mean over
    /// replications of the mean over clients.
    /// </summary>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    public double Probability(double thresholdMilliseconds) =>
        PredictionQuantiles.ShareBelow(_sorted, thresholdMilliseconds);

    /// <summary>
    /// The interval of the probability at a threshold that was chosen beforehand, valid whatever the truth for
    /// independent replications: the intersection of the empirical Bernstein interval and Hoeffding's over the
    /// replications' means, or Clopper and Pearson's where each replication holds a single sequence.
    /// </summary>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    public Interval Interval(double thresholdMilliseconds)
    {
        var (sum, squares) = Sums(thresholdMilliseconds);
        return _perReplication == 1
            ? BinomialIntervals.ClopperPearson((long)sum, Replications, 1 - Confidence)
            : PredictionBounds.OfMeans(sum, squares, Replications, 1 - Confidence);
    }

    /// <summary>
    /// The variance of the share of sequences in time in one run with as many clients and sequences as a replication:
    /// how much replications differ, and at least what independent sequences would.
    /// </summary>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    public double RunVariance(double thresholdMilliseconds)
    {
        var (sum, squares) = Sums(thresholdMilliseconds);
        var mean = sum / Replications;
        var between = Replications > 1 ? Math.Max(0, squares - sum * mean) / (Replications - 1) : 0;
        return Math.Max(between, mean * (1 - mean) / _perReplication);
    }

    /// <summary>
    /// The worst latency that a share of the sequences does not exceed: the smallest x with P(worst &lt;= x) >= p in
    /// the sample.
    /// </summary>
    /// <param name="p">The share, in (0, 1].</param>
    public double Quantile(double p) => PredictionQuantiles.Quantile(_sorted, p);

    /// <summary>The prediction at a threshold, for a live broker to confirm or refute.</summary>
    /// <param name="thresholdMilliseconds">The threshold, positive.</param>
    /// <exception cref="InputException">The threshold is not positive.</exception>
    public PredictedPoint Point(double thresholdMilliseconds) =>
        thresholdMilliseconds > 0
            ? new(
                ProfileName,
                Clients,
                thresholdMilliseconds,
                Probability(thresholdMilliseconds),
                Interval(thresholdMilliseconds)
            )
            : throw new InputException(
                FormattableString.Invariant($"prediction for '{ProfileName}': the threshold is ")
                    + FormattableString.Invariant($"{thresholdMilliseconds} ms; allowed: a positive number")
            );

    /// <summary>The share of sequences in time in each replication, in their order.</summary>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    internal double[] Shares(double thresholdMilliseconds)
    {
        var shares = new double[Replications];
        for (var replication = 0; replication < Replications; replication++)
        {
            var inTime = 0;
            foreach (var worst in _byReplication.AsSpan(replication * _perReplication, _perReplication))
                inTime += worst < thresholdMilliseconds ? 1 : 0;
            shares[replication] = (double)inTime / _perReplication;
        }
        return shares;
    }

    // Sums the replications' shares of sequences in time, and the squares of the shares.
    private (double Sum, double Squares) Sums(double thresholdMilliseconds)
    {
        double sum = 0,
            squares = 0;
        foreach (var share in Shares(thresholdMilliseconds))
            (sum, squares) = (sum + share, squares + share * share);
        return (sum, squares);
    }
}
