using System.Globalization;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>The format of prediction files.</summary>
internal static class PredictionFormat
{
    private static readonly JsonKind<PredictionModel> s_model = JsonFormat.Of<PredictionModel>(fields =>
        new(
            fields.Required("file", JsonKinds.Text, model => model.File),
            fields.Required("sha256", JsonKinds.Text, model => model.Sha256),
            fields.Required("kind", JsonKinds.Text, model => model.Kind),
            fields.Required("broker", JsonKinds.Text, model => model.Broker)
        )
        {
            IdleMilliseconds = fields.Nullable(
                "idleMilliseconds",
                JsonKinds.Number(0),
                model => model.IdleMilliseconds
            ),
            LearnedFrom = fields.Nullable("learnedFrom", EnvironmentKinds.Broker, model => model.LearnedFrom),
            ReplayedCases = fields.Nullable("replayedCases", JsonKinds.Integer(0), model => model.ReplayedCases),
        }
    );

    private static readonly JsonKind<PredictionOptions> s_options = JsonFormat.Of<PredictionOptions>(fields =>
        new()
        {
            Seed = fields.Required("seed", JsonKinds.Digits(ulong.MaxValue), options => options.Seed),
            Replications = fields.Required("replications", JsonKinds.Integer(1), options => options.Replications),
            Confidence = fields.Required(
                "confidence",
                JsonKinds.Number(0.001, 0.999999999),
                options => options.Confidence
            ),
            TimerGridMilliseconds = fields.Required(
                "timerGridMilliseconds",
                JsonKinds.Number(0, 1000),
                options => options.TimerGridMilliseconds
            ),
            PilotSequences = fields.Required("pilotSequences", JsonKinds.Integer(0), options => options.PilotSequences),
            SequencesPerClient = fields.Optional(
                "sequencesPerClient",
                JsonKinds.Integer(1),
                options => options.SequencesPerClient,
                1,
                always: true
            ),
        }
    );

    private static readonly JsonKind<PredictedPoint> s_point = JsonFormat.Of<PredictedPoint>(fields =>
    {
        var point = new PredictedPoint(
            fields.Required("profile", JsonKinds.Text, point => point.Profile),
            fields.Required("clients", JsonKinds.Integer(1), point => point.Clients),
            fields.Required("thresholdMilliseconds", JsonKinds.Number(1e-6, 1e9), point => point.ThresholdMilliseconds),
            fields.Required("probability", JsonKinds.Number(0, 1), point => point.Probability),
            new Interval(
                fields.Required("lower", JsonKinds.Number(0, 1), point => point.Interval.Lower),
                fields.Required("upper", JsonKinds.Number(0, 1), point => point.Interval.Upper)
            )
        );
        var (lower, upper) = (point.Interval.Lower, point.Interval.Upper);
        fields.Refuse(
            !(lower <= point.Probability && point.Probability <= upper),
            () =>
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"probability {point.Probability} with the interval [{lower}, "
                        + $"{upper}] given; allowed: lower <= probability <= upper"
                )
        );
        return point;
    });

    private static readonly JsonKind<PredictedSetup> s_setup = JsonFormat.Of<PredictedSetup>(fields =>
        new()
        {
            Profile = fields.Required("profile", JsonKinds.Text, setup => setup.Profile),
            Clients = fields.Required("clients", JsonKinds.Integer(1), setup => setup.Clients),
            IsOutsideTraining = fields.Optional(
                "outsideTraining",
                JsonKinds.Flag with
                {
                    Read = (tree, _) => tree.Type == JsonTokenType.True,
                    Schema = null,
                },
                setup => setup.IsOutsideTraining,
                false
            ),
            Replications = fields.Required("replications", JsonKinds.Integer(1), setup => setup.Replications),
            Sequences = fields.Required("sequences", JsonKinds.Integer(1), setup => setup.Sequences),
            Exchanges = fields.Required(
                "exchanges",
                JsonKinds.Digits(long.MaxValue).As(number => (long)number, number => (ulong)number),
                setup => setup.Exchanges
            ),
            MeanActive = fields.Required("meanActive", JsonKinds.Number(0, int.MaxValue), setup => setup.MeanActive),
            MaximumActive = fields.Required("maximumActive", JsonKinds.Integer(0), setup => setup.MaximumActive),
            WorstMilliseconds = fields.Required(
                "worstMilliseconds",
                JsonKinds.List(JsonKinds.Number(0), "an array of numbers") with
                {
                    Read = ReadAscending,
                },
                setup => setup.WorstMilliseconds
            ),
        }
    );

    /// <summary>A prediction.</summary>
    public static JsonKind<Prediction> Kind { get; } = JsonFormat.Of<Prediction>(Fields);

    private static Prediction Fields(JsonFields<Prediction> fields)
    {
        fields.Derived("format", _ => PredictionFile.Format);
        // A prediction that was read as version 1 has no number of replayed cases, and keeps its version.
        fields.Derived("version", of => of.Model.ReplayedCases is null ? 1 : PredictionFile.Version);
        var prediction = new Prediction
        {
            Model = fields.Required("model", s_model, of => of.Model),
            Options = fields.Required("options", s_options, of => of.Options),
            Indifference = fields.Optional(
                "indifference",
                JsonKinds.Number(0.001, 0.499),
                of => of.Indifference,
                .1,
                always: true
            ),
            Notes = fields.Optional(
                "notes",
                JsonKinds.Texts with
                {
                    Read = (tree, _) => [.. tree.Items.Select(note => note.Text)],
                    Schema = null,
                },
                of => of.Notes,
                [],
                always: true
            ),
            Cautions =
                fields.Nullable(
                    "cautions",
                    JsonKinds.Texts,
                    of => of.Cautions is { Count: > 0 } cautions ? cautions : null
                ) ?? [],
            Points = fields.Required("points", JsonKinds.List(s_point, "an array of points"), of => of.Points),
            Populations = fields.Required(
                "populations",
                JsonKinds.List(ProfileFormat.Inline, "an array of profiles and populations"),
                of => of.Populations
            ),
            Setups = fields.Required("setups", JsonKinds.List(s_setup, "an array of setups"), of => of.Setups),
        };
        foreach (var (point, at) in prediction.Points.Zip(fields.Reader?.Tree.Member("points")?.Items ?? []))
        {
            if (prediction.Populations.All(population => population.Name != point.Profile))
                fields.Reader!.Findings.Add(
                    at,
                    $"profile \"{point.Profile}\" given; allowed: the name of one of the file's populations"
                );
        }
        return prediction;
    }

    private static IReadOnlyList<double> ReadAscending(JsonTree tree, JsonFindings findings)
    {
        var values = JsonKinds.List(JsonKinds.Number(0), "an array of numbers").Read(tree, findings);
        var at = Enumerable.Range(1, Math.Max(0, values.Count - 1)).FirstOrDefault(at => values[at] < values[at - 1]);
        if (at > 0)
            findings.Add(
                tree.Items[at],
                $"{tree.Items[at].Given} given after {tree.Items[at - 1].Given}; allowed: ascending values"
            );
        return values;
    }
}
