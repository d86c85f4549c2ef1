using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Quality;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Files;

/// <summary>The training of a model, in a model file.</summary>
internal static class TrainingKinds
{
    private static readonly JsonKind<ulong> s_seed = JsonKinds
        .TextWhere(
            $"an integer as a text, \"0\" .. \"{ulong.MaxValue}\"",
            text => ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out _),
            other: "a text"
        )
        .As(
            text => text.Length == 0 ? 0 : ulong.Parse(text, CultureInfo.InvariantCulture),
            seed => seed.ToString(CultureInfo.InvariantCulture)
        );

    private static readonly JsonKind<IReadOnlyDictionary<string, string>> s_keys = JsonKinds.Details with
    {
        Read = ReadKeys,
        Write = (writer, keys) =>
        {
            writer.WriteStartObject();
            foreach (var (key, value) in keys)
                writer.WriteString(key, value);
            writer.WriteEndObject();
        },
    };

    private static readonly JsonKind<IReadOnlyList<int>> s_qos = JsonKinds.List(
        JsonKinds.Integer(0, 2),
        "an array of qualities of service"
    );

    private static readonly JsonKind<TrainingSeen> s_seen = JsonFormat.Of<TrainingSeen>(fields =>
        new()
        {
            PayloadBytes = fields.Nullable("payloadBytes", Range(int.MaxValue), seen => seen.PayloadBytes),
            PublishQos = fields.Required("publishQos", s_qos, seen => seen.PublishQos),
            SubscribeQos = fields.Required("subscribeQos", s_qos, seen => seen.SubscribeQos),
            Sessions = fields.Required("sessions", JsonKinds.Texts, seen => seen.Sessions),
            WaitMilliseconds = fields.Required(
                "waitMilliseconds",
                Range(double.MaxValue),
                seen => seen.WaitMilliseconds
            ),
            Subscribers = fields.Required("subscribers", Range(double.MaxValue), seen => seen.Subscribers),
        }
    );

    private static readonly JsonKind<TrainingProfile> s_profile = JsonFormat.Of<TrainingProfile>(fields =>
        new(
            fields.Required("names", JsonKinds.Texts, profile => profile.Names),
            fields.Nullable("meanWaitMilliseconds", Range(double.MaxValue), profile => profile.MeanWaitMilliseconds),
            fields.Nullable("sequenceLength", Range(int.MaxValue), profile => profile.SequenceLength),
            fields.Required(
                "shares",
                ModelKinds.ByName(MessageKinds.Names, Range(1), "an object with a range per kind of message"),
                profile => [.. profile.Shares]
            )
        )
        {
            Packets =
                fields.Nullable(
                    "packets",
                    JsonKinds.List(s_keys, "an array of objects"),
                    profile => profile.Packets.Count > 0 ? profile.Packets : null
                ) ?? [],
            Seen = fields.Nullable("seen", s_seen, profile => profile.Seen),
        }
    );

    /// <summary>The training.</summary>
    public static JsonKind<TrainingSummary> Summary { get; } =
        JsonFormat.Of<TrainingSummary>(fields =>
            new()
            {
                Cases = fields.Required("cases", JsonKinds.Integer(1), training => training.Cases),
                ExchangesByKind = fields.Required(
                    "exchanges",
                    ModelKinds.ByName(
                        MessageKinds.Names,
                        JsonKinds.Integer(0),
                        "an object with a count per kind of message"
                    ),
                    training => [.. training.ExchangesByKind]
                ),
                FailedExchanges = fields.Required(
                    "failedExchanges",
                    JsonKinds.Integer(0),
                    training => training.FailedExchanges
                ),
                Seed = fields.Required("seed", s_seed, training => training.Seed),
                LogSha256 = fields.Required("logSha256", JsonKinds.Texts, training => training.LogSha256),
                Coarse = fields.Required("coarse", JsonKinds.Flag, training => training.Coarse),
                Profile = fields.Nullable("profile", s_profile, training => training.Profile),
                Notes = fields.Required("notes", JsonKinds.Texts, training => training.Notes),
                Cautions =
                    fields.Nullable(
                        "cautions",
                        JsonKinds.Texts,
                        training => training.Cautions is { Count: > 0 } cautions ? cautions : null
                    ) ?? [],
            }
        );

    /// <summary>The ranges of the training.</summary>
    public static JsonKind<ModelRanges> Ranges { get; } = JsonFormat.Of<ModelRanges>(RangesOf);

    /// <summary>The fit to cases that were held out.</summary>
    public static JsonKind<FitQuality> Quality { get; } =
        JsonFormat.Of<FitQuality>(fields =>
            new(
                fields.Required("heldOutCases", JsonKinds.Integer(1), quality => quality.HeldOutCases),
                fields.Required("exchanges", JsonKinds.Integer(0), quality => quality.Exchanges),
                fields.Required("kolmogorovSmirnov", JsonKinds.Number(0, 1), quality => quality.KolmogorovSmirnov),
                fields.Required(
                    "aboveNinetyNinePercent",
                    JsonKinds.Number(0, 1),
                    quality => quality.AboveNinetyNinePercent
                )
            )
        );

    private static ModelRanges RangesOf(JsonFields<ModelRanges> fields) =>
        new(
            fields.Required("clients", JsonKinds.Integer(1), ranges => ranges.Clients),
            fields.Required("activeMessages", JsonKinds.Integer(1), ranges => ranges.ActiveMessages),
            fields.Required("subscribers", JsonKinds.Integer(0), ranges => ranges.Subscribers),
            fields.Required("messagesPerSecond", JsonKinds.Number(0), ranges => ranges.MessagesPerSecond)
        )
        {
            OfferedPerSecond = fields.Nullable(
                "offeredPerSecond",
                JsonKinds.Number(0),
                ranges => ranges.OfferedPerSecond
            ),
            Smallest = fields.Nullable("smallest", Ranges with { Schema = null }, ranges => ranges.Smallest),
        };

    private static JsonKind<Interval> Range(double maximum) =>
        JsonFormat.Of<Interval>(
            fields =>
                fields.Required("from", JsonKinds.Number(0, maximum), range => range.Lower) is var from
                    ? new(from, fields.Required("to", JsonKinds.Number(from, maximum), range => range.Upper))
                    : null!,
            "an object with from and to"
        );

    private static Dictionary<string, string> ReadKeys(JsonTree tree, JsonFindings findings)
    {
        JsonKinds.Is(tree, findings, tree.Type == System.Text.Json.JsonTokenType.StartObject, "an object");
        return tree.Members.ToDictionary(member => member.Key, member => member.Value.Text);
    }
}
