using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Protocol;

namespace MqttCheck.Profiles.Workloads;

/// <summary>The format of workloads.</summary>
internal static class WorkloadFormat
{
    private const double LongestSeconds = 86_400;

    private static readonly JsonKind<string> s_name = JsonKinds.TextWhere(
        "letters, digits, '.', '_' and '-'",
        text => text.Length > 0 && text.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-'),
        "^[A-Za-z0-9._-]+$",
        "a text"
    );

    private static readonly JsonKind<QualityOfService> s_qos = QosChoice.Level;

    private static readonly JsonKind<WorkloadShape> s_shape = JsonKinds.Choice([
        ("pairs", WorkloadShape.Pairs),
        ("fan-in", WorkloadShape.FanIn),
        ("fan-out", WorkloadShape.FanOut),
    ]);

    private static readonly JsonKind<ProtocolVersion?> s_version = JsonKinds.Choice<ProtocolVersion?>([
        ("auto", null),
        ("3.1.1", ProtocolVersion.V311),
        ("5", ProtocolVersion.V5),
    ]);

    private static readonly JsonKind<int> s_clients = JsonKinds.Integer(1, Workload.MostClients);

    private static readonly JsonKind<double> s_rate = JsonKinds.Number(0, Workload.HighestRate);

    private static readonly JsonKind<(ArrivalKind Kind, double Rate)> s_arrivals = new(
        "",
        ReadArrivals,
        (writer, arrivals) => Arrivals(arrivals.Kind, arrivals.Rate).WriteTo(writer),
        () => (ArrivalKind.Closed, 1000),
        () =>
            JsonNodes.Object(
                (
                    "oneOf",
                    JsonNodes.List([
                        JsonNodes.Object(("const", "closed")),
                        RateSchema("constant"),
                        RateSchema("poisson"),
                    ])
                )
            )
    );

    private static readonly JsonKind<LoadPayload> s_payload = new(
        "",
        ReadPayload,
        (writer, payload) => writer.WriteStringValue(payload.Text),
        () => LoadPayload.OfSize(100),
        JsonKinds.Text.Schema
    );

    private static readonly JsonKind<LoadWarmUp> s_warmUp = JsonFormat
        .Of<LoadWarmUp>(fields =>
            LoadWarmUp.Lasting(fields.Required("seconds", Seconds(0, 3600), warmUp => warmUp.Time))
        )
        .Or(
            JsonFormat.Of<LoadWarmUp>(fields =>
                new(
                    fields.Required("messages", JsonKinds.Integer(1, 1000), warmUp => warmUp.Messages),
                    fields.Required("everySeconds", Seconds(0.001, 3600), warmUp => warmUp.Time)
                )
            ),
            tree => tree.Member("messages") is not null,
            warmUp => warmUp.Messages > 0
        );

    private static readonly JsonKind<(double Share, TimeSpan Time, TimeSpan? From)> s_offline = JsonFormat.Of<(
        double Share,
        TimeSpan Time,
        TimeSpan? From
    )>(fields =>
        (
            fields.Required("share", JsonKinds.Number(0, 1), offline => offline.Share),
            fields.Required("seconds", Seconds(0.001, LongestSeconds), offline => offline.Time),
            fields.Nullable(
                "fromSeconds",
                Seconds(0, LongestSeconds),
                offline => offline.From,
                "When they go, after the first message that counts. They are back at the end at the latest. Default: "
                    + "a quarter of the time, and they are away for half of it at most."
            )
        )
    );

    private static readonly JsonKind<LoadBurst> s_pause = JsonFormat.Of<LoadBurst>(fields =>
    {
        var from = fields.Required("fromSeconds", Seconds(0, LongestSeconds), pause => pause.From);
        var length = fields.Required("seconds", Seconds(0.001, LongestSeconds), pause => pause.Until - pause.From);
        return new(MessagesPerSecond: 0, from, from + length);
    });

    /// <summary>A workload.</summary>
    public static JsonKind<Workload> Kind { get; } = JsonFormat.Of<Workload>(Fields);

    private static Workload Fields(JsonFields<Workload> fields)
    {
        fields.Ignored("$schema");
        var workload = new Workload
        {
            Name = fields.Required("name", s_name, of => of.Name, "The name in tables and file names."),
            Qos = fields.Optional("qos", s_qos, of => of.Qos, QualityOfService.AtLeastOnce, always: true),
        };
        var (arrivals, rate) = fields.Optional(
            "arrivals",
            s_arrivals,
            of => (of.Arrivals, of.MessagesPerSecond),
            (ArrivalKind.Closed, 1000),
            "closed: a publisher keeps inFlight messages in flight. constant or poisson: messages per second of all "
                + "publishers together, by a schedule that is fixed before the run.",
            always: true
        );
        var (share, offline, from) = fields.Optional(
            "offline",
            s_offline,
            of => (of.OfflineShare, of.OfflineTime, of.OfflineFrom),
            (0, TimeSpan.FromSeconds(1), null),
            "A share of the subscribers goes offline, and comes back after so many seconds.",
            "none",
            always: true
        );
        workload = workload with
        {
            Arrivals = arrivals,
            MessagesPerSecond = rate,
            OfflineShare = share,
            OfflineTime = offline,
            OfflineFrom = from,
        };
        workload = workload with
        {
            // A burst with a rate of its own belongs to topologies.
            Burst = fields.Nullable(
                "pause",
                s_pause,
                of => of.Burst is { MessagesPerSecond: 0 } ? of.Burst : null,
                "An open loop publishes nothing for so many seconds, from then on after the first message that counts."
            ),
        };
        return Messages(fields, Clients(fields, workload));
    }

