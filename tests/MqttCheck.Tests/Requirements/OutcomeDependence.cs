using System.Globalization;
using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Requirements;

/// <summary>
/// How the outcomes of one simulated run depend on each other; runs are independent. For finding out what a test is
/// worth when its assumptions are strained.
/// </summary>
internal sealed record OutcomeDependence
{
    private OutcomeDependence(string name, double inflation, double correlation) =>
        (Name, Inflation, Correlation) = (name, inflation, correlation);

    /// <summary>Independent outcomes.</summary>
    public static OutcomeDependence None { get; } = new("independent", 1, 0);

    /// <summary>A name for tables.</summary>
    public string Name { get; }

    /// <summary>
    /// The variance of a run's successes relative to the binomial one, as far as it comes from a probability that each
    /// run draws for itself; at least 1.
    /// </summary>
    public double Inflation { get; }

    /// <summary>The correlation of an outcome with the next one inside a run, in 0 .. 1 without 1.</summary>
    public double Correlation { get; }

    /// <summary>Each run draws its own probability from a beta law: its successes are beta-binomial.</summary>
    /// <param name="inflation">
    /// The variance of a run's successes relative to the binomial one, at least 1 and less than the sequences of a run.
    /// </param>
    public static OutcomeDependence BetweenRuns(double inflation)
    {
        if (!(inflation >= 1))
            throw new ArgumentOutOfRangeException(nameof(inflation), inflation, "must be at least 1");
        return new(string.Create(CultureInfo.InvariantCulture, $"beta-binomial, {inflation} x variance"), inflation, 0);
    }

    /// <summary>
    /// An outcome repeats its predecessor with some probability and is new otherwise: autoregression of order 1 inside
    /// a run.
    /// </summary>
    /// <param name="correlation">That probability, which is the correlation of neighbours; in 0 .. 1 without 1.</param>
    public static OutcomeDependence InsideRuns(double correlation)
    {
        if (!(correlation is >= 0 and < 1))
            throw new ArgumentOutOfRangeException(nameof(correlation), correlation, "must be in 0 .. 1 without 1");
        return new(string.Create(CultureInfo.InvariantCulture, $"autoregressive, lag-1 {correlation}"), 1, correlation);
    }

    /// <summary>Simulates the sequences of one run.</summary>
    /// <param name="run">Number of the run.</param>
    /// <param name="sequences">How many, at least 1.</param>
    /// <param name="probability">The probability that a sequence is in time, in 0 .. 1.</param>
    /// <param name="thresholdMilliseconds">
    /// The threshold: a sequence is in time with half of it as its worst latency, or late with twice as much.
    /// </param>
    /// <param name="random">The source of randomness.</param>
    /// <returns>Completed sequences in issue order.</returns>
    public Outcome[] Run(
        int run,
        int sequences,
        double probability,
        double thresholdMilliseconds,
        ref RandomStream random
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(sequences);
        if (Inflation >= sequences && sequences > 1 && Inflation > 1)
            throw new ArgumentOutOfRangeException(
                nameof(sequences),
                sequences,
                string.Create(CultureInfo.InvariantCulture, $"must exceed the inflation {Inflation}")
            );
        if (Inflation > 1 && probability is > 0 and < 1)
        {
            var concentration = (sequences - 1) / (Inflation - 1) - 1;
            probability = Beta.InvCDF(
                probability * concentration,
                (1 - probability) * concentration,
                random.NextOpenDouble()
            );
        }
        var outcomes = new Outcome[sequences];
        var hit = false;
        for (var i = 0; i < sequences; i++)
        {
            if (i == 0 || Correlation == 0 || random.NextDouble() >= Correlation)
                hit = random.NextDouble() < probability;
            var worst = hit ? thresholdMilliseconds / 2 : thresholdMilliseconds * 2;
            outcomes[i] = new(run, 0, i, i, new(worst, worst, worst), OutcomeStatus.Completed);
        }
        return outcomes;
    }
}
