using MqttCheck.Json;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Nagle;
using MqttCheck.Logs;

namespace MqttCheck.Latency.Files;

/// <summary>The format of model files.</summary>
internal static class ModelFormat
{
    // Only the kind that is asked for is made, because making them all takes time at every start.
    private static readonly Dictionary<string, Func<JsonKind<LatencyModel>>> s_kinds = new(StringComparer.Ordinal)
    {
        [BinnedQuantilesModel.KindName] = () => Any(CellKinds.Model),
        [LogNormalMixtureModel.KindName] = () => Any(LogNormalMixtureModel.Format),
        [NearestNeighboursModel.KindName] = () => Any(NearestNeighboursModel.Format),
        [QuantileRegressionModel.KindName] = () => Any(QuantileRegressionModel.Format),
        [QueueModel.KindName] = () => Any(QueueModel.Format),
        [LinearNormalModel.KindName] = () => Any(LinearNormalModel.Format),
        [PaperRegressionModel.KindName] = () => Any(PaperRegressionModel.Format),
    };

    // After a finding about the kind, nothing is known of the parameters.
    private static readonly JsonKind<LatencyModel> s_unknown = new(
        "an object",
        (_, _) => null!,
        (_, _) => { },
        () => null!
    );

    /// <summary>The kinds of model that files can hold.</summary>
    public static string Names => string.Join(", ", s_kinds.Keys.Order(StringComparer.Ordinal));

    /// <summary>A model alone, without what is known of its training.</summary>
    public static JsonKind<LatencyModel> Alone { get; } =
        JsonFormat.Of<LatencyModel>(fields => Model(fields, Kind(fields, model => model), model => model));

    /// <summary>A model with what is known of its training.</summary>
    public static JsonKind<LearnedModel> File { get; } =
        JsonFormat.OfSchema<LearnedModel>(LatencyModelFile.Schema, Fields);

    /// <summary>Whether a file can hold a model.</summary>
    public static bool Saves(LatencyModel model) => s_kinds.ContainsKey(NagleModel.OwnOf(model).Kind);

    private static LearnedModel Fields(JsonFields<LearnedModel> fields)
    {
        var kind = Kind(fields, model => model.Model);
        var (broker, machine) = (
            fields.Required("broker", EnvironmentKinds.Broker, model => model.Broker),
            fields.Required("machine", EnvironmentKinds.Machine, model => model.Machine)
        );
        return new()
        {
            Broker = broker,
            Machine = machine,
            Training = fields.Required("training", TrainingKinds.Summary, model => model.Training),
            Ranges = fields.Required("ranges", TrainingKinds.Ranges, model => model.Ranges),
            Quality = fields.Nullable("quality", TrainingKinds.Quality, model => model.Quality),
            Regression = fields.Nullable("regression", RegressionKinds.Table, model => model.Regression),
            IdleMilliseconds = fields.Nullable(
                "idleMilliseconds",
                JsonKinds.Number(0),
                model => model.IdleMilliseconds
            ),
            Replay = fields.Nullable("replay", ReplayKinds.Quality, model => model.Replay),
            Candidates = fields.Required(
                "candidates",
                JsonKinds.List(ReplayKinds.Candidate, "an array of learners"),
                model => model.Candidates
            ),
            Model = Model(fields, kind, model => model.Model),
            Alternatives = fields.Required(
                "alternatives",
                JsonKinds.List(Alone, "an array of models"),
                model => model.Alternatives
            ),
        };
    }

    private static string Kind<T>(JsonFields<T> fields, Func<T, LatencyModel> get) =>
        fields.Required("kind", JsonKinds.Text, of => get(of).Kind);

    private static LatencyModel Model<T>(JsonFields<T> fields, string kind, Func<T, LatencyModel> get)
    {
        var parameters = s_kinds.GetValueOrDefault(kind, () => s_unknown)();
        var model = fields.Required("parameters", parameters, of => NagleModel.OwnOf(get(of)));
        var held = fields.Nullable("heldDeliveries", NagleDeliveries.Format, of => (get(of) as NagleModel)?.Held);
        fields.Refuse("kind", !s_kinds.ContainsKey(kind), given => $"{given.Given} given; allowed: {Names}");
        return held is null || model is null ? model! : new NagleModel(model, held);
    }

    private static JsonKind<LatencyModel> Any<T>(JsonKind<T> kind)
        where T : LatencyModel =>
        kind.As<LatencyModel>(model => model, model => (T)model) with
        {
            StandIn = () => null!,
            Allowed = "an object",
        };
}
