using System.Globalization;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Sequential;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster.Pages;

/// <summary>The answer of live runs in one sentence, for people who want to know whether messages are safe.</summary>
internal static class ClusterRunSentence
{
    // More places than these would be a list, and no sentence.
    private const int MostPlaces = 3;

    private static readonly string[] s_losses = ["delivery", "durability"];

    private static readonly ClusterQuantity[] s_quantities =
    [
        ClusterQuantity.Lost,
        ClusterQuantity.LostSettled,
        ClusterQuantity.UndeliveredAtEnd,
        ClusterQuantity.CaughtUp,
    ];

    /// <summary>The sentence, without a full stop.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="result">Its runs with their answers.</param>
    public static string Of(Topology topology, ClusterVerificationResult result)
    {
        var word = result.Conclusion.IsMet() switch
        {
            true => "Yes",
            false => "No",
            null => result.Conclusion == Conclusion.Interrupted ? "Interrupted" : "Undecided",
        };
        if (result.Runs.Count == 0)
            return $"{word}: no run was complete, so nothing is known";
        var summary = LossSummary.Of(result.Runs);
        var reasons = Reasons(result, summary.Lost.Total > 0).ToList();
        string[] rest =
        [
            .. result.Conclusion.IsMet() is null ? [Open(result)] : Array.Empty<string>(),
            .. summary.FailedRuns > 0
                ? [$"{Share(summary.FailedRuns, summary)} failed without a fault, see the note"]
                : Array.Empty<string>(),
            .. summary.RunsNotBack > 0
                ? [$"in {Share(summary.RunsNotBack, summary)} a node did not come back, see the note"]
                : Array.Empty<string>(),
            .. result.EndedBy is not null ? ["no more runs could be made, see the note"] : Array.Empty<string>(),
        ];
        var loss = Loss(topology, summary);
        var isOfLoss = summary.Lost.Total > 0 && IsJudged(result);
        return $"{word}: " + string.Join("; ", isOfLoss ? [loss, .. reasons, .. rest] : [.. reasons, loss, .. rest]);
    }

    /// <summary>The clause that says how many acknowledged messages were lost, and when.</summary>
    public static string Loss(Topology topology, LossSummary summary)
    {
        // A loss that no fault explains is not one of the faults.
        var isAway =
            summary.Faults.Count > 0 && summary.Lost is { Total: > 0, Meanwhile: 0, BeforeBridges: 0, Near: 0 };
        var condition = isAway ? "away from any fault" : Condition(topology, summary.Faults);
        if (summary.Acknowledged == 0)
            return $"{condition}, {Number(summary.Published)} "
                + (summary.Published == 1 ? "message was" : "messages were")
                + " sent with QoS 0 or without an answer, so that none counts as lost";
        var of = $"of {Number(summary.Acknowledged)} acknowledged messages";
        if (summary.Lost.Total == 0)
            return $"{condition}, none {of} is lost" + InRuns(summary.Runs);
        var verb = summary.Lost.Total == 1 ? "is" : "are";
        return $"{condition}, {Number(summary.Lost.Total)} {of} {verb} lost"
            + (summary.Runs > 1 ? Invariant($" in {summary.RunsWithLoss} of {summary.Runs} runs") : "")
            + When(topology, summary, isAway || summary.Faults.Count == 0);
    }

    // The times of publication, for a reader who asks whether it was the fault.
    private static string When(Topology topology, LossSummary summary, bool isAway)
    {
        // That there was no fault is said already.
        if (isAway && summary.Lost.ReaderAway == 0)
            return "";
        var lost = summary.Lost;
        var (fault, away) = (Noun(summary.Faults), isAway ? "" : "away from any fault, ");
        (long Count, string Words)[] parts =
        [
            (lost.Meanwhile, $"while {Meanwhile(topology, summary.Faults)}"),
            (lost.BeforeBridges, $"after {fault}, before bridges worked again"),
            (lost.Near, $"shortly before or after {fault}"),
            (lost.ReaderAway, $"{away}while {Reader(lost.ReaderAway)} was away"),
            (lost.Away, isAway ? $"while {Reader(lost.Away)} was there" : "away from any fault"),
        ];
        var some = parts.Where(part => part.Count > 0).ToList();
        if (some is [var only])
        {
            var subject =
                only.Count == 1 ? "it was published"
                : only.Count == 2 ? "both were published"
                : "all of them were published";
            return $"; {subject} {only.Words}";
        }
        return "; of these, "
            + string.Join(
                ", ",
                some.Select((part, place) => $"{Number(part.Count)} {Verb(part.Count, place)}{part.Words}")
            );
    }

