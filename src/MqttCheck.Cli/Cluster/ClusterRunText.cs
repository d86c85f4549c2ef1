using MqttCheck.Cli.Cluster.Pages;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Verdicts;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>Live runs of a cluster in words.</summary>
internal static class ClusterRunText
{
    /// <summary>A run in words: what it counted, and why deliveries are missing.</summary>
    public static string Seen(ClusterRunRecord record)
    {
        var (outcome, missing) = (record.Outcome, record.Outcome.Missing);
        List<string> parts =
        [
            Invariant($"{outcome.Publications} publications"),
            Invariant($"{outcome.Owed - missing.Total} of {outcome.Owed} deliveries came"),
            Invariant($"{outcome.Lost} lost ({outcome.LostSettled} away from faults){Places(outcome.Losses)}"),
        ];
        if (outcome.WithoutSubscription > 0)
            parts.Add(Invariant($"{outcome.WithoutSubscription} published without a subscription"));
        if (missing.Unacknowledged > 0)
            parts.Add(Invariant($"{missing.Unacknowledged} missing that were not acknowledged"));
        if (missing.BestEffort > 0)
            parts.Add(Invariant($"{missing.BestEffort} missing of QoS 0"));
        if (outcome.Racing > 0)
            parts.Add(Invariant($"{outcome.Racing} racing ({missing.Racing} of them missing)"));
        parts.Add(Invariant($"{outcome.Duplicates} repeated"));
        parts.Add(Invariant($"{outcome.Reordered} out of order"));
        if (outcome.RepairMilliseconds is { } repair && (record.Faults.Count > 0 || repair > 0))
            parts.Add(
                outcome.IsServiceLost ? "service lost: nothing passed between brokers at the end"
                : double.IsPositiveInfinity(repair) ? "no repair before the end"
                : $"repair {Seen(repair, outcome)}"
            );
        if (outcome.BlackoutMilliseconds is { } blackout)
            parts.Add($"blackout {Seen(blackout, outcome)}");
        if (outcome.UnwatchedMilliseconds is > 0 and var unwatched)
            parts.Add($"no two brokers up for {Time(unwatched)}");
        if (outcome.LinkMessages is { } messages)
            parts.Add(
                Invariant($"{(double)messages / Math.Max(1, outcome.Publications):0.###} link messages per publication")
                    + (
                        record.Simulated is { LinkMessages: { } simulated, Publications: var made }
                            ? Invariant($" (simulated: {(double)simulated / Math.Max(1, made):0.###})")
                            : ""
                    )
            );
        return string.Join(", ", parts);
    }

    private static string Places(LossClasses losses)
    {
        (long Count, string Where)[] places =
        [
            (losses.Beginning, "at the beginning of a stream"),
            (losses.Middle, "in the middle"),
            (losses.End, "at the end"),
            (losses.Whole, "in streams that brought nothing"),
            (losses.ReachedOthers, "reached other subscribers"),
        ];
        return string.Concat(
            places.Where(place => place.Count > 0).Select(place => Invariant($", {place.Count} of these {place.Where}"))
        );
    }

    /// <summary>A time that probes saw: nothing below their resolution.</summary>
    public static string Seen(double milliseconds, ClusterOutcome outcome) =>
        milliseconds > 0 || outcome.ProbeResolutionMilliseconds is not { } resolution
            ? Time(milliseconds)
            : $"under {Time(resolution)}";

    /// <summary>A time in words.</summary>
    public static string Time(double milliseconds) =>
        double.IsPositiveInfinity(milliseconds) ? "never"
        : Math.Abs(milliseconds) >= 1000 ? Invariant($"{milliseconds / 1000:0.##} s")
        : Invariant($"{milliseconds:0.#} ms");

    /// <summary>An answer in words.</summary>
    public static string Describe(ClusterAnswer answer)
    {
        if (answer.Property.IsDecision || answer.Estimate is not { } estimate)
            return answer.Reason;
        var isTime = answer.Property.Measure is { } measure && measure.Quantity.IsDuration;
        string Value(double value) => isTime ? Time(value) : Invariant($"{value:0.####}");
        var interval = answer.Interval is { } known ? $" ({Value(known.Lower)} to {Value(known.Upper)})" : "";
        return Invariant($"{Value(estimate)}{interval} in {answer.Runs} runs; {answer.Reason}");
    }

