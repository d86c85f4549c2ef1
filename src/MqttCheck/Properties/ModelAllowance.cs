using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Properties;

/// <summary>
/// The allowances that a simulated answer needs to hold for the broker. They are the error of the model, and the
/// warnings of a prediction of the same setup. <see cref="Forecast"/> is the source of both.
/// </summary>
internal sealed class ModelAllowance(
    Forecast forecast,
    double[] thresholdsMilliseconds,
    bool isReplayed,
    IReadOnlyList<string> notes
)
{
    // Enough for the load and for how much the alternatives differ; the answer has simulations of its own.
    private const int Replications = 100;

    // The required probability is found to about .0001.
    private const int Bisections = 13;

    /// <summary>The allowance for a property of a setup.</summary>
    /// <param name="property">The property.</param>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="asked">How the property is answered.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">The setup has what the model has never seen.</exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static ModelAllowance Of(
        TraceProperty property,
        LearnedModel model,
        Population population,
        int clients,
        PropertyOptions asked,
        CancellationToken cancellation = default
    )
    {
        var options = new PredictionOptions
        {
            Seed = asked.Seed,
            Replications = Replications,
            Runner = asked.Runner,
            Beyond = asked.Beyond,
        };
        var forecast = Forecast.Of(model, population, clients, options, cancellation);
        var notes = new List<string>(forecast.Notes);
        if (model.Training.Coarse)
            notes.Add("The model was learned from a short exploration: the answer is coarse.");
        notes.AddRange(model.Training.Notes);
        var thresholds = Thresholds(property);
        if (model.Replay is not null && thresholds.Length == 0 && !IsWorstLatency(property))
            notes.Add(
                Invariant($"{clients} clients of {population.Name}: how far the model is off is known for the share ")
                    + $"of latencies below a threshold only; the interval of '{property}' holds the error of the "
                    + "simulation alone."
            );
        return new(forecast, thresholds, model.Replay is not null, notes);
    }

    /// <summary>Warnings about the validity of the answer, as in a prediction.</summary>
    public IReadOnlyList<string> Notes { get; } = notes;

    /// <summary>Whether training has shown such a load; otherwise a note says not to trust the answer.</summary>
    public bool IsTrusted => forecast.IsTrusted;

    /// <summary>Whether training cases were replayed, so that something is known of the model's error.</summary>
    internal bool IsReplayed { get; } = isReplayed;

    /// <summary>The level of the intervals that allow for the model's error.</summary>
    public double Level => forecast.Level;

    /// <summary>The interval of a simulated probability.</summary>
    /// <param name="probability">The probability.</param>
    /// <param name="variance">The variance of the simulation's error.</param>
    /// <returns>The interval at <see cref="Level"/>; null where the model's error is not known.</returns>
    public Interval? Around(double probability, double variance) =>
        HalfWidth(probability, variance) is { } half
            ? new(Math.Max(0, probability - half), Math.Min(1, probability + half))
            : null;

    /// <summary>
    /// The simulated probability above which the broker's own is at least some level, and the one below which it is
    /// not.
    /// </summary>
    /// <param name="level">The level, in (0, 1).</param>
    /// <returns>Both in (0, 1), the lower one first; both the level where the model's error is not known.</returns>
    internal (double Lower, double Upper) Bounds(double level)
    {
        if (HalfWidth(level, 0) is null)
            return (level, level);
        return (
            Root(0, level, probability => probability + HalfWidth(probability, 0)!.Value < level),
            Root(level, 1, probability => probability - HalfWidth(probability, 0)!.Value < level)
        );
    }

    /// <summary>
    /// The interval of a quantile of the worst latency: where the level lies in the interval of the share.
    /// </summary>
    /// <param name="share">The share, in (0, 1).</param>
    internal Interval WorstLatencyQuantile(double share)
    {
        var worst = forecast.Prediction.SortedWorstMilliseconds.ToArray();
        var lower = IntegerSearch.FirstIndex(worst.Length, i => UpTo(worst[i]).Upper >= share);
        var upper = IntegerSearch.FirstIndex(worst.Length, i => UpTo(worst[i]).Lower > share);
        return new(
            worst[Math.Min(lower, worst.Length - 1)],
            upper == worst.Length ? double.PositiveInfinity : worst[upper]
        );

        Interval UpTo(double milliseconds) => forecast.Interval(Math.BitIncrement(milliseconds));
    }

    /// <summary>Whether the property is a quantile of the worst latency of a whole sequence.</summary>
    /// <param name="property">The property.</param>
    internal static bool IsWorstLatency(TraceProperty property) =>
        property.Kind == PropertyKind.Quantile
        && property.Measure is { Aggregate: TraceAggregate.Max, Quantity: TraceQuantity.Latency, Kind: null };

    private double? HalfWidth(double probability, double variance)
    {
        double? widest = null;
        foreach (var threshold in thresholdsMilliseconds)
        {
            if (forecast.HalfWidth(threshold, probability, variance) is { } half)
                widest = Math.Max(widest ?? 0, half);
        }
        return widest;
    }

    // The predicate is true below the root and false above it. Never 0 or 1, which no test can compare with.
    private static double Root(double low, double high, Func<double, bool> isBelow)
    {
        var (below, above) = Bisection.Narrow(low, high, isBelow, _ => 0, Bisections);
        return (below + above) / 2;
    }

    private static double[] Thresholds(TraceProperty property) =>
        property.Formula is not { } formula
            ? []
            :
            [
                .. FormulaParts
                    .Atoms(formula)
                    .OfType<ComparisonFormula>()
                    .Where(atom => atom.Quantity == TraceQuantity.Latency)
                    .Select(atom => atom.Value)
                    .Distinct(),
            ];
}
