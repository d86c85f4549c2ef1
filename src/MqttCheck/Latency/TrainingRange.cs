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

    // An answer to more than so many times the largest load is a guess.
    private const double MostTimesSeen = 2;

    // One client of so many may have been late in training: it was not connected when the others were.
    private const int ClientsPerLateOne = 200;

    // A number beyond what was seen by this factor at most is near the edge.
    private const double Near = 1.1;

    // Above this share of the largest load that was seen few training cases are near.
    private const double Crowded = .9;

    private readonly LearnedModel _model;
    private readonly Population _population;
    private readonly int _clients;
    private readonly TrainingSentences _sentences;
    private readonly List<TrainingFinding> _findings = [];

    private TrainingRange(LearnedModel model, Population population, int clients)
    {
        (_model, _population, _clients) = (model, population, clients);
        _sentences = new(population, clients);
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
        var never = findings.Where(finding => finding.Place >= TrainingPlace.FarOutside).ToList();
        var isImpossible = never.Exists(finding => finding.IsImpossible);
        if (never.Count == 0 || (beyond && !isImpossible))
            return findings;
        var others = findings.Where(finding => finding.Place == TrainingPlace.Outside);
        throw TrainingSentences.Refusal(never.Concat(others), isImpossible);
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

    /// <summary>The largest fleet in a range that is not too far beyond training for an answer.</summary>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="from">The smallest number of clients, which is returned where even that is too far.</param>
    /// <param name="to">The largest.</param>
    public static int Border(LearnedModel model, Population population, int from, int to) =>
        Math.Max(
            from,
            from - 1 + IntegerSearch.FirstIndex(to - from + 1, more => IsFar(model, population, from + more))
        );

    /// <summary>Says that a search ends at a fleet because a larger one is too far beyond training.</summary>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="border">The number of clients at which it ends.</param>
    public static string EndsAt(LearnedModel model, Population population, int border) =>
        new TrainingSentences(population, border + 1).EndsAt(border, LargestLoad(model, population));

    private static bool IsFar(LearnedModel model, Population population, int clients)
    {
        var load = LearnedModel.OfferedLoad(population, clients);
        return double.IsInfinity(load)
            ? clients > MostTimesSeen * model.Ranges.Clients
            : load > MostTimesSeen * model.Ranges.LargestLoad;
    }

    // Clients that do not wait offer as much as there are of them.
    private static string LargestLoad(LearnedModel model, Population population) =>
        double.IsInfinity(LearnedModel.OfferedLoad(population, 1))
            ? Invariant($"{model.Ranges.Clients} clients")
            : Invariant($"{model.Ranges.LargestLoad:0} messages/s");

    // A model has no law for a kind that it has not seen.
    private void Kinds()
    {
        var missing = Names(kind => !IsSeen(kind) && _population.Sends(kind));
        if (missing.Length > 0)
            _findings.Add(_sentences.Kinds(missing, Names(IsSeen)));
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
            if (!seen.Any(other => PacketKeys.TextOf(other) == PacketKeys.TextOf(keys)))
                _findings.Add(_sentences.Packets(profile.Name, keys, seen));
        }
    }

    private void Behaviour()
    {
        if (_model.Seen is not { } seen)
        {
            _findings.Add(TrainingSentences.NotRecorded());
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
        if (seen.Count > 0 && missing.Count > 0)
            _findings.Add(_sentences.Set(feature, missing, seen));
    }

    private void Number(string feature, Interval asked, Interval seen, string unit)
    {
        // Sums of the same numbers differ by their rounding.
        const double Rounding = 1 + 1e-9;
        var above = Excess(asked.Upper, seen.Upper);
        var below = Excess(seen.Lower, asked.Lower);
        if (Math.Max(above, below) <= Rounding)
            return;
        var far = Math.Max(above, below);
        _findings.Add(
            _sentences.Number(
                feature,
                far <= Near ? TrainingPlace.Edge : TrainingPlace.Outside,
                above >= below ? (asked.Upper, "most", far) : (asked.Lower, "least", far),
                seen,
                unit
            )
        );
    }

    private static double Excess(double larger, double smaller) =>
        larger <= smaller ? 1
        : smaller > 0 ? larger / smaller
        : double.PositiveInfinity;

    private void Clients()
    {
        if (_clients - _model.Ranges.Clients > _clients / ClientsPerLateOne)
            _findings.Add(_sentences.Clients(_model.Ranges.Clients));
    }

    private void Load()
    {
        var load = LearnedModel.OfferedLoad(_population, _clients);
        var seen = _model.Ranges.MessagesPerSecond;
        if (IsFar(_model, _population, _clients))
            _findings.Insert(0, _sentences.FarLoad(load, LargestLoad(_model, _population)));
        else if (double.IsInfinity(load))
            _findings.Add(_sentences.UnknownLoad());
        else if (load > seen)
            _findings.Add(_sentences.Load(load, seen));
        else if (
            _findings.TrueForAll(finding => finding.Feature != Fleet)
            && LargestFleet(_model, _population, _clients) is { } largest
            && _clients > Crowded * largest
        )
            _findings.Add(_sentences.NearEdge(largest));
    }
}
