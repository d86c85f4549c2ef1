using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Latency;

/// <summary>
/// Compares what is asked of a model with what its training has seen, feature by feature. Every command, the page and
/// every requirement takes its answer from here.
/// </summary>
internal sealed class TrainingRange
{
    /// <summary>The feature that is the number of clients.</summary>
    public const string Fleet = "number of clients";

    /// <summary>The feature that is the load that they offer.</summary>
    public const string OfferedLoad = "load";

    // One client of so many may have been late in training: it was not connected when the others were.
    private const int ClientsPerLateOne = 200;

    // A number beyond what was seen by this factor at most is near the edge.
    private const double Near = 1.1;

    // Above this share of the largest load that was seen few training cases are near.
    private const double Crowded = .9;

    private readonly LearnedModel _model;
    private readonly Population _population;
    private readonly int _clients;
    private readonly string _remedy;
    private readonly List<TrainingFinding> _findings = [];

    private TrainingRange(LearnedModel model, Population population, int clients)
    {
        (_model, _population, _clients) = (model, population, clients);
        _remedy = Invariant(
            $"'mqttcheck explore --profile {population.ReadFrom ?? population.Name} --up-to-clients {clients}'"
        );
    }

    /// <summary>Names each feature of a fleet that training has not seen; none where all was seen.</summary>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">The number of clients.</param>
    public static IReadOnlyList<TrainingFinding> Of(LearnedModel model, Population population, int clients)
    {
        var range = new TrainingRange(model, population, clients);
        range.Kinds();
        range.Packets();
        range.Behaviour();
        range.Clients();
        range.Load();
        return range._findings;
    }

    /// <summary>Names them as <see cref="Of"/> does, where an answer may be given at all.</summary>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">The number of clients.</param>
    /// <param name="beyond">Whether an answer is wanted for what was never seen.</param>
    /// <exception cref="InputException">A feature was never seen; the message names each.</exception>
    public static IReadOnlyList<TrainingFinding> Admitted(
        LearnedModel model,
        Population population,
        int clients,
        bool beyond
    )
    {
        var findings = Of(model, population, clients);
        var never = findings.Where(finding => finding.Place == TrainingPlace.NeverSeen).ToList();
        var isImpossible = never.Exists(finding => finding.IsImpossible);
        if (never.Count == 0 || (beyond && !isImpossible))
            return findings;
        var hint = isImpossible
            ? (string[])[]
            : ["next step: that command, or '--beyond' for an answer without ground"];
        var others = findings.Where(finding => finding.Place == TrainingPlace.Outside);
        throw new InputException(
            string.Join('\n', never.Concat(others).Select(finding => finding.Sentence).Concat(hint))
        )
        {
            IsAnsweredBeyond = !isImpossible,
        };
    }

    /// <summary>
    /// The largest fleet that offers no more load, and has no more clients, than training has shown; null where even
    /// one client offers more, or clients do not wait.
    /// </summary>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">The number of clients that tells the load of one.</param>
    public static int? LargestFleet(LearnedModel model, Population population, int clients)
    {
        var load = LearnedModel.OfferedLoad(population, clients) / clients;
        var most = Math.Floor(Math.Min(model.Ranges.Clients, model.Ranges.MessagesPerSecond / load));
        return most >= 1 ? (int)most : null;
    }

    // A model has no law for a kind that it has not seen.
    private void Kinds()
    {
        var missing = Names(kind => !IsSeen(kind) && _population.Sends(kind));
        if (missing.Length > 0)
            _findings.Add(
                new(
                    "kinds of messages",
                    TrainingPlace.NeverSeen,
                    $"profile {_population.Name}: it sends {missing}, which the model has never seen; allowed: "
                        + $"{Names(IsSeen)}, or a model of this profile: {_remedy} gives a log to learn from"
                )
                {
                    IsImpossible = true,
                }
            );
    }

    private bool IsSeen(MessageKind kind) => _model.Training.ExchangesByKind[(int)kind] > 0;

    private static string Names(Predicate<MessageKind> which)
    {
        var names = new List<string>();
        for (var kind = 0; kind < MessageKinds.Count; kind++)
            if (which((MessageKind)kind))
                names.Add(((MessageKind)kind).Name());
        return string.Join(", ", names);
    }

    // No feature of a latency describes the content of packets, so the model knows nothing of content that training did
    // not send.
    private void Packets()
    {
        IReadOnlyList<IReadOnlyDictionary<string, string>> seen = _model.Training.Profile?.Packets
            is { Count: > 0 } known
            ? known
            : [new Dictionary<string, string>()];
        foreach (var profile in _population.Groups.Select(group => group.Profile))
        {
            var keys = PacketKeys.Of(profile);
            if (seen.Any(other => PacketKeys.TextOf(other) == PacketKeys.TextOf(keys)))
                continue;
            var learned = seen[0];
            var key = keys
                .Keys.Union(learned.Keys)
                .First(key => keys.GetValueOrDefault(key) != learned.GetValueOrDefault(key));
            _findings.Add(
                new(
                    key,
                    TrainingPlace.NeverSeen,
                    $"profile {profile.Name}: \"{key}\": {keys.GetValueOrDefault(key) ?? "nothing"} given; the "
                        + $"model was learned {Learned(key, learned)}, and the latency of other packets is not known; "
                        + $"allowed: {string.Join(" or ", seen.Select(Allowed))}, or a model of this profile: "
                        + $"{_remedy} gives a log to learn from"
                )
            );
        }
    }