    private static string Reader(long messages) => messages == 1 ? "its reader" : "their reader";

    private static string Verb(long count, int place) =>
        place > 0 ? ""
        : count == 1 ? "was published "
        : "were published ";

    private static string Noun(IReadOnlyList<FaultSpan> faults) => faults.Count == 1 ? "the fault" : "a fault";

    private static string Condition(Topology topology, IReadOnlyList<FaultSpan> faults)
    {
        if (faults.Count == 0)
            return "without a fault";
        var words = faults
            .GroupBy(fault => FaultWords.Of(fault).When)
            .Select(kind => string.Format(CultureInfo.InvariantCulture, kind.Key, Places(topology, kind)))
            .ToList();
        return words.Count > MostPlaces ? "under these faults" : $"when {string.Join(" or ", words)}";
    }

    private static string Meanwhile(Topology topology, IReadOnlyList<FaultSpan> faults) =>
        faults.Select(fault => FaultWords.Of(fault).Meanwhile).Distinct().ToList() is [var only]
            ? string.Format(CultureInfo.InvariantCulture, only, Places(topology, faults))
            : "a fault lasted";

    private static string Places(Topology topology, IEnumerable<FaultSpan> faults)
    {
        var all = faults.ToList();
        var places = all.Select(fault => fault.PlaceInWords(node => topology.Nodes[node].Name))
            .Distinct()
            .Order()
            .ToList();
        return places.Count <= MostPlaces ? string.Join(" or ", places)
            : all.TrueForAll(fault => fault.Peer < 0) ? "a node"
            : all.TrueForAll(fault => fault.Peer >= 0) ? "a link"
            : "a node or link";
    }

    // The reasons for a "No" that are not lost messages.
    private static IEnumerable<string> Reasons(ClusterVerificationResult result, bool hasLoss)
    {
        if (result.HasLoop)
            yield return "messages go round between brokers without end";
        var counts = result
            .Runs.SelectMany(run => run.Outcome.ViolationCounts)
            .Where(count => count.Decides && !(hasLoss && s_losses.Contains(count.Invariant)))
            .GroupBy(count => count.Invariant);
        foreach (var kind in counts)
            if (!(result.HasLoop && kind.Key == "loop-free"))
                yield return $"{InvariantWords.Of(kind.Key)} ({Times(kind.Sum(count => count.Count))})";
        foreach (var answer in result.Answers.Where(answer => answer.Property.IsDecision && answer.Holds == false))
            if (!(hasLoss && IsOfLoss(answer)))
                yield return Invariant(
                    $"{answer.Property} does not hold, as {answer.Fulfilling} of {answer.Runs} runs "
                ) + "fulfil it";
    }

    private static bool IsJudged(ClusterVerificationResult result) =>
        result.Violations.Any(found => s_losses.Contains(found.Violation.Invariant))
        || result.Answers.Any(answer => answer.Property.IsDecision && answer.Holds == false && IsOfLoss(answer));

    private static bool IsOfLoss(ClusterAnswer answer) =>
        answer.Property.Measures.Any(measure => s_quantities.Contains(measure.Quantity));

    private static string Open(ClusterVerificationResult result) =>
        result.IsInterrupted
            ? $"more runs were asked for than {Counted.Of(result.Runs.Count, "run")}"
            : $"a verdict takes more than {Counted.Of(result.Runs.Count, "run")}";

    private static string Share(int some, LossSummary summary) =>
        Invariant($"{some} of {Counted.Of(summary.Runs, "run")}");

    private static string InRuns(int runs) => runs > 1 ? Invariant($" in {runs} runs") : "";

    private static string Times(long count) => count == 1 ? "once" : $"{Number(count)} times";

    /// <summary>A count with narrow spaces between its thousands.</summary>
    internal static string Number(long value) =>
        value.ToString("#,0", CultureInfo.InvariantCulture).Replace(',', '\u202f');
}
