using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Nagle;
using MqttCheck.Latency.Quality;
using MqttCheck.Logs;
using MqttCheck.Text;

namespace MqttCheck.Latency.Files;

/// <summary>
/// Reads and writes model files (JSON). The same model gives the same bytes, so a file can be compared and committed.
/// </summary>
public static class LatencyModelFile
{
    /// <summary>The version of the format that is written and read.</summary>
    public const int Schema = 5;

    private static readonly SortedDictionary<string, Func<JsonObjectReader, JsonFindings, LatencyModel>> Readers = new(
        StringComparer.Ordinal
    )
    {
        [BinnedQuantilesModel.KindName] = BinnedQuantilesJson.Read,
        [LogNormalMixtureModel.KindName] = LogNormalMixtureModel.Read,
        [NearestNeighboursModel.KindName] = NearestNeighboursModel.Read,
        [QuantileRegressionModel.KindName] = QuantileRegressionModel.Read,
        [QueueModel.KindName] = QueueModel.Read,
        [LinearNormalModel.KindName] = LinearNormalModel.Read,
        [PaperRegressionModel.KindName] = PaperRegressionModel.Read,
    };

    /// <summary>Writes a model file, or replaces it whole.</summary>
    /// <param name="path">The path of the file; its folder is created if need be.</param>
    /// <param name="model">The model.</param>
    /// <exception cref="IOException">The file cannot be written; an earlier one stays as it was.</exception>
    /// <exception cref="ArgumentException">The model is of a kind that files cannot hold.</exception>
    public static void Write(string path, LearnedModel model) => AtomicFile.Write(path, ToBytes(model));

    /// <summary>Reads a model file.</summary>
    /// <param name="path">The path of the file.</param>
    /// <exception cref="InputException">
    /// The file is missing, malformed, or of another version: every finding with file, line and key.
    /// </exception>
    public static LearnedModel Read(string path)
    {
        var content = InputFile.ReadAllBytes("model", path, "the path of a model file that `mqttcheck learn` wrote");
        KnownFile.Require(content, "model", path, "a model of 'mqttcheck learn'");
        return Parse(content, path);
    }

    /// <summary>The text of a model file.</summary>
    /// <param name="model">The model.</param>
    /// <exception cref="ArgumentException">The model is of a kind that files cannot hold.</exception>
    public static byte[] ToBytes(LearnedModel model)
    {
        if (NagleModel.OwnOf(model.Model) is not ISavedModel)
            throw new ArgumentException($"A model of the kind {model.Model.Kind} cannot be saved.", nameof(model));
        return JsonText.Of(writer =>
        {
            writer.WriteStartObject();
            JsonNodes.WriteMembers(
                writer,
                ("schema", Schema),
                ("kind", model.Model.Kind),
                ("broker", LoggedEnvironment.Of(model.Broker)),
                ("machine", LoggedEnvironment.Of(model.Machine)),
                ("training", Of(model.Training)),
                ("ranges", Of(model.Ranges)),
                ("quality", model.Quality is { } quality ? Of(quality) : null),
                ("regression", model.Regression is { } regression ? RegressionJson.Of(regression) : null),
                ("idleMilliseconds", model.IdleMilliseconds)
            );
            if (model.Replay is { } replay)
            {
                writer.WritePropertyName("replay");
                ReplayJson.Write(writer, replay);
            }
            JsonNodes.WriteMembers(writer, ("candidates", JsonNodes.Array(model.Candidates, ReplayJson.Of)));
            WriteParameters(writer, model.Model);
            writer.WriteStartArray("alternatives");
            foreach (var alternative in model.Alternatives)
                Write(writer, alternative);
            writer.WriteEndArray();
            writer.WriteEndObject();
        });
    }

