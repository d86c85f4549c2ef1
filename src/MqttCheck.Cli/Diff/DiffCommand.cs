using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.App.Diff;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Diff;

/// <summary><c>mqttcheck diff</c>: two predictions to their difference, and to what it comes from.</summary>
internal sealed class DiffCommand(Screen screen)
{
    // An interval that is not known is left out.
    private static readonly JsonSerializerOptions s_json = new()
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    private readonly Argument<FileInfo> _first = File("FIRST");
    private readonly Argument<FileInfo> _second = File("SECOND");

    private readonly Option<string> _format = new Option<string>("--format")
    {
        HelpName = "FORMAT",
        Description = "What is printed: text or json. Default text.",
        DefaultValueFactory = _ => "text",
    }.Accepting("text", "json");

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "diff",
            "Compares two predictions, of two profiles, models or numbers of clients: "
                + "the differences with intervals, and the keys that changed."
        )
        {
            _first,
            _second,
            _format,
        };
        command.Concludes((parse, cancellation) => Task.Run(() => Run(parse, cancellation), cancellation));
        return command;
    }

    private Conclusion Run(ParseResult parse, CancellationToken cancellation)
    {
        var (first, second) = (parse.GetValue(_first)!.ToString(), parse.GetValue(_second)!.ToString());
        var (one, other) = (PredictionFile.Read(first), PredictionFile.Read(second));
        var differences = PairedPredictions.Between(one, other, cancellation);
        var changes = ChangedKeys.Between(one, other);
        if (parse.GetValue(_format) == "json")
        {
            WriteJson(first, second, one, other, differences, changes);
            return Conclusion.Success;
        }
        screen.Lines(changes.Select(change => $"changed: {change}"));
        if (changes.Count == 0)
            screen.Line("changed: nothing but what is random");
        screen.Lines(one.Notes.Intersect(other.Notes).Select(note => $"Note on both: {note}"));
        screen.Lines(one.Notes.Except(other.Notes).Select(note => $"Note on {first}: {note}"));
        screen.Lines(other.Notes.Except(one.Notes).Select(note => $"Note on {second}: {note}"));
        screen.Line();
        Print(differences, Math.Min(one.Level, other.Level));
        return Conclusion.Success;
    }

    private void Print(IReadOnlyList<PredictionDifference> differences, double level)
    {
        var arePaired = differences.Any(difference => difference.InModel is not null);
        var table = new TextTable([
            "setup",
            "compared with",
            "threshold",
            "first",
            "second",
            "second - first",
            .. Enumerable.Repeat("in the model", arePaired ? 1 : 0),
            Invariant($"{level:P0} interval"),
            "",
        ]);
        foreach (var difference in differences)
        {
            table.Add([
                Name(difference.First),
                Name(difference.First) == Name(difference.Second) ? "same" : Name(difference.Second),
                TableCell.Milliseconds(difference.ThresholdMilliseconds),
                TableCell.Probability(difference.FirstProbability),
                TableCell.Probability(difference.SecondProbability),
                TableCell.Difference(difference.Difference),
                .. Enumerable.Repeat(IntervalCell(difference.InModel), arePaired ? 1 : 0),
                IntervalCell(difference.Interval),
                difference.Verdict,
            ]);
        }
        table.Print(screen);
        if (differences.Any(difference => difference.Interval is null))
            screen.Line(
                "-: one of the predictions has no point at the threshold, so the interval is not known; predict both "
                    + "with the same --threshold."
            );
        screen.Line(
            !arePaired
                ? "The intervals add both predictions' own, as if their errors were independent; of one model they are "
                    + "partly the same, and the intervals are wider than they need be."
                : "Both setups were simulated again with the same random numbers. \"In the model\" is the interval of "
                    + "the simulation alone. The other holds the model's error of a difference too, as far as replayed "
                    + "cases show it."
        );
    }

    private static TableCell IntervalCell(Interval? interval) =>
        TableCell.Of(
            interval,
            interval is { } known
                ? $"[{NumberText.Difference(known.Lower)}, {NumberText.Difference(known.Upper)}]"
                : "-"
        );

    private void WriteJson(
        string first,
        string second,
        Prediction one,
        Prediction other,
        IReadOnlyList<PredictionDifference> differences,
        IReadOnlyList<string> changes
    )
    {
        var document = new
        {
            first,
            second,
            level = Math.Min(one.Level, other.Level),
            changes,
            notes = one.Notes.Union(other.Notes),
            differences = differences.Select(difference => new
            {
                firstProfile = difference.First.Profile,
                firstClients = difference.First.Clients,
                secondProfile = difference.Second.Profile,
                secondClients = difference.Second.Clients,
                thresholdMilliseconds = difference.ThresholdMilliseconds,
                firstProbability = difference.FirstProbability,
                secondProbability = difference.SecondProbability,
                difference = difference.Difference,
                lower = difference.Interval?.Lower,
                upper = difference.Interval?.Upper,
                lowerInModel = difference.InModel?.Lower,
                upperInModel = difference.InModel?.Upper,
            }),
        };
        screen.Line(JsonOutput.Of(writer => JsonSerializer.Serialize(writer, document, s_json)));
    }

    private static Argument<FileInfo> File(string name) =>
        new(name) { Description = "A prediction file that 'predict' or 'run' wrote." };

    private static string Name(PredictedSetup setup) => Invariant($"{setup.Profile}, {setup.Clients} clients");
}
