using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>
/// Whether the predicted intervals of several trainings on one broker hold what they say, judged by the mean of the
/// runs at each point. Points of one training share its model, and those of one setup its runs, so the training is the
/// sampling unit.
/// </summary>
/// <param name="Broker">The broker.</param>
/// <param name="Trainings">How many trainings have points.</param>
/// <param name="Points">How many points all of them have.</param>
/// <param name="Level">The share of the intervals that are to hold.</param>
/// <param name="Coverage">The share of the points whose interval holds.</param>
/// <param name="CoverageInterval">
/// Its interval with a confidence of <see cref="Confidence"/>, for correlated points; [0, 1] of a single training.
/// </param>
/// <param name="RunCoverage">The share of single runs within the predicted interval of a run.</param>
/// <param name="MeanError">The mean distance between prediction and measurement.</param>
/// <param name="Score">The mean interval score.</param>
/// <param name="ConstantWidthScore">
/// The mean score of intervals of one width, which is for each training the best one of the points of the others; NaN
/// with a single training.
/// </param>
internal sealed record CalibrationSummary(
    string Broker,
    int Trainings,
    int Points,
    double Level,
    double Coverage,
    Interval CoverageInterval,
    double RunCoverage,
    double MeanError,
    double Score,
    double ConstantWidthScore
)
{
    /// <summary>The confidence of <see cref="CoverageInterval"/>.</summary>
    public const double Confidence = .99;

    /// <summary>Whether the interval of the coverage contains the stated level.</summary>
    public bool HoldsLevel => CoverageInterval.Contains(Level);

    /// <summary>The summary of some trainings.</summary>
    /// <param name="broker">The broker.</param>
    /// <param name="trainings">The points of each; those without any are left out.</param>
    /// <param name="level">The share of the intervals that are to hold.</param>
    /// <returns>The summary; null where there are no points.</returns>
    public static CalibrationSummary? Of(
        string broker,
        IEnumerable<IReadOnlyList<CalibrationPoint>> trainings,
        double level
    )
    {
        var units = trainings.Where(training => training.Count > 0).ToArray();
        if (units.Length == 0)
            return null;
        var points = units.SelectMany(training => training).ToArray();
        RunCount[] counts =
        [
            .. units.Select(training => new RunCount(training.Count(point => point.HoldsMean), training.Count)),
        ];
        var interval = units.Length == 1 ? new Interval(0, 1) : RunLikelihood.Interval(counts, (1 - Confidence) / 2);
        return new(
            broker,
            units.Length,
            points.Length,
            level,
            points.Average(point => point.HoldsMean ? 1.0 : 0),
            interval,
            points.Average(point => point.Coverage),
            points.Average(point => Math.Abs(point.Error)),
            points.Average(point => CalibrationTable.Score(point.MeanInterval, point.Measured, level)),
            ConstantWidth(units, level)
        );
    }

    private static double ConstantWidth(IReadOnlyList<CalibrationPoint>[] units, double level)
    {
        if (units.Length == 1)
            return double.NaN;
        var (sum, count) = (0.0, 0);
        foreach (var training in units)
        {
            var others = units.Where(other => other != training).SelectMany(other => other).ToArray();
            // The score is piecewise linear in the width, so its least is at an error or at no width.
            var best = others
                .Select(point => Math.Abs(point.Error))
                .Append(0)
                .Distinct()
                .MinBy(half => others.Average(point => ScoreOf(point, half, level)));
            (sum, count) = (sum + training.Sum(point => ScoreOf(point, best, level)), count + training.Count);
        }
        return sum / count;
    }

    private static double ScoreOf(CalibrationPoint point, double half, double level)
    {
        var probability = point.Predicted.Probability;
        return CalibrationTable.Score(
            new(Math.Max(0, probability - half), Math.Min(1, probability + half)),
            point.Measured,
            level
        );
    }
}
