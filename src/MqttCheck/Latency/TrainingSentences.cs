using MqttCheck.Profiles;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Latency;

/// <summary>The findings of <see cref="TrainingRange"/> in words: what is asked, was seen, and mends it.</summary>
internal sealed class TrainingSentences(Population population, int clients)
{
    private string Remedy =>
        Invariant($"'mqttcheck explore --profile {population.ReadFrom ?? population.Name} --up-to-clients {clients}'");

    private string Mended => $"{Remedy} gives a log to learn from that has.";

    private string OrOther => $"or a model of this profile: {Remedy} gives a log to learn from";

    /// <summary>The names of kinds of messages that the model has no law for.</summary>
    public TrainingFinding Kinds(string missing, string seen) =>
        new(
            "kinds of messages",
            TrainingPlace.NeverSeen,
            $"profile {population.Name}: it sends {missing}, which the model has never seen; allowed: {seen}, {OrOther}"
        )
        {
            IsImpossible = true,
        };

    /// <summary>The first key of packets that differs from all sets that were seen.</summary>
    public TrainingFinding Packets(
        string profile,
        IReadOnlyDictionary<string, string> keys,
        IReadOnlyList<IReadOnlyDictionary<string, string>> seen
    )
    {
        var learned = seen[0];
        var key = keys
            .Keys.Union(learned.Keys)
            .First(key => keys.GetValueOrDefault(key) != learned.GetValueOrDefault(key));
        return new(
            key,
            TrainingPlace.NeverSeen,
            $"profile {profile}: \"{key}\": {keys.GetValueOrDefault(key) ?? "nothing"} given; the model was learned "
                + (learned.TryGetValue(key, out var value) ? $"with {value}" : "without it")
                + ", and the latency of other packets is not known; allowed: "
                + $"{string.Join(" or ", seen.Select(Allowed))}, {OrOther}"
        );
    }

    /// <summary>The model does not say what its clients did.</summary>
    public static TrainingFinding NotRecorded() =>
        new(
            "behaviour of clients",
            TrainingPlace.NotRecorded,
            "The model does not say which payloads, qualities of service, sessions, waits and subscribers training "
                + "had, so whether it has seen such clients is not known."
        );

    /// <summary>Some of what is asked is not among what was seen.</summary>
    public TrainingFinding Set<T>(string feature, IReadOnlyList<T> missing, IReadOnlyList<T> seen)
    {
        var known = string.Join(" or ", seen);
        return new(
            feature,
            TrainingPlace.NeverSeen,
            $"profile {population.Name}: {feature}: {string.Join(" and ", missing)} given; the model has seen "
                + $"{known} only; allowed: {known}, {OrOther}"
        );
    }

    /// <summary>A number lies outside of what was seen, by a factor above or below it.</summary>
    public TrainingFinding Number(
        string feature,
        TrainingPlace place,
        (double Value, string End, double Factor) asked,
        Interval seen,
        string unit
    ) =>
        new(
            feature,
            place,
            $"{(place == TrainingPlace.Edge ? "Near the edge of training: " : "")}{feature} of {population.Name}: "
                + Invariant($"{asked.Value:0.###} {unit} at {asked.End}; the model has seen {seen.Lower:0.###} to ")
                + Invariant($"{seen.Upper:0.###}")
                + (double.IsFinite(asked.Factor) ? Invariant($", which is off by a factor of {asked.Factor:0.##}") : "")
                + $". {Mended}"
        );

    /// <summary>There are more clients than the model has seen.</summary>
    public TrainingFinding Clients(int most) =>
        new(
            TrainingRange.Fleet,
            TrainingPlace.Outside,
            Invariant($"{clients} clients of {population.Name} are predicted; the model has seen at most {most}. ")
                + Mended
        );

    /// <summary>Clients that do not wait offer a load that nobody knows.</summary>
    public TrainingFinding UnknownLoad() =>
        new(
            TrainingRange.OfferedLoad,
            TrainingPlace.Outside,
            $"Clients of {population.Name} do not wait, so they offer all the load the broker takes; how much of it "
                + "the model has seen is not known beforehand."
        );

    /// <summary>There is more load than the model has seen.</summary>
    public TrainingFinding Load(double load, double seen) =>
        new(
            TrainingRange.OfferedLoad,
            TrainingPlace.Outside,
            Invariant($"{clients} clients of {population.Name} offer up to {load:0} messages/s; the model has seen at ")
                + Invariant($"most {seen:0}. {Mended}")
        );

    /// <summary>There is more than twice the load that the model has seen.</summary>
    public TrainingFinding FarLoad(double load, string seen) =>
        new(
            TrainingRange.OfferedLoad,
            TrainingPlace.FarOutside,
            Invariant($"Far beyond training: {clients} clients of {population.Name} ")
                + (double.IsInfinity(load) ? "do not wait" : Invariant($"offer up to {load:0} messages/s"))
                + $", more than twice the largest load that the model has seen, {seen}. {Mended}"
        );

    /// <summary>A search ends where the load is twice the largest that the model has seen.</summary>
    public string EndsAt(int border, string seen) =>
        Invariant(
            $"The search ends at {border} clients of {population.Name}: a larger fleet offers more than twice the "
        ) + $"largest load that the model has seen, {seen}. {Mended} '--beyond' goes on without ground.";

    /// <summary>There are few cases of such a load.</summary>
    public TrainingFinding NearEdge(int largest) =>
        new(
            TrainingRange.OfferedLoad,
            TrainingPlace.Edge,
            Invariant($"Near the edge of training: {clients} clients of {population.Name}; the model has seen up to ")
                + Invariant($"{largest} such clients.")
        );

    /// <summary>The refusal of what was never seen.</summary>
    public static InputException Refusal(IEnumerable<TrainingFinding> findings, bool isImpossible) =>
        new(
            string.Join('\n', findings.Select(finding => finding.Sentence))
                + (isImpossible ? "" : "\nnext step: that command, or '--beyond' for an answer without ground")
        )
        {
            IsAnsweredBeyond = !isImpossible,
        };

    private static string Allowed(IReadOnlyDictionary<string, string> keys) =>
        keys.Count == 0 ? "a profile without it" : PacketKeys.TextOf(keys);
}
