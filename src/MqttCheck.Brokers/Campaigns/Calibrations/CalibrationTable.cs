using MathNet.Numerics.Distributions;
using MqttCheck.Predictions;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>How far predictions of one learner are from measurements, and whether their intervals are honest.</summary>
/// <param name="Learner">The learner.</param>
/// <param name="Points">The points.</param>
/// <param name="Level">The share of the predicted intervals that are to hold: <see cref="Forecast.Level"/>.</param>
internal sealed record CalibrationTable(string Learner, IReadOnlyList<CalibrationPoint> Points, double Level)
{
    /// <summary>The thresholds that are looked at unless others are given, in milliseconds.</summary>
    public static IReadOnlyList<double> DefaultThresholds { get; } =
    [.5, .7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 22, 30, 36, 40, 44, 50, 60, 80, 110, 160, 220, 300, 450, 650, 900];

    /// <summary>Points count where the measured probability is at least this.</summary>
    public const double LeastMeasured = .3;

    /// <summary>Points count where the measured probability is at most this.</summary>
    public const double MostMeasured = .99;

    /// <summary>
    /// The largest noise floor of a quiet point: above it two runs of the same setup differ so much that a prediction
    /// cannot be judged by a few of them.
    /// </summary>
    public const double QuietNoiseFloor = .03;

    /// <summary>The mean distance between prediction and measurement.</summary>
    public double MeanError => Points.Average(point => Math.Abs(point.Error));

    /// <summary>The largest distance.</summary>
    public double LargestError => Points.Max(point => Math.Abs(point.Error));

    /// <summary>The mean error with its sign: positive where predictions are too good.</summary>
    public double Bias => Points.Average(point => point.Error);

    /// <summary>The mean noise floor.</summary>
    public double NoiseFloor => Points.Average(point => point.NoiseFloor);

    /// <summary>
    /// The share of runs that lie within the predicted interval of a run. The interval is meant for a single run; the
    /// mean of several runs scatters less.
    /// </summary>
    public double Coverage => Points.Average(point => point.Coverage);

    /// <summary>The share of points where the predicted interval of the mean of the runs holds it.</summary>
    public double MeanCoverage => Points.Average(point => point.HoldsMean ? 1.0 : 0);

    /// <summary>The median width of the predicted intervals of a run.</summary>
    public double MedianWidth =>
        Points.Select(point => point.RunInterval.Upper - point.RunInterval.Lower).Order().ElementAt(Points.Count / 2);

    /// <summary>
    /// The mean interval score (Gneiting and Raftery 2007) of the predicted intervals of a run: the width, and for each
    /// run outside 2 / (1 - level) times its distance. Smaller is better.
    /// </summary>
    public double IntervalScore =>
        Points.Average(point => point.Runs.Average(run => Score(point.RunInterval, run, Level)));

    /// <summary>The same score of intervals of one width for all points, as wide as the same coverage needs.</summary>
    public double ConstantWidthScore
    {
        get
        {
            // Each point counts once, however many runs it has.
            var distances = Points
                .SelectMany(point =>
                    point.Runs.Select(run =>
                        (Distance: Math.Abs(point.Predicted.Probability - run), Weight: 1.0 / point.Runs.Count)
                    )
                )
                .OrderBy(one => one.Distance)
                .ToArray();
            var wanted = Coverage * Points.Count - 1e-9;
            var (half, within) = (0.0, 0.0);
            foreach (var (distance, weight) in distances)
            {
                if (within >= wanted)
                    break;
                (half, within) = (distance, within + weight);
            }
            return Points.Average(point =>
            {
                var interval = new Interval(
                    Math.Max(0, point.Predicted.Probability - half),
                    Math.Min(1, point.Predicted.Probability + half)
                );
                return point.Runs.Average(run => Score(interval, run, Level));
            });
        }
    }

    /// <summary>Compares forecasts with measurements.</summary>
    /// <param name="learner">The learner's name.</param>
    /// <param name="setups">The measured setups, each with at least two runs to be looked at.</param>
    /// <param name="forecastOf">The forecast of a setup.</param>
    /// <param name="thresholdsMilliseconds">The thresholds.</param>
    /// <param name="confidence">The confidence of the intervals of what was measured.</param>
    public static CalibrationTable Of(
        string learner,
        IReadOnlyList<MeasuredSetup> setups,
        Func<CalibrationSetup, Forecast> forecastOf,
        IReadOnlyList<double> thresholdsMilliseconds,
        double confidence
    )
    {
        var points = new List<CalibrationPoint>();
        var level = confidence;
        foreach (var measured in setups.Where(setup => setup.WorstMilliseconds.Count >= 2))
        {
            Forecast? forecast = null;
            foreach (var threshold in thresholdsMilliseconds)
            {
                var runs = measured
                    .WorstMilliseconds.Select(run => run.Count(worst => worst < threshold) / (double)run.Length)
                    .ToArray();
                var mean = runs.Average();
                if (mean is < LeastMeasured or > MostMeasured)
                    continue;
                forecast ??= forecastOf(measured.Setup);
                level = forecast.Level;
                var deviation = Math.Sqrt(runs.Sum(run => (run - mean) * (run - mean)) / (runs.Length - 1));
                var half =
                    StudentT.InvCDF(0, 1, runs.Length - 1, (1 + confidence) / 2) * deviation / Math.Sqrt(runs.Length);
                points.Add(
                    new(
                        forecast.Point(threshold),
                        forecast.RunInterval(threshold),
                        forecast.RunInterval(threshold, runs.Length),
                        runs,
                        new(Math.Max(0, mean - half), Math.Min(1, mean + half))
                    )
                );
            }
        }
        return new(learner, points, level);
    }

    /// <summary>The part of the table where runs of the same setup agree.</summary>
    /// <param name="largest">The largest noise floor of a point.</param>
    public CalibrationTable WithNoiseFloorUpTo(double largest) =>
        this with
        {
            Points = [.. Points.Where(point => point.NoiseFloor <= largest)],
        };

    /// <summary>
    /// The interval score of one interval: its width, plus 2 / (1 - level) times the distance of the measured value
    /// from it. Smaller is better.
    /// </summary>
    /// <param name="interval">The interval.</param>
    /// <param name="measured">The measured value.</param>
    /// <param name="level">The share of such intervals that are to hold.</param>
    public static double Score(Interval interval, double measured, double level) =>
        interval.Upper
        - interval.Lower
        + 2 / (1 - level) * (Math.Max(0, interval.Lower - measured) + Math.Max(0, measured - interval.Upper));
}
