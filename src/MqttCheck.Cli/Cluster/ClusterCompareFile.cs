using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Brokers.Clusters.Verdicts;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Cluster;

/// <summary>Writes <c>cluster-comparison.json</c>: what was run in turn, what came, what is said of it.</summary>
internal static class ClusterCompareFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
    };

    /// <summary>Writes the file; an earlier one of that name is replaced whole.</summary>
    public static void Write(
        string path,
        ClusterCompareRequest request,
        IReadOnlyList<(ClusterRunRecord First, ClusterRunRecord Second)> pairs,
        IReadOnlyList<PairAnswer> answers,
        Conclusion conclusion
    )
    {
        var document = new
        {
            Format = "mqttcheck-cluster-comparison",
            Version = 1,
            ToolVersion = Tool.Version,
            First = Cluster(request.First),
            Second = Cluster(request.Second),
            Conclusion = conclusion == Conclusion.Success ? "confirmed" : conclusion.ToString(),
            Statements = answers.Select(answer => new
            {
                Statement = answer.Statement.ToString(),
                Verdict = ClusterCompareStage.Word(answer),
                answer.Count,
                answer.First,
                answer.Second,
                answer.Estimate,
                answer.Interval,
                answer.Reason,
            }),
            Pairs = pairs.Select(pair => new { First = Run(pair.First), Second = Run(pair.Second) }),
            request.Seed,
            request.Repeat,
        };
        AtomicFile.Write(path, JsonSerializer.Serialize(document, s_options) + "\n");
    }

    private static object Cluster((string Label, Topology Topology) cluster) =>
        new
        {
            cluster.Label,
            cluster.Topology.Name,
            System = cluster.Topology.System.Name(),
        };

    private static object Run(ClusterRunRecord run) =>
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
}