    /// <summary>Reads the text of a model file.</summary>
    /// <param name="utf8Json">The text.</param>
    /// <param name="source">The name in messages.</param>
    /// <exception cref="InputException">As <see cref="Read"/>.</exception>
    public static LearnedModel Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        var tree = JsonTree.Parse(utf8Json, source);
        var findings = new JsonFindings(source);
        var reader = JsonObjectReader.OfSchema(Schema, tree, findings);
        var kind = reader.Text("kind", null);
        var broker = LoggedEnvironment.ReadBroker(reader.Required("broker", "an object"), findings);
        var machine = LoggedEnvironment.ReadMachine(reader.Required("machine", "an object"), findings);
        var training = reader.Required("training", "an object") is { } trainingTree
            ? ReadTraining(trainingTree, findings)
            : null;
        var ranges = reader.Required("ranges", "an object") is { } rangesTree ? ReadRanges(rangesTree, findings) : null;
        var quality = reader.Optional("quality", ReadQuality);
        var regression = reader.Optional("regression", RegressionJson.Read);
        double? idle = reader.Tree.Member("idleMilliseconds") is null
            ? null
            : reader.Number("idleMilliseconds", 0, double.MaxValue);
        var replay = reader.Optional("replay", ReplayJson.ReadQuality);
        var candidates = reader
            .Array("candidates", "an array of learners")
            .Select(item => ReplayJson.ReadCandidate(item, findings))
            .ToArray();
        var model = ReadModel(kind, reader, findings);
        var alternatives = reader
            .Array("alternatives", "an array of models")
            .Select(item => ReadModel(item, findings))
            .ToArray();
        reader.End();
        findings.ThrowIfAny();
        return new()
        {
            Regression = regression,
            IdleMilliseconds = idle,
            Replay = replay,
            Candidates = candidates,
            Alternatives = [.. alternatives.OfType<LatencyModel>()],
            Model = model!,
            Broker = broker,
            Machine = machine,
            Training = training!,
            Ranges = ranges!,
            Quality = quality,
        };
    }

    /// <summary>The text of a model alone, without what is known of its training.</summary>
    /// <param name="model">The model.</param>
    /// <exception cref="InputException">The model is of a kind that files cannot hold.</exception>
    internal static byte[] ToBytes(LatencyModel model) =>
        NagleModel.OwnOf(model) is ISavedModel
            ? JsonText.Of(writer => Write(writer, model))
            : throw new InputException($"kind of model is {model.Kind}; allowed: {string.Join(", ", Readers.Keys)}");

    /// <summary>Reads the text of a model alone.</summary>
    /// <param name="utf8Json">The text.</param>
    /// <param name="source">The name in messages.</param>
    /// <exception cref="InputException">As <see cref="Read"/>.</exception>
    internal static LatencyModel ParseModel(ReadOnlySpan<byte> utf8Json, string source)
    {
        var findings = new JsonFindings(source);
        var model = ReadModel(JsonTree.Parse(utf8Json, source), findings);
        findings.ThrowIfAny();
        return model!;
    }

    private static void Write(Utf8JsonWriter writer, LatencyModel model)
    {
        writer.WriteStartObject();
        writer.WriteString("kind", model.Kind);
        WriteParameters(writer, model);
        writer.WriteEndObject();
    }

    private static void WriteParameters(Utf8JsonWriter writer, LatencyModel model)
    {
        writer.WriteStartObject("parameters");
        ((ISavedModel)NagleModel.OwnOf(model)).Write(writer);
        writer.WriteEndObject();
        if (model is not NagleModel { Held: var held })
            return;
        writer.WritePropertyName("heldDeliveries");
        held.Write(writer);
    }

    private static LatencyModel? ReadModel(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(tree, findings, reader => ReadModel(reader.Text("kind", null), reader, findings));

    private static LatencyModel? ReadModel(string kind, JsonObjectReader reader, JsonFindings findings)
    {
        var parameters = reader.Required("parameters", "an object");
        var held = reader.Optional("heldDeliveries", NagleDeliveries.Read);
        if (!Readers.TryGetValue(kind, out var read))
        {
            if (reader.Tree.Member("kind") is { } given)
                findings.Add(given, $"{given.Given} given; allowed: {string.Join(", ", Readers.Keys)}");
            return null;
        }
        if (parameters is null)
            return null;
        var inner = new JsonObjectReader(parameters, findings);
        var before = findings.Count;
        var model = read(inner, findings);
        if (findings.Count == before)
            inner.End();
        return held is null ? model : new NagleModel(model, held);
    }

    private static TrainingSummary ReadTraining(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var counts = ModelJson.ByKind(
            reader,
            "exchanges",
            "an object with a count per kind of message",
            (inner, name) => inner.Integer(name, 0, int.MaxValue),
            findings
        );
        var seedText = reader.Text("seed", null);
        if (
            !ulong.TryParse(seedText, NumberStyles.None, CultureInfo.InvariantCulture, out var seed)
            && tree.Member("seed") is { } given
        )
            findings.Add(given, $"{given.Given} given; allowed: an integer as a text, \"0\" .. \"{ulong.MaxValue}\"");
        var summary = new TrainingSummary
        {
            Cases = reader.Integer("cases", 1, int.MaxValue),
            ExchangesByKind = counts,
            FailedExchanges = reader.Integer("failedExchanges", 0, int.MaxValue),
            Seed = seed,
            LogSha256 = [.. reader.Array("logSha256", "an array of texts").Select(item => item.Text)],
            Coarse = reader.Flag("coarse"),
            Profile = reader.Optional("profile", TrainingProfileJson.Read),
            Notes = [.. reader.Array("notes", "an array of texts").Select(item => item.Text)],
        };
        reader.End();
        return summary;
    }

    private static JsonObject Of(TrainingSummary training) =>
        JsonNodes.Object(
            ("cases", training.Cases),
            ("exchanges", ModelJson.ByKind(kind => training.ExchangesByKind[kind])),
            ("failedExchanges", training.FailedExchanges),
            ("seed", training.Seed.ToString(CultureInfo.InvariantCulture)),
            ("logSha256", JsonNodes.Texts(training.LogSha256)),
            ("coarse", training.Coarse),
            ("profile", training.Profile is { } profile ? TrainingProfileJson.Of(profile) : null),
            ("notes", JsonNodes.Texts(training.Notes))
        );

    private static JsonObject Of(ModelRanges ranges) =>
        JsonNodes.Object(
            ("clients", ranges.Clients),
            ("activeMessages", ranges.ActiveMessages),
            ("subscribers", ranges.Subscribers),
            ("messagesPerSecond", ranges.MessagesPerSecond),
            ("smallest", ranges.Smallest is { } smallest ? Of(smallest) : null)
        );

    private static JsonObject Of(FitQuality quality) =>
        JsonNodes.Object(
            ("heldOutCases", quality.HeldOutCases),
            ("exchanges", quality.Exchanges),
            ("kolmogorovSmirnov", quality.KolmogorovSmirnov),
            ("aboveNinetyNinePercent", quality.AboveNinetyNinePercent)
        );

    private static ModelRanges ReadRanges(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new ModelRanges(
                reader.Integer("clients", 1, int.MaxValue),
                reader.Integer("activeMessages", 1, int.MaxValue),
                reader.Integer("subscribers", 0, int.MaxValue),
                reader.Number("messagesPerSecond", 0, double.MaxValue)
            )
            {
                Smallest = reader.Optional("smallest", ReadRanges),
            }
        );

    private static FitQuality ReadQuality(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new FitQuality(
                reader.Integer("heldOutCases", 1, int.MaxValue),
                reader.Integer("exchanges", 0, int.MaxValue),
                reader.Number("kolmogorovSmirnov", 0, 1),
                reader.Number("aboveNinetyNinePercent", 0, 1)
            )
        );
}