    private static string Learned(string key, IReadOnlyDictionary<string, string> learned) =>
        learned.TryGetValue(key, out var value) ? $"with {value}" : "without it";

    private static string Allowed(IReadOnlyDictionary<string, string> keys) =>
        keys.Count == 0 ? "a profile without it" : PacketKeys.TextOf(keys);

    private void Behaviour()
    {
        if (_model.Seen is not { } seen)
        {
            _findings.Add(
                new(
                    "behaviour of clients",
                    TrainingPlace.NotRecorded,
                    "The model does not say which payloads, qualities of service, sessions, waits and subscribers "
                        + "training had, so whether it has seen such clients is not known."
                )
            );
            return;
        }
        // A fleet that is too large is named by its number of clients alone.
        var clients = Math.Clamp(
            _clients,
            Math.Min(_model.Ranges.Smallest?.Clients ?? 1, _model.Ranges.Clients),
            _model.Ranges.Clients
        );
        var asked = TrainingSeen.Of(new AskedFleet(_population, [clients]));
        Set("QoS of publications", asked.PublishQos, seen.PublishQos);
        Set("QoS of subscriptions", asked.SubscribeQos, seen.SubscribeQos);
        Set("session", asked.Sessions, seen.Sessions);
        if (asked.PayloadBytes is { } payload && seen.PayloadBytes is { } known)
            Number("payload size", payload, known, "bytes");
        Number("mean wait", asked.WaitMilliseconds, seen.WaitMilliseconds, "ms");
        // Without subscribers in training they are a kind of message that it has not seen.
        if (IsSeen(MessageKind.Subscribe))
            Number("subscribers of a topic", asked.Subscribers, seen.Subscribers, "on average");
    }

    private void Set<T>(string feature, IReadOnlyList<T> asked, IReadOnlyList<T> seen)
    {
        var missing = new List<T>();
        foreach (var one in asked)
            if (!seen.Contains(one))
                missing.Add(one);
        // A set that is missing altogether is named as a kind of message.
        if (seen.Count == 0 || missing.Count == 0)
            return;
        var known = string.Join(" or ", seen);
        _findings.Add(
            new(
                feature,
                TrainingPlace.NeverSeen,
                $"profile {_population.Name}: {feature}: {string.Join(" and ", missing)} given; the model has seen "
                    + $"{known} only; allowed: {known}, or a model of this profile: {_remedy} gives a log to learn from"
            )
        );
    }

    private void Number(string feature, Interval asked, Interval seen, string unit)
    {
        // Sums of the same numbers differ by their rounding.
        const double Rounding = 1 + 1e-9;
        var above = Excess(asked.Upper, seen.Upper);
        var below = Excess(seen.Lower, asked.Lower);
        if (Math.Max(above, below) <= Rounding)
            return;
        var (value, most) = above >= below ? (asked.Upper, "most") : (asked.Lower, "least");
        var far = Math.Max(above, below);
        var isNear = far <= Near;
        _findings.Add(
            new(
                feature,
                isNear ? TrainingPlace.Edge : TrainingPlace.Outside,
                $"{(isNear ? "Near the edge of training: " : "")}{feature} of {_population.Name}: "
                    + Invariant($"{value:0.###} {unit} at {most}; the model has seen {seen.Lower:0.###} to ")
                    + Invariant($"{seen.Upper:0.###}")
                    + (double.IsFinite(far) ? Invariant($", which is off by a factor of {far:0.##}") : "")
                    + $". {Mended}"
            )
        );
    }

    private static double Excess(double larger, double smaller) =>
        larger <= smaller ? 1
        : smaller > 0 ? larger / smaller
        : double.PositiveInfinity;

    private string Mended => $"{_remedy} gives a log to learn from that has.";

    private void Clients()
    {
        if (_clients - _model.Ranges.Clients > _clients / ClientsPerLateOne)
            _findings.Add(
                new(
                    Fleet,
                    TrainingPlace.Outside,
                    Invariant($"{_clients} clients of {_population.Name} are predicted; the model has seen at most ")
                        + Invariant($"{_model.Ranges.Clients}. ")
                        + Mended
                )
            );
    }

    private void Load()
    {
        var load = LearnedModel.OfferedLoad(_population, _clients);
        var seen = _model.Ranges.MessagesPerSecond;
        if (double.IsInfinity(load))
            Add(
                TrainingPlace.Outside,
                $"Clients of {_population.Name} do not wait, so they offer all the load the broker takes; how much of "
                    + "it the model has seen is not known beforehand."
            );
        else if (load > seen)
            Add(
                TrainingPlace.Outside,
                Invariant($"{_clients} clients of {_population.Name} offer up to {load:0} messages/s; the model has ")
                    + Invariant($"seen at most {seen:0}. ")
                    + Mended
            );
        else if (
            _findings.TrueForAll(finding => finding.Feature != Fleet)
            && LargestFleet(_model, _population, _clients) is { } largest
            && _clients > Crowded * largest
        )
            Add(
                TrainingPlace.Edge,
                Invariant($"Near the edge of training: {_clients} clients of {_population.Name}; the model has seen ")
                    + Invariant($"up to {largest} such clients.")
            );

        void Add(TrainingPlace place, string sentence) => _findings.Add(new(OfferedLoad, place, sentence));
    }
}
