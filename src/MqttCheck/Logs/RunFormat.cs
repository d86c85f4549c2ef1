using MqttCheck.Health;
using MqttCheck.Json;
using MqttCheck.Profiles;

namespace MqttCheck.Logs;

/// <summary>The format of the file beside a log.</summary>
internal static class RunFormat
{
    private static readonly JsonKind<RunPurpose> s_purpose = JsonKinds.Word([
        ("explore", RunPurpose.Explore),
        ("verify", RunPurpose.Verify),
    ]);

    private static readonly JsonKind<IReadOnlyList<int>> s_numbers = JsonKinds.List(
        JsonKinds.Integer(0, 1_000_000),
        "an array of numbers"
    );

    private static readonly JsonKind<IReadOnlyList<int>> s_places = JsonKinds.List(
        JsonKinds.Integer(0),
        "an array of places in the order of sending"
    );

    private static readonly JsonKind<IReadOnlyList<NumberedTopics>> s_topics = JsonKinds.List(
        JsonFormat.Of<NumberedTopics>(fields =>
            new(
                fields.Required("number", JsonKinds.Integer(0, 1_000_000), of => of.Number),
                fields.Required("topics", s_numbers, of => of.Topics)
            )
        ),
        "an array of numbers with their topics"
    );

    private static readonly JsonKind<ObservedSessions> s_sessions = JsonFormat.Of<ObservedSessions>(fields =>
        new()
        {
            Online = fields.Required("online", s_numbers, of => of.Online),
            Clean = fields.Required("clean", s_numbers, of => of.Clean),
            CleanConnects = fields.Optional("cleanConnects", s_places, of => of.CleanConnects, []),
            Subscriptions = fields.Required("subscriptions", s_topics, of => of.Subscriptions),
            Filters = fields.Required("filters", s_topics, of => of.Filters),
        }
    );

    private static readonly JsonKind<RunCase> s_case = JsonFormat.Of<RunCase>(fields =>
        new()
        {
            Run = fields.Required("run", JsonKinds.Integer(0, 1_000_000), run => run.Run),
            Purpose = fields.Required("purpose", s_purpose, run => run.Purpose),
            Clients = fields.Required("clients", JsonKinds.Integer(1, 1_000_001), run => run.Clients),
            Duration = fields.Nullable("durationSeconds", JsonKinds.Seconds(0, 1e8), run => run.Duration),
            MessagesPerClient = fields.Nullable(
                "messagesPerClient",
                JsonKinds.Integer(1),
                run => run.MessagesPerClient
            ),
            Started = fields.Nullable("started", JsonKinds.Time, run => run.Started),
            Ended = fields.Nullable("ended", JsonKinds.Time, run => run.Ended),
            Complete = fields.Required("complete", JsonKinds.Flag, run => run.Complete),
            Health = fields.Nullable("health", HealthKinds.Health, run => run.Health),
            WarmUp =
                fields.Nullable("warmUp", HealthKinds.WarmUp, run => run.Health is null ? null : (WarmUp?)run.WarmUp)
                ?? WarmUp.Unknown,
            Population = fields.Nullable("population", ProfileFormat.Inline, run => run.Population),
            Sessions = fields.Nullable("sessions", s_sessions, run => run.Sessions),
        }
    );

    /// <summary>The information about a log.</summary>
    public static JsonKind<RunInformation> Kind { get; } =
        JsonFormat.OfSchema<RunInformation>(
            RunInformationFile.Schema,
            fields =>
                new()
                {
                    ToolVersion = fields.Required("toolVersion", JsonKinds.Text, of => of.ToolVersion),
                    Seed = fields.Required("seed", JsonKinds.Seed, of => of.Seed),
                    Started = fields.Required("started", JsonKinds.Time, of => of.Started),
                    Broker = fields.Required("broker", EnvironmentKinds.Broker, of => of.Broker),
                    Machine = fields.Required("machine", EnvironmentKinds.Machine, of => of.Machine),
                    Engine = fields.Optional(
                        "engine",
                        JsonKinds.Details,
                        of => of.Engine,
                        JsonKinds.Details.StandIn(),
                        always: true
                    ),
                    TopicPrefix = fields.Optional(
                        "topicPrefix",
                        JsonKinds.Text,
                        of => of.TopicPrefix,
                        "",
                        always: true
                    ),
                    Coarse = fields.Required("coarse", JsonKinds.Flag, of => of.Coarse),
                    Complete = fields.Required("complete", JsonKinds.Flag, of => of.Complete),
                    Cases = fields.Required("runs", JsonKinds.List(s_case, "an array of runs"), of => of.Cases),
                }
        );
}