    /// <summary>Prints what was run, what came, and the answers.</summary>
    public static void Print(Screen screen, Topology topology, ClusterVerificationResult result)
    {
        for (var run = 0; run < result.Runs.Count; run++)
        {
            var record = result.Runs[run];
            screen.Line(Invariant($"run {run + 1}: {Seen(record)}"));
            if (record.Faults.Count > 0)
                screen.Line($"       {string.Join("; ", record.Faults.Select(fault => FaultWords(topology, fault)))}");
            foreach (var note in record.FaultNotes)
                screen.Line($"       {note}");
            if (record.Failure is { } failure)
                screen.Warn(Invariant($"run {run + 1}: {failure}"));
            if (record.LoopAfterNanoseconds is { } after)
                screen.Line(
                    Invariant($"violated: loop-free: messages go round, seen {after / 1e6:0} ms after the first; ")
                        + "the brokers were stopped"
                );
        }
        if (result.EndedBy is { } ended)
            screen.Warn(Invariant($"no more than {result.Runs.Count} runs: {ended}"));
        screen.Lines(
            result
                .Violations.Take(5)
                .Select(found =>
                    Invariant($"violated: {found.Violation.Invariant}: run {found.Run}: {found.Violation.What}")
                )
        );
        if (result.Violations.Count() is > 5 and var count)
            screen.Line(Invariant($"          and {count - 5} more, see the page"));
        foreach (var reports in result.Reports.GroupBy(found => found.Report.Invariant).Select(group => group.ToList()))
            screen.Line(
                Invariant($"reported: {reports[0].Report.Invariant}: run {reports[0].Run}: {reports[0].Report.What}")
                    + (reports.Count > 1 ? Invariant($", and {reports.Count - 1} more, see the page") : "")
            );
        var answers = new TextTable("property", "answer", "interval", "kind", "runs", "verdict");
        answers.Record(screen);
        foreach (var answer in result.Answers)
        {
            var verdict = ClusterText.Word(answer.Holds, answer.Property.IsDecision, answer.Kind);
            answers.Add(
                $"{answer.Property}",
                TableCell.Of(answer.Estimate),
                TableCell.Of(answer.Interval),
                ClusterText.Word(answer.Kind),
                answer.Runs,
                verdict
            );
            screen.Line($"{verdict}: {answer.Property}  {Describe(answer)}");
        }
        var notes = ClusterText.Notes([
            .. result.Answers.Where(answer => answer.Property.IsOfMean).Select(answer => answer.Kind),
        ]);
        if (notes.Length > 0)
            screen.Line(notes.TrimStart());
        screen.Lines(Agreement(result.Comparisons, result.WhyNotSimulated));
        screen.Line($"{ClusterRunSentence.Of(topology, result)}.");
    }

    /// <summary>How many quantities live runs and simulations agree on, and each that they do not.</summary>
    private static IEnumerable<string> Agreement(IReadOnlyList<QuantityComparison> comparisons, string? whyNot)
    {
        if (whyNot is not null)
            yield return $"predicted and live: not compared: {whyNot}";
        var known = comparisons.Where(comparison => comparison.Agrees is not null).ToList();
        if (known.Count == 0)
            yield break;
        yield return Invariant($"predicted and live: {known.Count(comparison => comparison.Agrees == true)} of ")
            + Invariant($"{known.Count} quantities agree (intervals of {1 - QuantityComparison.Error:0.##%})");
        foreach (var differing in known.Where(comparison => comparison.Agrees == false))
            yield return $"  differs: {differing.Quantity.Name}: live {Value(differing, differing.Live)}, "
                + $"predicted {Value(differing, differing.Simulated)}"
                + (differing.Difference is null ? "" : $", difference {Difference(differing)}");
    }

    /// <summary>A value of a compared quantity in words; a dash where it is not known.</summary>
    public static string Value(QuantityComparison comparison, double? value) =>
        value is not { } known ? "-"
        : comparison.Quantity.IsDuration ? Time(known)
        : Invariant($"{known:0.####}");

    /// <summary>The interval of the mean difference in words; a dash where there is none.</summary>
    public static string Difference(QuantityComparison comparison) =>
        comparison.Difference is { } interval
            ? $"{Value(comparison, interval.Lower)} to {Value(comparison, interval.Upper)}"
            : "-";

    /// <summary>A fault as a run made it.</summary>
    public static string FaultWords(Topology topology, ScheduledFault fault)
    {
        var targets = fault
            .Nodes.Select(node => topology.Nodes[node].Name)
            .Concat(
                fault.Links.Select(link =>
                    $"{topology.Nodes[topology.Links[link].From].Name}-{topology.Nodes[topology.Links[link].To].Name}"
                )
            );
        return Invariant($"{fault.Fault}: {string.Join(", ", targets)} at {fault.AtNanoseconds / 1e9:0.###} s");
    }
}
