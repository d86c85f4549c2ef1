using System.Globalization;
using System.Text.Json.Serialization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// One run of a fleet: how many clients do what, where, and until when.
/// Exactly one of <see cref="CountedSequences"/> and <see cref="Duration"/> is given.
/// </summary>
public sealed record FleetSetup
{
    /// <summary>Who the clients are and what they do.</summary>
    public required Population Population { get; init; }

    /// <summary>The number of clients, 1 .. 20 000.</summary>
    public required int Clients { get; init; }

    /// <summary>
    /// How many sequences of each client count, 1 .. 1 000 000; the load is kept up until the last of them has ended.
    /// </summary>
    public int? CountedSequences { get; init; }

    /// <summary>
    /// How long the clients work, for exploration: every whole sequence within this time counts. Up to a day.
    /// </summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>The seed that, with <see cref="Run"/>, decides everything the clients choose.</summary>
    public ulong Seed { get; init; }

    /// <summary>Number of the run, from 0, in every logged exchange.</summary>
    public int Run { get; init; }

    /// <summary>The broker.</summary>
    public required WireEndpoint Endpoint { get; init; }

    /// <summary>
    /// The nodes of a cluster: client i connects to node i mod n. Empty (the default) where all connect to
    /// <see cref="Endpoint"/>.
    /// </summary>
    public IReadOnlyList<WireEndpoint> Nodes { get; init; } = [];

    /// <summary>
    /// Whether a client that lost its connection, or could not make one, tries the next node, after the last the first.
    /// Default no: it stays at its own.
    /// </summary>
    public bool Failover { get; init; }

    /// <summary>How to log in, or null for anonymous.</summary>
    public Credentials? Credentials { get; init; }

    /// <summary>
    /// The beginning of every topic that the profile does not name; without its slashes, that of every client
    /// identifier. Letters, digits and slashes, ending with a slash, unique to the run: another run's messages and
    /// sessions must not meet it. <see cref="NewPrefix"/> makes one.
    /// </summary>
    public required string Prefix { get; init; }

    /// <summary>The beginning of every topic, see <see cref="IBrokerUnderTest.TopicPrefix"/>. Default: none.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>
    /// The process of the broker, where it is one of this machine, to log its processor time and memory; or null.
    /// </summary>
    [JsonIgnore]
    public int? BrokerProcessId { get; init; }

    /// <summary>The protocol spoken: 3.1.1, the default, or 5.</summary>
    public ProtocolVersion ProtocolVersion { get; init; } = ProtocolVersion.V311;

    /// <summary>Which MQTT client carries the requests. Default the own one.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>How long an exchange may take before it has failed, 10 ms .. 10 min. Default 10 s.</summary>
    public TimeSpan ExchangeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long nobody may be able to connect before the run ends with the reason, 100 ms .. 10 min. Default 5 s.
    /// </summary>
    public TimeSpan ConnectPatience { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How many requests all clients together may send per second, or null for no limit. Requests above it are put off,
    /// and count as meant for later.
    /// </summary>
    public double? MaximumRequestsPerSecond { get; init; }

    /// <summary>
    /// The grid on which waits end, 0 .. 100 ms. 0 (the default) is exact; 0.5 .. 1 ms halves the processor time above
    /// 2000 messages per second.
    /// </summary>
    public TimeSpan TimerCoalescing { get; init; }

    /// <summary>
    /// Whether the kernel stamps requests too, for an audit of the times: finer stamps, and more work per message.
    /// Linux only; default no.
    /// </summary>
    public bool KernelSendStamps { get; init; }

    /// <summary>
    /// The one way to a setup for a broker: with its address, its credentials and its process. The caller adds how long
    /// the run is, and what differs from the defaults.
    /// </summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="population">Who the clients are and what they do.</param>
    /// <param name="clients">The number of clients.</param>
    /// <param name="prefix">The beginning of topics and client identifiers, see <see cref="Prefix"/>.</param>
    public static FleetSetup For(IBrokerUnderTest broker, Population population, int clients, string prefix)
    {
        return new()
        {
            Population = population,
            Clients = clients,
            Prefix = prefix,
            TopicPrefix = broker.TopicPrefix,
            Endpoint = broker.Endpoint,
            Nodes = broker.Endpoints.Count > 1 ? broker.Endpoints : [],
            Failover = broker.Failover,
            Credentials = broker.Credentials,
            BrokerProcessId = broker.ProcessId,
        };
    }

    /// <summary>
    /// A prefix that no other run has: <c>mqttcheck/</c> and eight hexadecimal digits. It is no part of what a seed
    /// repeats.
    /// </summary>
    public static string NewPrefix() =>
        WorkloadTopics.RunPrefix(
            Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture)[..WorkloadTopics.RunNameLength]
        );

    /// <summary>The part of a topic before its number.</summary>
    internal string BeforeTopicNumber => TopicPattern.Split(UsageProfile.TopicField, 2)[0];