    private static Workload Clients(JsonFields<Workload> fields, Workload workload) =>
        workload with
        {
            Description = fields.Optional("description", JsonKinds.Text, of => of.Description, "", always: true),
            Shape = fields.Optional(
                "shape",
                s_shape,
                of => of.Shape,
                WorkloadShape.Pairs,
                "Who publishes to whom.",
                always: true
            ),
            Publishers = fields.Optional("publishers", s_clients, of => of.Publishers, 100, always: true),
            Subscribers = fields.Optional("subscribers", s_clients, of => of.Subscribers, 100, always: true),
            InFlight = fields.Optional("inFlight", JsonKinds.Integer(1, 65_535), of => of.InFlight, 10, always: true),
            SubscribeQos = fields.Optional(
                "subscribeQos",
                s_qos,
                of => of.SubscribeQos,
                workload.Qos,
                "Default: as qos.",
                "none",
                always: true
            ),
            SecondQos = fields.Nullable(
                "secondQos",
                s_qos,
                of => of.SecondQos,
                "The QoS of the second half of the publishers. Default: as qos."
            ),
            Version = fields.Optional(
                "mqtt",
                s_version,
                of => of.Version is ProtocolVersion.V31 ? ProtocolVersion.V5 : of.Version,
                null,
                always: true
            ),
            PersistentSubscribers = fields.Optional(
                "persistentSubscribers",
                JsonKinds.Flag,
                of => of.PersistentSubscribers,
                false,
                always: true
            ),
        };

    private static Workload Messages(JsonFields<Workload> fields, Workload workload) =>
        workload with
        {
            Payload =
                fields.Optional(
                    "payload",
                    s_payload,
                    of => of.Payload,
                    LoadPayload.OfSize(100),
                    "A size in bytes, MIN..MAX, lognormal:MEDIAN,SIGMA, or text:TEXT with {number} or {number:base64} "
                        + "in it.",
                    always: true
                ) ?? LoadPayload.OfSize(100),
            WarmUpPayload = fields.Nullable(
                "warmUpPayload",
                s_payload,
                of => of.WarmUpPayload,
                "The payload of counted warm-up messages. Default: as payload."
            ),
            Topic = fields.Optional(
                "topic",
                JsonKinds.Text,
                of => of.Topic,
                "",
                "Places: {prefix}, {publisher}, {group}.",
                always: true
            ),
            Filter = fields.Optional(
                "filter",
                JsonKinds.Text,
                of => of.Filter,
                "",
                "Places: {prefix}, {subscriber}, {group}.",
                always: true
            ),
            WarmUp = fields.Optional(
                "warmUp",
                s_warmUp,
                of => of.WarmUp,
                LoadWarmUp.Lasting(TimeSpan.FromSeconds(1)),
                always: true
            ),
            Duration = fields.Optional(
                "durationSeconds",
                Seconds(0.001, LongestSeconds),
                of => of.Duration,
                TimeSpan.FromSeconds(10),
                always: true
            ),
        };

    private static JsonKind<TimeSpan> Seconds(double minimum, double maximum) =>
        JsonKinds.Number(minimum, maximum).As(TimeSpan.FromSeconds, WorkloadFile.Seconds);

    private static JsonNode Arrivals(ArrivalKind kind, double rate) =>
        kind switch
        {
            ArrivalKind.Closed => "closed",
            ArrivalKind.Constant => JsonNodes.Object(("constant", rate)),
            ArrivalKind.Poisson => JsonNodes.Object(("poisson", rate)),
            _ => throw new UnreachableException(),
        };

    private static JsonObject RateSchema(string key) =>
        JsonNodes.Object(
            ("type", "object"),
            ("additionalProperties", false),
            ("required", JsonNodes.Texts([key])),
            ("properties", JsonNodes.Object((key, JsonKinds.Positive(Workload.HighestRate, "").Schema!())))
        );

    private static (ArrivalKind Kind, double Rate) ReadArrivals(JsonTree tree, JsonFindings findings)
    {
        if (tree is { Type: JsonTokenType.String, Text: "closed" })
            return (ArrivalKind.Closed, 1000);
        if (tree.Members is [var (key, value)] && key is "constant" or "poisson")
            return (key == "constant" ? ArrivalKind.Constant : ArrivalKind.Poisson, s_rate.Read(value, findings));
        findings.Add(
            tree,
            $"{tree.Given} given; allowed: \"closed\", {{\"constant\": RATE}} or {{\"poisson\": RATE}}, "
                + "in messages per second"
        );
        return (ArrivalKind.Closed, 1000);
    }

    private static LoadPayload ReadPayload(JsonTree tree, JsonFindings findings)
    {
        if (!JsonKinds.Is(tree, findings, tree.Type == JsonTokenType.String, "a text such as \"100\""))
            return null!;
        try
        {
            return LoadPayload.Parse(tree.Text, $"{findings.Source}: {tree.Path}");
        }
        catch (InputException wrong)
        {
            findings.Add(wrong);
            return null!;
        }
    }
}
