using System.Globalization;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;
using static System.FormattableString;

namespace MqttCheck.Cli.Calibrate;

/// <summary>Calibration tables on the screen.</summary>
internal static class CalibrationText
{
    /// <summary>
    /// Prints the points of the first learner in full, the errors of all learners side by side if there are several,
    /// and a line for each learner.
    /// </summary>
    /// <param name="tables">A table for each learner, at least one, all of the same measurements.</param>
    public static void Print(Screen screen, IReadOnlyList<CalibrationTable> tables, IReadOnlyList<LearnedModel> models)
    {
        if (tables[0].Points.Count == 0)
        {
            screen.Line(
                Invariant($"At no threshold did between {CalibrationTable.LeastMeasured} ")
                    + Invariant($"and {CalibrationTable.MostMeasured} of the sequences arrive ")
                    + "in time; choose other thresholds with --threshold."
            );
            return;
        }
        screen.Line();
        if (tables.Count > 1)
            screen.Line($"learner {tables[0].Learner}:");
        Points(tables[0]).Print(screen);
        if (tables.Count > 1)
        {
            screen.Line();
            screen.Line("error (predicted less measured) of each learner:");
            SideBySide(tables).Print(screen);
        }
        screen.Line();
        Summary(tables, models).Print(screen);
        foreach (
            var quiet in tables
                .Select(one => one.WithNoiseFloorUpTo(CalibrationTable.QuietNoiseFloor))
                .Where(quiet => quiet.Points.Count > 0)
        )
        {
            screen.Line(
                Invariant($"{quiet.Learner}, {quiet.Points.Count} points with a noise floor of at most ")
                    + Invariant($"{CalibrationTable.QuietNoiseFloor}: mean error {quiet.MeanError:0.000}, largest ")
                    + Invariant($"{quiet.LargestError:0.000}, means held {quiet.MeanCoverage:0.000}, coverage ")
                    + Invariant($"{quiet.Coverage:0.000}, median width {quiet.MedianWidth:0.000}, interval score ")
                    + Invariant($"{quiet.IntervalScore:0.000}, constant width {quiet.ConstantWidthScore:0.000}")
            );
        }
        screen.Line(
            "\"one run\" and the last four columns of the summary are of "
                + Invariant($"the predicted {tables[0].Level:P0} interval of a single run, ")
                + "sampling included: coverage is the share of runs that it holds."
        );
        screen.Line(
            "\"means held\" is the share of points where the predicted interval of the mean of the runs holds it."
        );
        screen.Lines(models[0].Training.Notes.Select(note => $"Note: {note}"));
    }

    /// <summary>Prints what several trainings on each broker say about the intervals.</summary>
    /// <param name="summaries">A summary for each broker and choice of points, with the name of the choice.</param>
    public static void Print(Screen screen, IReadOnlyList<(string Points, CalibrationSummary Summary)> summaries)
    {
        var text = new TextTable(
            "broker",
            "points",
            "trainings",
            "number",
            "level",
            "held",
            "99 % interval",
            "level in it",
            "one run",
            "mean error",
            "score",
            "constant width",
            "ratio"
        );
        foreach (var (points, one) in summaries)
        {
            text.Add(
                one.Broker,
                points,
                one.Trainings,
                one.Points,
                TableCell.Probability(one.Level),
                TableCell.Probability(one.Coverage),
                TableCell.Probability(one.CoverageInterval),
                one.HoldsLevel ? "yes" : "no",
                TableCell.Probability(one.RunCoverage),
                TableCell.Probability(one.MeanError),
                TableCell.Probability(one.Score),
                TableCell.Probability(one.ConstantWidthScore),
                TableCell.Probability(one.Score / one.ConstantWidthScore)
            );
        }
        text.Print(screen);
        screen.Line(
            "\"held\" is the share of points whose predicted interval holds the mean of the runs, with "
                + "its interval (the training is the sampling unit); \"one run\" the same of single runs."
        );
        screen.Line(
            "\"score\" is the mean interval score, \"constant width\" that of the one width "
                + "that is best for the other trainings. Quiet points have a noise floor of at most "
                + CalibrationTable.QuietNoiseFloor.ToString(CultureInfo.InvariantCulture)
                + "."
        );
    }

    private static TextTable Points(CalibrationTable table)
    {
        var text = new TextTable(
            "profile",
            "clients",
            "threshold",
            "predicted",
            "one run",
            "measured",
            "interval",
            "error",
            "noise floor"
        );
        foreach (var point in table.Points)
        {
            text.Add(
                point.Predicted.Profile,
                point.Predicted.Clients,
                TableCell.Milliseconds(point.Predicted.ThresholdMilliseconds),
                TableCell.Probability(point.Predicted.Probability),
                TableCell.Probability(point.RunInterval),
                TableCell.Probability(point.Measured),
                TableCell.Probability(point.MeasuredInterval),
                TableCell.Difference(point.Error),
                TableCell.Probability(point.NoiseFloor)
            );
        }
        return text;
    }

    // Which points there are depends on the measurements alone, so all tables have the same, in the same order.
    private static TextTable SideBySide(IReadOnlyList<CalibrationTable> tables)
    {
        var text = new TextTable([
            "profile",
            "clients",
            "threshold",
            "measured",
            "noise floor",
            .. tables.Select(table => table.Learner),
        ]);
        for (var i = 0; i < tables[0].Points.Count; i++)
        {
            var point = tables[0].Points[i];
            text.Add([
                point.Predicted.Profile,
                point.Predicted.Clients,
                TableCell.Milliseconds(point.Predicted.ThresholdMilliseconds),
                TableCell.Probability(point.Measured),
                TableCell.Probability(point.NoiseFloor),
                .. tables.Select(table => TableCell.Difference(table.Points[i].Error)),
            ]);
        }
        return text;
    }

    private static TextTable Summary(IReadOnlyList<CalibrationTable> tables, IReadOnlyList<LearnedModel> models)
    {
        var text = new TextTable(
            "learner",
            "took",
            "points",
            "mean error",
            "largest",
            "bias",
            "noise floor",
            "means held",
            "coverage",
            "median width",
            "interval score",
            "constant width"
        );
        foreach (var (one, model) in tables.Zip(models))
        {
            text.Add(
                one.Learner,
                model.Model.Kind,
                one.Points.Count,
                TableCell.Probability(one.MeanError),
                TableCell.Probability(one.LargestError),
                TableCell.Difference(one.Bias),
                TableCell.Probability(one.NoiseFloor),
                TableCell.Probability(one.MeanCoverage),
                TableCell.Probability(one.Coverage),
                TableCell.Probability(one.MedianWidth),
                TableCell.Probability(one.IntervalScore),
                TableCell.Probability(one.ConstantWidthScore)
            );
        }
        return text;
    }
}
