using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;

namespace MqttCheck.Cli.Stages;

/// <summary>Calibration tables on the screen.</summary>
public static class CalibrationText
{
    // Above it two runs of the same setup differ so much that a prediction cannot be judged by a few of them.
    private const double QuietNoiseFloor = .03;

    /// <summary>Prints the points of the first learner in full, the errors of all learners side by side if there are several, and a line for each learner.</summary>
    /// <param name="screen">Where to.</param>
    /// <param name="tables">A table for each learner, at least one, all of the same measurements.</param>
    /// <param name="models">What each learner learned.</param>
    public static void Print(Screen screen, IReadOnlyList<CalibrationTable> tables, IReadOnlyList<LearnedModel> models)
    {
        ArgumentNullException.ThrowIfNull(screen);
        ArgumentNullException.ThrowIfNull(tables);
        ArgumentNullException.ThrowIfNull(models);
        if (tables[0].Points.Count == 0)
        {
            screen.Line(string.Create(CultureInfo.InvariantCulture,
                $"At no threshold did between {CalibrationTable.LeastMeasured} and {CalibrationTable.MostMeasured} of the sequences arrive in time; choose other thresholds with --threshold."));
            return;
        }
        screen.Line();
        if (tables.Count > 1) screen.Line($"learner {tables[0].Learner}:");
        Points(tables[0]).Print(screen);
        if (tables.Count > 1)
        {
            screen.Line();
            screen.Line("error (predicted less measured) of each learner:");
            SideBySide(tables).Print(screen);
        }
        screen.Line();
        Summary(tables, models).Print(screen);
        foreach (var quiet in tables.Select(one => one.WithNoiseFloorUpTo(QuietNoiseFloor)).Where(quiet => quiet.Points.Count > 0))
        {
            screen.Line(string.Create(CultureInfo.InvariantCulture,
                $"{quiet.Learner}, {quiet.Points.Count} points with a noise floor of at most {QuietNoiseFloor}: mean error {quiet.MeanError:0.000}, largest {quiet.LargestError:0.000}, coverage {quiet.Coverage:0.000}, median width {quiet.MedianWidth:0.000}, interval score {quiet.IntervalScore:0.000}, constant width {quiet.ConstantWidthScore:0.000}"));
        }
        screen.Line("\"one run\" and the last four columns of the summary are of the predicted interval of a single run, sampling included: coverage is the share of runs that it holds.");
        foreach (var note in models[0].Training.Notes) screen.Line($"Note: {note}");
    }

    private static TextTable Points(CalibrationTable table)
    {
        var text = new TextTable("profile", "clients", "threshold", "predicted", "one run", "measured", "interval", "error", "noise floor");
        foreach (var point in table.Points)
        {
            text.Add(point.Predicted.Profile, point.Predicted.Clients.ToString(CultureInfo.InvariantCulture), Text.Milliseconds(point.Predicted.ThresholdMilliseconds),
                Text.Probability(point.Predicted.Probability), Text.Probability(point.RunInterval),
                Text.Probability(point.Measured), Text.Probability(point.MeasuredInterval), Signed(point.Error), Text.Probability(point.NoiseFloor));
        }
        return text;
    }

    // Which points there are depends on the measurements alone, so all tables have the same, in the same order.
    private static TextTable SideBySide(IReadOnlyList<CalibrationTable> tables)
    {
        var text = new TextTable(["profile", "clients", "threshold", "measured", "noise floor", .. tables.Select(table => table.Learner)]);
        for (var i = 0; i < tables[0].Points.Count; i++)
        {
            var point = tables[0].Points[i];
            text.Add([
                point.Predicted.Profile, point.Predicted.Clients.ToString(CultureInfo.InvariantCulture), Text.Milliseconds(point.Predicted.ThresholdMilliseconds),
                Text.Probability(point.Measured), Text.Probability(point.NoiseFloor), .. tables.Select(table => Signed(table.Points[i].Error)),
            ]);
        }
        return text;
    }

    private static TextTable Summary(IReadOnlyList<CalibrationTable> tables, IReadOnlyList<LearnedModel> models)
    {
        var text = new TextTable("learner", "took", "points", "mean error", "largest", "bias", "noise floor", "coverage", "median width", "interval score", "constant width");
        foreach (var (one, model) in tables.Zip(models))
        {
            text.Add(one.Learner, model.Model.Kind, one.Points.Count.ToString(CultureInfo.InvariantCulture), Text.Probability(one.MeanError), Text.Probability(one.LargestError),
                Signed(one.Bias), Text.Probability(one.NoiseFloor), Text.Probability(one.Coverage), Text.Probability(one.MedianWidth), Text.Probability(one.IntervalScore),
                Text.Probability(one.ConstantWidthScore));
        }
        return text;
    }

    private static string Signed(double value) => value.ToString("+0.000;-0.000;0.000", CultureInfo.InvariantCulture);
}
