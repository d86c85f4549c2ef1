using MqttCheck.Cli.Terminal;
using MqttCheck.Predictions;
using static System.FormattableString;

namespace MqttCheck.Cli.Predict;

/// <summary>A prediction as a table.</summary>
internal static class PredictionTable
{
    /// <summary>Prints it: what leaves the model's range first, then a table.</summary>
    public static void Print(Screen screen, Prediction prediction)
    {
        screen.Lines(prediction.Notes.Select(note => $"Note: {note}"));
        screen.Line(
            "P(all messages of a client's sequence arrive in time), "
                + Invariant($"{prediction.Options.Replications} simulations per setup:")
        );
        var outside = prediction.Setups.Where(setup => setup.IsOutsideTraining).ToList();
        string[] headings = ["profile", "clients", "threshold", "probability", prediction.IntervalTitle];
        var table = new TextTable(outside.Count == 0 ? headings : [.. headings, ""]);
        foreach (var point in prediction.Points)
        {
            TableCell[] cells =
            [
                point.Profile,
                point.Clients,
                TableCell.Milliseconds(point.ThresholdMilliseconds),
                TableCell.Probability(point.Probability),
                TableCell.Probability(point.Interval),
            ];
            var mark = outside.Exists(setup => (setup.Profile, setup.Clients) == (point.Profile, point.Clients))
                ? "outside of training"
                : "";
            table.Add(outside.Count == 0 ? cells : [.. cells, mark]);
        }
        table.Print(screen);
        screen.Line(prediction.IntervalMeaning);
    }
}
