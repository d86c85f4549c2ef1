using MqttCheck.Brokers.Campaigns.Calibrations;

namespace MqttCheck.App.Calibrate;

/// <summary>The calibration of a broker as its file has it: the points of the first learner.</summary>
/// <param name="Broker">The broker in words.</param>
/// <param name="Level">The confidence of its intervals.</param>
internal sealed record StoredCalibration(string Broker, double Level, IReadOnlyList<CalibrationPoint> Points)
{
    /// <summary>The file, where it was computed again; null where it was read.</summary>
    public string? Written { get; init; }

    /// <summary>All that was learned, where it was computed again.</summary>
    public LearnedTables? Learned { get; init; }

    /// <summary>
    /// Says for each broker whether its intervals hold what they say. Intervals of another level are judged by
    /// themselves.
    /// </summary>
    /// <returns>Summaries of its quiet points, and of all.</returns>
    public static IReadOnlyList<(string Points, CalibrationSummary Summary)> Summaries(
        IEnumerable<StoredCalibration> trainings
    )
    {
        var summaries = new List<(string, CalibrationSummary)>();
        foreach (var broker in trainings.GroupBy(training => (Name: training.Broker.Split(' ')[0], training.Level)))
        {
            foreach (
                var (name, largest) in new[]
                {
                    ("quiet", CalibrationTable.QuietNoiseFloor),
                    ("all", double.PositiveInfinity),
                }
            )
            {
                var points = broker.Select(training =>
                    (IReadOnlyList<CalibrationPoint>)[.. training.Points.Where(point => point.NoiseFloor <= largest)]
                );
                if (CalibrationSummary.Of(broker.Key.Name, points, broker.Key.Level) is { } summary)
                    summaries.Add((name, summary));
            }
        }
        return summaries;
    }
}
