using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Brokers.Clusters.Verdicts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Cluster;

/// <summary>Writes <c>cluster.json</c>: what was run, what came, what is said of it.</summary>
internal static class ClusterRunFile
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
        ClusterRunRequest request,
        BrokerDescription broker,
        ClusterVerificationResult result
    )
    {
        var topology = request.Topology;
        var document = new
        {
            Format = "mqttcheck-cluster",
            Version = 1,
            ToolVersion = Tool.Version,
            Cluster = topology.Name,
            System = topology.System.Name(),
            Broker = broker,
            Scenario = topology.Scenario.Name,
            Faults = topology.Scenario.Faults.Select(fault => fault.ToString()),
            Conclusion = result.Conclusion == Conclusion.Success ? "confirmed" : result.Conclusion.ToString(),
            Properties = result.Answers.Select(Answer),
            Runs = result.Runs.Select(run => Run(topology, run)),
            request.Seed,
            request.Repeat,
            Interrupted = result.IsInterrupted,
        };
        AtomicFile.Write(path, JsonSerializer.Serialize(document, s_options) + "\n");
    }

    private static object Run(Topology topology, ClusterRunRecord run) =>
        new
        {
            run.Outcome.Publications,
            run.Outcome.Deliveries,
            run.Outcome.WithoutSubscription,
            run.Outcome.Owed,
            run.Outcome.Missing,
            run.Outcome.Lost,
            run.Outcome.LostSettled,
            run.Outcome.Duplicates,
            run.Outcome.Reordered,
            run.Outcome.Racing,
            run.Outcome.RepairMilliseconds,
            run.Outcome.BlackoutMilliseconds,
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
            Faults = run.Faults.Select(fault => ClusterRunStage.FaultWords(topology, fault)),
            FaultLatenessMilliseconds = run.FaultLatenessNanoseconds / 1e6,
            LoopAfterMilliseconds = run.LoopAfterNanoseconds / 1e6,
            run.Failure,
            run.Outcome.Violations,
            run.Outcome.Reports,
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

    private static object Answer(ClusterAnswer answer) =>
        new
        {
            Property = answer.Property.ToString(),
            Verdict = ClusterRunStage.Word(answer),
            answer.Runs,
            answer.Fulfilling,
            answer.Silent,
            answer.Estimate,
            answer.Interval,
            answer.Reason,
        };
}
