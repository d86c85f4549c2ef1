using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.App.Clusters.Compare;
using MqttCheck.App.Clusters.Runs;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Cluster.Pages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Cluster;

/// <summary>
/// Writes <c>cluster.json</c> and <c>cluster-comparison.json</c>: what was run, what came, what is said of it.
/// </summary>
internal static class ClusterResultFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower), new MessageRows.Converter() },
    };

    /// <summary>Writes what <c>cluster run</c> made; an earlier file of that name is replaced whole.</summary>
    public static void Write(string path, ClusterRunRequest request, ClusterRunAnswer answer)
    {
        var (topology, result) = (request.Topology, answer.Result);
        var document = new
        {
            Format = "mqttcheck-cluster",
            Version = 1,
            ToolVersion = Tool.Version,
            Cluster = topology.Name,
            System = topology.System.Name(),
            answer.Broker,
            Scenario = topology.Scenario.Name,
            Faults = topology.Scenario.Faults.Select(fault => fault.ToString()),
            Conclusion = Word(result.Conclusion),
            Answer = ClusterRunSentence.Of(topology, result),
            Properties = result.Answers.Select(AnswerOf),
            PredictedAndLive = result.Comparisons.Select(comparison => new
            {
                Quantity = comparison.Quantity.Name,
                comparison.Runs,
                comparison.Live,
                comparison.Simulated,
                comparison.Difference,
                comparison.Agrees,
            }),
            Runs = result.Runs.Select(run => RunOf(topology, run)),
            request.Seed,
            request.Repeat,
            Interrupted = result.IsInterrupted,
        };
        Write(path, document);
    }

    private static object RunOf(Topology topology, ClusterRunRecord run) =>
        new
        {
            run.Outcome.Publications,
            run.Outcome.Deliveries,
            run.Outcome.WithoutSubscription,
            run.Outcome.Owed,
            run.Outcome.Missing,
            run.Outcome.Lost,
            run.Outcome.LostSettled,
            run.Outcome.Losses,
            run.Outcome.UndeliveredAtEnd,
            run.Outcome.Duplicates,
            run.Outcome.Reordered,
            run.Outcome.Racing,
            run.Outcome.RepairMilliseconds,
            run.Outcome.BlackoutMilliseconds,
            run.Outcome.ConvergenceMilliseconds,
            run.Outcome.ProbeResolutionMilliseconds,
            run.Outcome.UnwatchedMilliseconds,
            run.Outcome.IsServiceLost,
            run.Outcome.CaughtUpMilliseconds,
            run.Outcome.LinkMessages,
            run.Outcome.LinkBytes,
            SimulatedPublications = run.Simulated?.Publications,
            SimulatedLinkMessages = run.Simulated?.LinkMessages,
            run.Outcome.Retransmitted,
            run.Outcome.Throughput,
            Faults = run.Faults.Select(fault => ClusterRunText.FaultWords(topology, fault)),
            FaultLatenessMilliseconds = run.FaultLatenessNanoseconds / 1e6,
            LoopAfterMilliseconds = run.LoopAfterNanoseconds / 1e6,
            run.FaultNotes,
            run.NotBack,
            run.Failure,
            run.Outcome.Violations,
            run.Outcome.Reports,
            run.Outcome.ViolationCounts,
            History = run.Outcome.History is { } history ? MessageRows.Of(topology, history) : null,
            Links = run.Links.Select(link => new
            {
                From = topology.Nodes[link.From].Name,
                To = topology.Nodes[link.To].Name,
                link.DataPublications,
                link.SystemPublications,
                link.Packets,
                link.Bytes,
            }),
        };

    private static object AnswerOf(ClusterAnswer answer) =>
        new
        {
            Property = answer.Property.ToString(),
            Verdict = ClusterText.Word(answer.Holds, answer.Property.IsDecision, answer.Kind),
            answer.Runs,
            answer.Fulfilling,
            answer.Silent,
            answer.Estimate,
            answer.Interval,
            IntervalKind = answer.Kind,
            IntervalIfNormal = answer.IfNormal,
            answer.Reason,
        };

    /// <summary>Writes what <c>cluster compare</c> made; an earlier file of that name is replaced whole.</summary>
    public static void Write(string path, ClusterCompareRequest request, ClusterCompareAnswer comparison)
    {
        var document = new
        {
            Format = "mqttcheck-cluster-comparison",
            Version = 1,
            ToolVersion = Tool.Version,
            First = ClusterOf(request.First),
            Second = ClusterOf(request.Second),
            Conclusion = Word(comparison.Conclusion),
            Statements = comparison.Answers.Select(answer => new
            {
                Statement = answer.Statement.ToString(),
                Verdict = ClusterText.Word(answer.Holds, answer.Statement.IsDecision, answer.Kind),
                answer.Count,
                answer.First,
                answer.Second,
                answer.Estimate,
                answer.Interval,
                IntervalKind = answer.Kind,
                IntervalIfNormal = answer.IfNormal,
                answer.Reason,
            }),
            Pairs = comparison.Pairs.Select(pair => new
            {
                First = RunOfPair(pair.First),
                Second = RunOfPair(pair.Second),
            }),
            request.Seed,
            request.Repeat,
        };
        Write(path, document);
    }

    private static object ClusterOf((string Label, Topology Topology) cluster) =>
        new
        {
            cluster.Label,
            cluster.Topology.Name,
            System = cluster.Topology.System.Name(),
        };

    private static object RunOfPair(ClusterRunRecord run) =>
        new
        {
            run.Outcome.Publications,
            run.Outcome.Deliveries,
            run.Outcome.Lost,
            run.Outcome.Duplicates,
            run.Outcome.Reordered,
            run.Outcome.LinkMessages,
            run.Outcome.Retransmitted,
            run.Outcome.Throughput,
            DeliveryMilliseconds = run.Outcome.DeliveryMilliseconds.Count > 0
                ? run.Outcome.DeliveryMilliseconds.Average()
                : (double?)null,
            run.Failure,
            run.Outcome.Violations,
        };

    private static void Write(string path, object document) =>
        AtomicFile.Write(path, JsonSerializer.Serialize(document, s_options) + "\n");

    private static string Word(Conclusion conclusion) =>
        conclusion == Conclusion.Success ? "confirmed" : conclusion.ToString();
}
