using MqttCheck.Latency.Quality;
using MqttCheck.Predictions;
using MqttCheck.Sequential.Runs;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// The promise of the intervals of predictions: that they hold what one long measurement shows as often as their level
/// says, whatever the law of the errors of replayed cases.
/// </summary>
internal sealed class PredictionPromiseAudit : IPromiseAudit
{
    // Users ask for this level; a prediction from fewer cases states a lower one.
    private const double Asked = .95;

    // Between the fewest cases of .8 and .9, and the fewest of .9 and .95.
    private static readonly int[] s_cases = [8, 12, 24];

    // The sampling error of a case is about .03.
    private static readonly double[] s_deviations = [.03, .05, .1];

    /// <inheritdoc/>
    public string Title => "Intervals of predictions";

    /// <inheritdoc/>
    public string Description =>
        "An interval is wrong where it does not hold the truth. "
        + "Replayed cases have errors of a known law and the sampling error of 150 sequences. "
        + "The error of a further case at another load follows the same law. "
        + "The deviation of the errors is that at a probability of .5.";

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } =
    [
        .. s_cases.SelectMany(cases =>
            PredictionErrorLaw.All.SelectMany(law => s_deviations.Select(deviation => Cell(law, deviation, cases)))
        ),
    ];

    /// <summary>The level that so many replayed cases support.</summary>
    /// <param name="cases">How many.</param>
    internal static double LevelOf(int cases) =>
        Forecast.LevelOf(Asked, new(0, [.. Enumerable.Repeat(new ReplayedCase(1, 1, 1, 1, []), cases)]));

    private static PromiseCell Cell(PredictionErrorLaw law, double deviation, int cases)
    {
        var level = LevelOf(cases);
        return new()
        {
            Subject = Invariant($"prediction, {cases} cases, level {level}"),
            Variant = "errors: " + law.Name,
            Situation = Invariant($"deviation {deviation}"),
            Detail = "1 of any length",
            Law = RunLaw.Independent,
            Guarantee = Guarantee.Any,
            Promise = Math.Round(1 - level, 9),
            Trial = random =>
                new SimulatedTraining(law, deviation, cases, ref random).Holds(level)
                    ? TrialOutcome.Right
                    : TrialOutcome.Wrong,
        };
    }
}
