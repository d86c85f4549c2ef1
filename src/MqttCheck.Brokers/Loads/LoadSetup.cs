using System.Text.Json.Serialization;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Loads;

/// <summary>One run of a load: which workload, against which broker.</summary>
internal sealed record LoadSetup
{
    /// <summary>The workload to send.</summary>
    public required Workload Workload { get; init; }

    /// <summary>The broker.</summary>
    public required WireEndpoint Endpoint { get; init; }

    /// <summary>
    /// The nodes of a cluster and who connects to which; null (the default) where all connect to
    /// <see cref="Endpoint"/>.
    /// </summary>
    [JsonIgnore]
    public LoadNodes? Nodes { get; init; }

    /// <summary>The topics and filters of its clients; null (the default) for those of the workload.</summary>
    [JsonIgnore]
    public LoadTopics? Topics { get; init; }

    /// <summary>Who is told of every step; null (the default) for nobody.</summary>
    internal ILoadObserver? Observer { get; init; }

    /// <summary>
    /// A beginning that is shared with other loads; null (the default) to begin once the clients are connected.
    /// </summary>
    internal LoadStart? Start { get; init; }

    /// <summary>How to log in, or null for anonymous.</summary>
    public Credentials? Credentials { get; init; }

    /// <summary>
    /// How many messages all publishers of a closed loop together send in a second at most; null (the default) for as
    /// many as the broker answers.
    /// </summary>
    [JsonIgnore]
    public double? MostPerSecond { get; init; }

    /// <summary>The protocol spoken: 3.1.1 or 5.</summary>
    public ProtocolVersion Version { get; init; } = ProtocolVersion.V311;

    /// <summary>Which MQTT client carries the messages. Default the own one.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>
    /// The beginning of the usual topics and of all client identifiers, unique to the run: letters, digits and slashes,
    /// ending with a slash.
    /// </summary>
    public required string Prefix { get; init; }

    /// <summary>The beginning of usual topics, see <see cref="IBrokerUnderTest.TopicPrefix"/>. Default: none.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>How to log in at a node.</summary>
    /// <param name="node">The place of the node in <see cref="Nodes"/>; 0 where there is only one.</param>
    internal Credentials? LoginAt(int node) => Nodes is { Logins.Count: > 0 } nodes ? nodes.Logins[node] : Credentials;

    /// <summary>The topics and filters that its clients use.</summary>
    [JsonIgnore]
    internal LoadTopics Names => Topics ?? LoadTopics.Of(Workload, TopicPrefix + Prefix);

    /// <summary>The seed of the schedule, of payloads, and of who goes offline.</summary>
    public ulong Seed { get; init; }

    /// <summary>
    /// How late a constant rate begins, 0 .. 1 of the time between two messages of all publishers. Default 0.
    /// </summary>
    public double ArrivalPhase { get; init; }

    /// <summary>
    /// How long to wait before the first message when every client is ready, 0 .. 10 min. Default 20 ms.
    /// </summary>
    public TimeSpan HeadStart { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// How long nothing is sent between counted warm-up messages and those that count, 0 .. 10 min. Default 0.
    /// </summary>
    public TimeSpan WarmUpPause { get; init; }

    /// <summary>How long to wait after the last message for what is under way, 10 ms .. 10 min. Default 5 s.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long to wait after the last message if nothing more is owed: everything acknowledged has come, or the broker
    /// has forgotten the session that it was for. Null (the default) to wait for what was not acknowledged, too.
    /// </summary>
    internal TimeSpan? DrainOfUnowed { get; init; }

    /// <summary>
    /// How long nobody may be connected, or a first connection may fail, before the run ends with the reason; 10 ms ..
    /// 10 min. Default 5 s.
    /// </summary>
    public TimeSpan ConnectPatience { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The process of a broker on this machine, whose processor time and memory are noted; or null.</summary>
    [JsonIgnore]
    public int? BrokerProcessId { get; init; }

    /// <summary>Finds everything that is out of range or contradictory, and what this machine cannot do.</summary>
    /// <returns>One sentence for each, empty when the setup can be run.</returns>
    public IReadOnlyList<string> Validate()
    {
        var errors = new List<string>(Workload.Validate());
        if (Version is not (ProtocolVersion.V311 or ProtocolVersion.V5))
            errors.Add($"MQTT version: {Version} is not spoken here; allowed: 3.1.1 and 5.");
        if (
            Prefix is not { Length: >= 2 and <= 200 }
            || Prefix[^1] != '/'
            || !Prefix.All(c => char.IsAsciiLetterOrDigit(c) || c == '/')
        )
            errors.Add(
                $"Prefix: '{Prefix}' is not allowed; letters, digits "
                    + $"and slashes, a slash at the end, up to 200 characters."
            );
        if (PrefixedBroker.FindError(TopicPrefix) is { } wrong)
            errors.Add(wrong);
        foreach (
            var (name, time) in (ReadOnlySpan<(string, TimeSpan)>)
                [("Drain", Drain), ("Connect patience", ConnectPatience)]
        )
        {
            if (time < TimeSpan.FromMilliseconds(10) || time > TimeSpan.FromMinutes(10))
                errors.Add($"{name}: {time} is out of range; allowed: 10 ms .. 10 min.");
        }
        errors.AddRange(SystemLimits.Check(Workload.Publishers + Workload.Subscribers, Endpoint.Address));
        if (Credentials is { UserName.Length: 0 })
            errors.Add("Credentials: the user name is empty; leave the credentials out to connect anonymously.");
        return errors;
    }
}
