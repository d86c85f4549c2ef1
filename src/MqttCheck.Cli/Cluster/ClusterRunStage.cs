using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>The stage from a topology to verdicts on its live runs.</summary>
internal static class ClusterRunStage
{
    /// <summary>Runs, prints and writes; returns the exit code.</summary>
    public static async Task<Conclusion> RunAsync(Screen screen, Interruption interruption, ClusterRunRequest request)
    {
        var topology = request.Topology;
        RequireNoLoop(topology, request.AllowLoops);
        RequireReach(topology);
        var json = Path.Combine(request.Directory, "cluster.json");
        var page = Path.Combine(request.Directory, "cluster.html");
        OutputPath.RequireWritable(json, "--out");
        screen.Note(Announcement(request));
        var options = new ClusterVerificationOptions
        {
            Tests = request.Tests,
            MostRuns = request.MostRuns,
            Seed = request.Seed,
            IsMadeReady = LoopOf(topology) is null,
        };
        ClusterVerificationResult result;
        BrokerDescription description;
        await using (var cluster = await StartedCluster.StartAsync(topology, options, screen, interruption))
        {
            description = cluster.Description;
            result = await screen.ProgressAsync(
                "Cluster",
                report => cluster.Verification.RunAsync(new CampaignRelay(report), interruption.Orderly)
            );
        }
        Print(screen, topology, result);
        ClusterResultFile.Write(json, request, description, result);
        ClusterRunPage.Write(page, request, description, result, screen.Time.GetUtcNow());
        screen.Line();
        screen.Line($"result: {json}");
        screen.Line($"page:   {page}");
        screen.Line($"repeat: {request.Repeat}");
        if (result.IsInterrupted)
            screen.Note("interrupted: the result is partial");
        return result.Conclusion;
    }

    /// <summary>A run in words: what it counted, and why deliveries are missing.</summary>
    public static string Seen(ClusterRunRecord record)
    {
        var (outcome, missing) = (record.Outcome, record.Outcome.Missing);
        List<string> parts =
        [
            Invariant($"{outcome.Publications} publications"),
            Invariant($"{outcome.Owed - missing.Total} of {outcome.Owed} deliveries came"),
            Invariant($"{outcome.Lost} lost ({outcome.LostSettled} away from faults)"),
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
        if (record.Faults.Count > 0 && outcome.RepairMilliseconds is { } repair)
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

    /// <summary>A time that probes saw: nothing below their resolution.</summary>
    public static string Seen(double milliseconds, ClusterOutcome outcome) =>
        milliseconds > 0 || outcome.ProbeResolutionMilliseconds is not { } resolution
            ? Time(milliseconds)
            : $"under {Time(resolution)}";

    /// <summary>A time in words.</summary>
    public static string Time(double milliseconds) =>
        double.IsPositiveInfinity(milliseconds) ? "never"
        : milliseconds >= 1000 ? Invariant($"{milliseconds / 1000:0.##} s")
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

    private static void Print(Screen screen, Topology topology, ClusterVerificationResult result)
    {
        for (var run = 0; run < result.Runs.Count; run++)
        {
            var record = result.Runs[run];
            screen.Line(Invariant($"run {run + 1}: {Seen(record)}"));
            if (record.Faults.Count > 0)
                screen.Line($"       {string.Join("; ", record.Faults.Select(fault => FaultWords(topology, fault)))}");
            if (record.Failure is { } failure)
                screen.Warn(Invariant($"run {run + 1}: {failure}"));
            if (record.LoopAfterNanoseconds is { } after)
                screen.Line(
                    Invariant($"violated: loop-free: messages go round, seen {after / 1e6:0} ms after the first; ")
                        + "the brokers were stopped"
                );
        }
        foreach (var (run, violation) in result.Violations.Take(5))
            screen.Line(Invariant($"violated: {violation.Invariant}: run {run}: {violation.What}"));
        if (result.Violations.Count() is > 5 and var count)
            screen.Line(Invariant($"          and {count - 5} more, see the page"));
        if (result.Reports.ToList() is { Count: > 0 } reports)
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
    }

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

    private static string Announcement(ClusterRunRequest request)
    {
        var run = ClusterVerification.RunTime(request.Topology);
        var text =
            Invariant($"{request.Topology.Name}: runs of about {run.TotalSeconds:0} s, at most ")
            + Invariant($"{request.MostRuns} ({(run * request.MostRuns).TotalMinutes:0.#} min), each up to ")
            + Invariant(
                $"{ClusterVerification.Drain(request.Topology).TotalSeconds:0} s longer where messages are missing"
            );
        var decisions = request.Tests.Where(test => test.Property.IsDecision).ToList();
        return decisions.Count == 0
            ? text
            : text
                + Invariant($"; verdicts after {decisions.Max(test => test.RunsIfAllHold)} runs if all hold, ")
                + Invariant($"after {decisions.Max(test => test.RunsIfNoneHold)} if none does");
    }

    /// <summary>A loop of a topology's bridges; null if there is none.</summary>
    internal static BridgeRoute? LoopOf(Topology topology) =>
        topology.System == ClusterSystem.MosquittoBridge
            ? BridgeRoutes.Of(topology).FirstOrDefault(route => route.Loop.Count > 0)
            : null;

    /// <summary>Says that bridges loop.</summary>
    internal static void RequireNoLoop(Topology topology, bool allowLoops)
    {
        if (allowLoops || LoopOf(topology) is not { } loop)
            return;
        throw new InputException(
            $"{topology.Name}: {ClusterText.Loop(topology, loop)}, and would flood the brokers; "
                + "allowed: bridges without a loop, or --allow-loops, which stops the brokers as soon as it is seen."
        );
    }

    /// <summary>Says that bridges do not reach every broker.</summary>
    internal static void RequireReach(Topology topology)
    {
        if (topology.System == ClusterSystem.MosquittoBridge && BridgeRoutes.Unreached(topology) is { } gap)
            throw new InputException(
                $"{topology.Name}: {gap}; allowed: topics that bridges forward, by topicPrefix, between brokers that "
                    + "they join, by sites."
            );
    }

    /// <summary>Says which fault cannot be made.</summary>
    internal static void RequireFaults(IClusterUnderTest cluster)
    {
        foreach (var fault in cluster.Topology.Scenario.Faults)
        {
            if ((fault.IsOfNodes ? cluster.WhyNoNodeFaults : cluster.WhyNoLinkFaults) is { } why)
                throw new InputException($"fault '{fault}' cannot be made here: {why}");
        }
    }

    /// <summary>The nodes that join later.</summary>
    internal static List<int> Joining(Topology topology) =>
        [
            .. topology
                .Scenario.Faults.Where(fault => fault.Kind == FaultKind.Join)
                .Select(fault => topology.NodeIndex(fault.Sides[0][0])),
        ];
}
