using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Statistics;

namespace MqttCheck.Health;

/// <summary>
/// The health and the warm-up of a run as JSON, in the file beside a log. Unmeasured values are left out.
/// </summary>
internal static class RunHealthJson
{
    private static readonly string[] s_loops = ["closed", "open"];
    private static readonly string[] s_states = ["unknown", "reached", "never"];

    public static JsonObject Of(RunHealth health) =>
        JsonNodes.Object(
            ("valid", health.IsValid),
            ("loop", s_loops[(int)health.Loop]),
            ("latencyP99Milliseconds", Number(health.LatencyP99Milliseconds)),
            ("meanWaitMilliseconds", Number(health.MeanWaitMilliseconds)),
            ("sendLagMedianMicroseconds", Number(health.LagMedianMicroseconds)),
            ("sendLagP99Microseconds", Number(health.LagP99Microseconds)),
            ("sendLagMaximumMicroseconds", Number(health.LagMaximumMicroseconds)),
            ("generatorCpuShare", Number(health.GeneratorCpuShare)),
            ("stolenShare", Number(health.StolenShare)),
            ("collectionPausesMilliseconds", Number(health.CollectionPauses.TotalMilliseconds)),
            ("pendingBytesMaximum", health.PendingBytesMaximum),
            ("delayedAcknowledgementShare", Number(health.DelayedAcknowledgementShare)),
            ("brokerCpuShare", Number(health.BrokerCpuShare)),
            ("brokerResidentBytes", health.BrokerResidentBytes),
            ("clockBoundMilliseconds", Number(health.ClockBoundMilliseconds)),
            ("latencyMedianMilliseconds", Number(health.LatencyMedianMilliseconds)),
            ("lostWorker", health.LostWorker),
            ("findings", JsonNodes.Array(health.Findings, finding => finding.Code))
        );

    public static JsonObject Of(WarmUp warmUp) =>
        JsonNodes.Object(("state", s_states[(int)warmUp.State]), ("sinceSeconds", Number(warmUp.SinceSeconds)));

    public static RunHealth Read(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        // Both follow from the numbers; they are written for people and other programs.
        reader.Optional("valid");
        reader.Optional("findings");
        var health = new RunHealth
        {
            Loop = (LoadLoop)Word(reader, "loop", s_loops, findings),
            LatencyP99Milliseconds = Number(reader, "latencyP99Milliseconds"),
            MeanWaitMilliseconds = reader.Number("meanWaitMilliseconds", 0, 1e9, 0),
            LagMedianMicroseconds = Number(reader, "sendLagMedianMicroseconds"),
            LagP99Microseconds = Number(reader, "sendLagP99Microseconds"),
            LagMaximumMicroseconds = Number(reader, "sendLagMaximumMicroseconds"),
            GeneratorCpuShare = Number(reader, "generatorCpuShare"),
            StolenShare = Number(reader, "stolenShare"),
            CollectionPauses = TimeSpan.FromMilliseconds(reader.Number("collectionPausesMilliseconds", 0, 1e9, 0)),
            PendingBytesMaximum = (long)reader.Number("pendingBytesMaximum", 0, 1e15, 0),
            DelayedAcknowledgementShare = reader.Number("delayedAcknowledgementShare", 0, 1, 0),
            BrokerCpuShare = Number(reader, "brokerCpuShare"),
            BrokerResidentBytes = reader.Optional("brokerResidentBytes") is { } bytes
                ? (long)JsonObjectReader.Number(bytes, 0, 1e18, findings)
                : null,
            ClockBoundMilliseconds = Number(reader, "clockBoundMilliseconds"),
            LatencyMedianMilliseconds = Number(reader, "latencyMedianMilliseconds"),
            LostWorker = reader.Optional("lostWorker") is null ? null : reader.Text("lostWorker", ""),
        };
        reader.End();
        return health;
    }

    public static WarmUp ReadWarmUp(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new WarmUp(
                (StationarityState)Word(reader, "state", s_states, findings),
                Number(reader, "sinceSeconds")
            )
        );

    // Six decimals: no measurement here is finer.
    private static double? Number(double value) => double.IsFinite(value) ? Math.Round(value, 6) : null;

    private static double Number(JsonObjectReader reader, string key) =>
        reader.Number(key, 0, double.MaxValue, double.NaN);

    private static int Word(JsonObjectReader reader, string key, string[] words, JsonFindings findings)
    {
        var text = reader.Text(key, null);
        var index = Array.IndexOf(words, text);
        if (index < 0 && reader.Tree.Member(key) is { Type: JsonTokenType.String } given)
            findings.Add(given, $"{given.Given} given; allowed: {string.Join(", ", words)}");
        return Math.Max(0, index);
    }
}