    // The topics that a profile names are used as written, so that devices, rights and runs agree on them.
    private string TopicPattern
    {
        get
        {
            var name = Population.Groups[0].Profile.TopicName;
            return TopicPrefix + (name == UsageProfile.TopicField ? Prefix : "") + name;
        }
    }

    /// <summary>The name of a topic or filter.</summary>
    /// <param name="space">The numbers of the run.</param>
    /// <param name="number">Its number.</param>
    internal string Name(TopicSpace space, int number) =>
        TopicPrefix + (space.IsUnnamed(number) ? Prefix : "") + space.NameOf(number);

    /// <summary>Finds everything that is out of range or contradictory.</summary>
    /// <returns>One sentence for each, empty when the setup can be run.</returns>
    public IReadOnlyList<string> Validate()
    {
        var errors = new List<string>();
        if (Clients is < 1 or > 20_000)
            errors.Add($"Clients: {Clients} is out of range; allowed: 1 .. 20000.");
        if (CountedSequences.HasValue == Duration.HasValue)
            errors.Add(
                "A run is bounded either by counted sequences per client or by a duration; give exactly one of them."
            );
        if (CountedSequences is < 1 or > 1_000_000)
            errors.Add($"Counted sequences per client: {CountedSequences} is out of range; allowed: 1 .. 1000000.");
        if (Duration is { } duration && (duration <= TimeSpan.Zero || duration > TimeSpan.FromDays(1)))
            errors.Add($"Duration: {duration} is out of range; allowed: above 0, up to 1 day.");
        if (Run < 0)
            errors.Add($"Run number: {Run} is negative; runs count from 0.");
        if (!IsPrefix(Prefix))
        {
            errors.Add(
                $"Prefix: '{Prefix}' is not allowed; letters, digits and slashes, at least one letter or "
                    + "digit, a slash at the end, "
                    + "up to 200 characters."
            );
        }
        if (PrefixedBroker.FindError(TopicPrefix) is { } wrong)
            errors.Add(wrong);
        if (ProtocolVersion is not (ProtocolVersion.V311 or ProtocolVersion.V5))
            errors.Add(
                $"Protocol version: {ProtocolVersion} is not spoken by the fleet; allowed: "
                    + $"{ProtocolVersion.V311}, {ProtocolVersion.V5}."
            );
        if (TopicSpace.FindError(Population) is { } apart)
            errors.Add($"Population {Population.Name}: {apart}.");
        errors.AddRange(PacketErrors(Population, ProtocolVersion, Client));
        if (ExchangeTimeout < TimeSpan.FromMilliseconds(10) || ExchangeTimeout > TimeSpan.FromMinutes(10))
            errors.Add($"Exchange timeout: {ExchangeTimeout} is out of range; allowed: 10 ms .. 10 min.");
        if (ConnectPatience < TimeSpan.FromMilliseconds(100) || ConnectPatience > TimeSpan.FromMinutes(10))
            errors.Add($"Connect patience: {ConnectPatience} is out of range; allowed: 100 ms .. 10 min.");
        if (MaximumRequestsPerSecond is { } rate && !(rate > 0 && double.IsFinite(rate)))
            errors.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Requests per second: {rate} is out of range; allowed: a positive number."
                )
            );
        errors.AddRange(new WireOptions { TimerCoalescing = TimerCoalescing }.Validate());
        if (KernelSendStamps && Client.WhyNoKernelStamps is { } why)
            errors.Add(
                $"Kernel stamps of requests: given with client {Client.Name}; allowed: only with "
                    + $"{ClientKind.Own.Name}, because {why}."
            );
        if (Credentials is { UserName.Length: 0 })
            errors.Add("Credentials: the user name is empty; leave the credentials out to connect anonymously.");
        return errors;
    }

    /// <summary>The keys of profiles that a protocol or a client cannot carry, a sentence for each.</summary>
    /// <param name="population">The profiles.</param>
    /// <param name="version">The protocol that the clients speak.</param>
    /// <param name="client">Which MQTT client carries the requests.</param>
    public static IEnumerable<string> PacketErrors(Population population, ProtocolVersion version, ClientKind client)
    {
        foreach (var profile in population.Groups.Select(group => group.Profile))
        {
            if (version < ProtocolVersion.V5)
                foreach (var key in PacketKeys.OfVersion5(profile))
                    yield return $"Profile {profile.Name}: \"{key}\" is given, which MQTT 3.1.1 cannot carry; allowed: "
                        + "with MQTT 5 (--mqtt 5), or without it.";
            if (!client.IsOwn)
                foreach (var key in PacketKeys.OfOwnClient(profile))
                    yield return $"Profile {profile.Name}: \"{key}\" is given with client {client.Name}, which is not "
                        + $"told of it; allowed: with client {ClientKind.Own.Name}, or without it.";
        }
    }

    private static bool IsPrefix(string prefix) =>
        prefix is { Length: >= 2 and <= 200 }
        && prefix[^1] == '/'
        && prefix.All(c => char.IsAsciiLetterOrDigit(c) || c == '/')
        && prefix.Any(char.IsAsciiLetterOrDigit);
}
