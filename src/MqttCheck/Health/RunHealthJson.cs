using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Statistics;

namespace MqttCheck.Health;

/// <summary>
/// The health and the warm-up of a run as JSON, in the file beside a log. What was not measured is left out.
/// </summary>
internal static class RunHealthJson
{
    private static readonly string[] s_loops = ["closed", "open"];
    private static readonly string[] s_states = ["unknown", "reached", "never"];

    public static void Write(Utf8JsonWriter writer, RunHealth health)
    {
        writer.WriteStartObject();
        writer.WriteBoolean("valid", health.IsValid);
        writer.WriteString("loop", s_loops[(int)health.Loop]);
        Number("latencyP99Milliseconds", health.LatencyP99Milliseconds);
        Number("meanWaitMilliseconds", health.MeanWaitMilliseconds);
        Number("sendLagMedianMicroseconds", health.LagMedianMicroseconds);
        Number("sendLagP99Microseconds", health.LagP99Microseconds);
        Number("sendLagMaximumMicroseconds", health.LagMaximumMicroseconds);
        Number("generatorCpuShare", health.GeneratorCpuShare);
        Number("stolenShare", health.StolenShare);
        Number("collectionPausesMilliseconds", health.CollectionPauses.TotalMilliseconds);
        writer.WriteNumber("pendingBytesMaximum", health.PendingBytesMaximum);
        Number("delayedAcknowledgementShare", health.DelayedAcknowledgementShare);
        Number("brokerCpuShare", health.BrokerCpuShare);
        if (health.BrokerResidentBytes is { } bytes)
            writer.WriteNumber("brokerResidentBytes", bytes);
        Number("clockBoundMilliseconds", health.ClockBoundMilliseconds);
        Number("latencyMedianMilliseconds", health.LatencyMedianMilliseconds);
        if (health.LostWorker is { } lost)
            writer.WriteString("lostWorker", lost);
        writer.WriteStartArray("findings");
        foreach (var finding in health.Findings)
            writer.WriteStringValue(finding.Code);
        writer.WriteEndArray();
        writer.WriteEndObject();

        void Number(string key, double value)
        {
            // Six decimals: no measurement here is finer.
            if (double.IsFinite(value))
                writer.WriteNumber(key, Math.Round(value, 6));
        }
    }

    public static void Write(Utf8JsonWriter writer, WarmUp warmUp)
    {
        writer.WriteStartObject();
        writer.WriteString("state", s_states[(int)warmUp.State]);
        if (double.IsFinite(warmUp.SinceSeconds))
            writer.WriteNumber("sinceSeconds", Math.Round(warmUp.SinceSeconds, 6));
        writer.WriteEndObject();
    }

    public static RunHealth Read(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        // Both follow from the numbers; they are written for people and other programs.
        reader.Optional("valid");
        reader.Optional("findings");
        var health = new RunHealth
        {
            Loop = (LoadLoop)Word(reader, "loop", s_loops, findings),
            LatencyP99Milliseconds = Number("latencyP99Milliseconds"),
            MeanWaitMilliseconds = reader.Number("meanWaitMilliseconds", 0, 1e9, 0),
            LagMedianMicroseconds = Number("sendLagMedianMicroseconds"),
            LagP99Microseconds = Number("sendLagP99Microseconds"),
            LagMaximumMicroseconds = Number("sendLagMaximumMicroseconds"),
            GeneratorCpuShare = Number("generatorCpuShare"),
            StolenShare = Number("stolenShare"),
            CollectionPauses = TimeSpan.FromMilliseconds(reader.Number("collectionPausesMilliseconds", 0, 1e9, 0)),
            PendingBytesMaximum = (long)reader.Number("pendingBytesMaximum", 0, 1e15, 0),
            DelayedAcknowledgementShare = reader.Number("delayedAcknowledgementShare", 0, 1, 0),
            BrokerCpuShare = Number("brokerCpuShare"),
            BrokerResidentBytes = reader.Optional("brokerResidentBytes") is { } bytes
                ? (long)JsonObjectReader.Number(bytes, 0, 1e18, findings)
                : null,
            ClockBoundMilliseconds = Number("clockBoundMilliseconds"),
            LatencyMedianMilliseconds = Number("latencyMedianMilliseconds"),
            LostWorker = reader.Optional("lostWorker") is null ? null : reader.Text("lostWorker", ""),
        };
        reader.End();
        return health;

        double Number(string key) =>
            reader.Optional(key) is { } value
                ? JsonObjectReader.Number(value, 0, double.MaxValue, findings)
                : double.NaN;
    }

    public static WarmUp ReadWarmUp(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var state = (StationarityState)Word(reader, "state", s_states, findings);
        var since = reader.Optional("sinceSeconds") is { } value
            ? JsonObjectReader.Number(value, 0, double.MaxValue, findings)
            : double.NaN;
        reader.End();
        return new(state, since);
    }

    private static int Word(JsonObjectReader reader, string key, string[] words, JsonFindings findings)
    {
        var text = reader.Text(key, null);
        var index = Array.IndexOf(words, text);
        if (index < 0 && reader.Tree.Member(key) is { Type: JsonTokenType.String } given)
            findings.Add(given, $"{given.Given} given; allowed: {string.Join(", ", words)}");
        return Math.Max(0, index);
    }
}
