using System.Globalization;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>Turns JSON values into predictions and notes every finding on the way.</summary>
internal static class PredictionReader
{
    public static Prediction Read(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        if (!IsPrediction(reader, findings))
            return Empty;
        var model = reader.Required("model", "an object") is { } modelTree
            ? ReadModel(modelTree, findings)
            : Empty.Model;
        var options = reader.Required("options", "an object") is { } optionsTree
            ? ReadOptions(optionsTree, findings)
            : Empty.Options;
        var indifference = reader.Number("indifference", 0.001, 0.499, Empty.Indifference);
        var notes = reader.Optional("notes")?.Items ?? [];
        var points = reader.Array("points", "an array of points");
        var populations = reader.Array("populations", "an array of profiles and populations");
        var setups = reader.Array("setups", "an array of setups");
        reader.End();

        var prediction = new Prediction
        {
            Model = model,
            Options = options,
            Indifference = indifference,
            Notes = [.. notes.Select(note => note.Text)],
            Populations = [.. populations.Select(population => ProfileFile.Read(population, findings))],
            Setups = [.. setups.Select(setup => ReadSetup(setup, findings))],
            Points = [.. points.Select(point => ReadPoint(point, findings))],
        };
        foreach (var (point, at) in prediction.Points.Zip(points))
        {
            if (prediction.Populations.All(population => population.Name != point.Profile))
                findings.Add(
                    at,
                    $"profile \"{point.Profile}\" given; allowed: the name of one of the file's populations"
                );
        }
        return prediction;
    }

    // Another kind of file, or another version, would only give findings that mislead.
    private static bool IsPrediction(JsonObjectReader reader, JsonFindings findings)
    {
        var before = findings.Count;
        var format = reader.Required("format", $"\"{PredictionFile.Format}\"");
        if (format is not null && format.Text != PredictionFile.Format)
            findings.Add(format, $"{format.Given} given; allowed: \"{PredictionFile.Format}\"");
        if (findings.Count == before)
            reader.Integer("version", 1, PredictionFile.Version);
        return findings.Count == before;
    }

    private static PredictionModel ReadModel(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new PredictionModel(
                reader.Text("file", null),
                reader.Text("sha256", null),
                reader.Text("kind", null),
                reader.Text("broker", null)
            )
            {
                IdleMilliseconds = tree.Member("idleMilliseconds") is null
                    ? null
                    : reader.Number("idleMilliseconds", 0, double.MaxValue),
                ReplayedCases = tree.Member("replayedCases") is null
                    ? null
                    : reader.Integer("replayedCases", 0, int.MaxValue),
            }
        );

    private static PredictionOptions ReadOptions(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new PredictionOptions
            {
                Seed = (ulong)ReadInteger(reader, "seed", ulong.MaxValue, findings),
                Replications = reader.Integer("replications", 1, int.MaxValue),
                Confidence = reader.Number("confidence", 0.001, 0.999999999),
                TimerGridMilliseconds = reader.Number("timerGridMilliseconds", 0, 1000),
                PilotSequences = reader.Integer("pilotSequences", 0, int.MaxValue),
                SequencesPerClient = reader.Integer("sequencesPerClient", 1, int.MaxValue, 1),
            }
        );

    private static PredictedPoint ReadPoint(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var profile = reader.Text("profile", null);
        var clients = reader.Integer("clients", 1, int.MaxValue);
        var threshold = reader.Number("thresholdMilliseconds", 1e-6, 1e9);
        var probability = reader.Number("probability", 0, 1);
        var (lower, upper) = (reader.Number("lower", 0, 1), reader.Number("upper", 0, 1));
        reader.End();
        if (!(lower <= probability && probability <= upper))
        {
            findings.Add(
                tree,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"probability {probability} with the interval [{lower}, "
                        + $"{upper}] given; allowed: lower <= probability <= upper"
                )
            );
        }
        return new(profile, clients, threshold, probability, new Interval(lower, upper));
    }

    private static PredictedSetup ReadSetup(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var table = reader.Array("worstMilliseconds", "an array of numbers");
        var setup = new PredictedSetup
        {
            Profile = reader.Text("profile", null),
            Clients = reader.Integer("clients", 1, int.MaxValue),
            IsOutsideTraining = reader.Optional("outsideTraining") is { Type: JsonTokenType.True },
            Replications = reader.Integer("replications", 1, int.MaxValue),
            Sequences = reader.Integer("sequences", 1, int.MaxValue),
            Exchanges = (long)ReadInteger(reader, "exchanges", long.MaxValue, findings),
            MeanActive = reader.Number("meanActive", 0, int.MaxValue),
            MaximumActive = reader.Integer("maximumActive", 0, int.MaxValue),
            WorstMilliseconds =
            [
                .. table.Select(value => JsonObjectReader.Number(value, 0, double.MaxValue, findings)),
            ],
        };
        reader.End();
        for (var i = 1; i < table.Count; i++)
        {
            if (setup.WorstMilliseconds[i] >= setup.WorstMilliseconds[i - 1])
                continue;
            findings.Add(table[i], $"{table[i].Given} given after {table[i - 1].Given}; allowed: ascending values");
            break;
        }
        return setup;
    }

    // A double cannot hold every 64-bit number, so the digits are read.
    private static UInt128 ReadInteger(JsonObjectReader reader, string key, ulong maximum, JsonFindings findings)
    {
        var value = reader.Required(key, $"an integer, 0 .. {maximum}");
        if (value is null)
            return 0;
        if (
            value.Type == JsonTokenType.Number
            && UInt128.TryParse(value.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number <= maximum
        )
            return number;
        findings.Add(value, $"{value.Given} given; allowed: an integer, 0 .. {maximum}");
        return 0;
    }

    private static Prediction Empty { get; } =
        new()
        {
            Model = new("", "", "", ""),
            Options = new(),
            Populations = [],
            Setups = [],
            Points = [],
        };
}
