using System.Text.Json;
using MqttCheck.Profiles;

namespace MqttCheck.Latency;

/// <summary>How models were judged by replay, in a model file.</summary>
internal static class ReplayJson
{
    public static void Write(Utf8JsonWriter writer, ReplayQuality quality)
    {
        writer.WriteStartObject();
        writer.WriteNumber("error", quality.Error);
        writer.WriteStartArray("cases");
        foreach (var replayed in quality.Cases)
        {
            writer.WriteStartObject();
            writer.WriteNumber("clients", replayed.Clients);
            writer.WriteNumber("messagesPerSecond", replayed.MessagesPerSecond);
            writer.WriteNumber("meanActive", replayed.MeanActive);
            if (double.IsFinite(replayed.SimulatedActive)) writer.WriteNumber("simulatedActive", replayed.SimulatedActive);
            writer.WriteNumber("error", replayed.Error);
            writer.WriteNumber("noise", replayed.Noise);
            writer.WriteNumber("bias", replayed.Bias);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    public static void Write(Utf8JsonWriter writer, IReadOnlyList<CandidateModel> candidates)
    {
        writer.WriteStartArray();
        foreach (var candidate in candidates)
        {
            writer.WriteStartObject();
            writer.WriteString("learner", candidate.Learner);
            if (double.IsFinite(candidate.ReplayError)) writer.WriteNumber("replayError", candidate.ReplayError);
            if (candidate.Remark.Length > 0) writer.WriteString("remark", candidate.Remark);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
    }

    public static ReplayQuality ReadQuality(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var error = reader.Number("error", 0, 1);
        var cases = new List<ReplayedCase>();
        foreach (var item in reader.Array("cases", "an array of replayed cases"))
        {
            var inner = new JsonObjectReader(item, findings);
            cases.Add(new(
                inner.Integer("clients", 1, int.MaxValue), inner.Number("messagesPerSecond", 0, double.MaxValue), inner.Number("meanActive", 1, double.MaxValue),
                inner.Number("simulatedActive", 0, double.MaxValue, double.NaN), inner.Number("error", 0, 1), inner.Number("noise", 0, double.MaxValue), inner.Number("bias", -1, 1)));
            inner.End();
        }
        reader.End();
        return new(error, cases);
    }

    public static IReadOnlyList<CandidateModel> ReadCandidates(IReadOnlyList<JsonTree> items, JsonFindings findings)
    {
        var candidates = new List<CandidateModel>();
        foreach (var item in items)
        {
            var inner = new JsonObjectReader(item, findings);
            candidates.Add(new(inner.Text("learner", null), inner.Number("replayError", 0, 1, double.NaN), inner.Text("remark", "")));
            inner.End();
        }
        return candidates;
    }
}
