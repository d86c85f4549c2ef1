using System.Text;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Populations;
using MqttCheck.Captures.Usage;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Captures.Logs;

/// <summary>An exchange log that is made of MQTT packets, with the files beside it.</summary>
internal sealed class BookedLog : IDisposable
{
    private readonly string _path;
    private readonly ExchangeLogWriter _writer;
    private readonly ExchangeRows _rows;

    /// <summary>Begins a log.</summary>
    /// <param name="path">Its path, that of a new file.</param>
    /// <param name="resolutionNanoseconds">How exact the times of packets are.</param>
    public BookedLog(string path, double resolutionNanoseconds)
    {
        _path = path;
        _writer = new(path);
        _rows = new(_writer, resolutionNanoseconds, Counts);
        Book = new(_rows, Counts);
    }

    /// <summary>Counts what is not usable.</summary>
    public CaptureCounts Counts { get; } = new();

    /// <summary>Takes the packets.</summary>
    public ExchangeBook Book { get; }

    /// <summary>The time that times in the log count from, in nanoseconds since 1970.</summary>
    public long Zero
    {
        set => _rows.Zero = value;
    }

    /// <summary>Ends the log, and writes the files beside it.</summary>
    /// <param name="origin">Where the packets come from.</param>
    /// <param name="span">When they passed.</param>
    /// <param name="point">Where they were seen.</param>
    /// <param name="damage">Why they were not read to their end, or null.</param>
    public CaptureSummary Finish(LogOrigin origin, TimeRange span, ObservationPoint point, string? damage)
    {
        _writer.Dispose();
        var found = FoundPopulation.Of(Book.Names, span.Duration.TotalSeconds, origin.KeepsNames);
        var profile = new FoundProfile(found, origin.KeepsNames);
        RunInformationFile.Write(_path, InformationOn(origin, span, point, profile));
        var names = NamesFile.PathOf(_path);
        NamesFile.Write(names, Book.Names, origin.KeepsNames);
        return new(
            origin.Source,
            _path,
            names,
            Counts,
            span.Duration,
            Book.Names.Clients.Count,
            Book.Names.Topics.Count,
            point,
            damage,
            found,
            profile
        );
    }

    /// <summary>Ends the log, and leaves nothing behind.</summary>
    public void Discard()
    {
        _writer.Dispose();
        File.Delete(_path);
    }

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();

    private RunInformation InformationOn(LogOrigin origin, TimeRange span, ObservationPoint point, FoundProfile profile)
    {
        var version =
            Book.Version is not { } known ? "mixed"
            : known >= ProtocolVersion.V5 ? "5"
            : "3.1.1";
        var started = span.Started;
        return new()
        {
            ToolVersion = origin.ToolVersion,
            Seed = 0,
            Started = started,
            Broker = new(
                LoggedBroker.CapturedName,
                "unknown",
                "unknown",
                new Dictionary<string, string> { [LoggedBroker.VersionKey] = version }
            ),
            Machine = MachineInformation.Unknown,
            Engine = EngineOf(origin.Source, Counts, point),
            Complete = true,
            Cases =
            [
                new()
                {
                    Run = 0,
                    Purpose = RunPurpose.Explore,
                    Clients = Math.Max(1, Book.Names.Clients.Count),
                    Population = profile.Population,
                    Duration = span.Duration,
                    Started = started,
                    Ended = started + span.Duration,
                    Sessions = SessionsOf(Book.Names),
                },
            ],
        };
    }

    private static Dictionary<string, string> EngineOf(string source, CaptureCounts counts, ObservationPoint point)
    {
        var engine = new Dictionary<string, string>
        {
            ["source"] = source,
            ["observationPoint"] = point.Place,
            ["joinedConnections"] = Invariant($"{counts.Joined}"),
            ["exchangesWithoutKnownEnd"] = Invariant($"{counts.UnknownEnds}"),
        };
        if (!double.IsNaN(point.ToBrokerMicroseconds))
        {
            engine["toBrokerMicroseconds"] = Invariant($"{point.ToBrokerMicroseconds:0.#}");
            engine["toClientsMicroseconds"] = Invariant($"{point.ToClientsMicroseconds:0.#}");
        }
        var unused = string.Join("; ", counts.NotUsed.Select(one => Invariant($"{one.Count} {one.What}")));
        if (unused.Length > 0)
            engine["notUsed"] = unused;
        return engine;
    }

    /// <summary>The sessions and filters of the clients of a log.</summary>
    public static ObservedSessions SessionsOf(SeenNames names) =>
        new()
        {
            Online = Numbers(names.Clients.Values.Where(client => client.IsJoined)),
            Clean = Numbers(names.Clients.Values.Where(client => client.IsAlwaysClean)),
            CleanConnects =
            [
                .. names
                    .Clients.Values.Where(client => !client.IsAlwaysClean)
                    .SelectMany(client => client.CleanConnects)
                    .Order(),
            ],
            Subscriptions =
            [
                .. names
                    .Clients.Values.Where(client => client.Standing.Count > 0)
                    .OrderBy(client => client.Number)
                    .Select(client => new NumberedTopics(client.Number, [.. client.Standing.Order()])),
            ],
            Filters =
            [
                .. names
                    .Filters.OrderBy(pair => pair.Value)
                    .Select(pair => new NumberedTopics(pair.Value, TopicsOf(pair.Key, names))),
            ],
        };

    private static int[] Numbers(IEnumerable<Participant> clients) =>
        [.. clients.Select(client => client.Number).Order()];

    private static int[] TopicsOf(string filters, SeenNames names)
    {
        var each = filters
            .Split('\n')
            .Where(filter => !SeenNames.IsShared(filter))
            .Select(Encoding.UTF8.GetBytes)
            .ToList();
        return
        [
            .. names
                .Topics.Where(topic => each.Exists(filter => TopicFilter.Matches(filter, topic.Name)))
                .Select(topic => topic.Number)
                .Distinct()
                .Order(),
        ];
    }
}
