using System.Globalization;
using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Latency.Quality;

namespace MqttCheck.Latency.Files;

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
            if (double.IsFinite(replayed.SimulatedActive))
                writer.WriteNumber("simulatedActive", replayed.SimulatedActive);
            writer.WriteStartArray("points");
            // A point per line.
            foreach (var point in replayed.Points)
                writer.WriteRawValue(PointText(point));
            writer.WriteEndArray();
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
            if (double.IsFinite(candidate.ReplayError))
                writer.WriteNumber("replayError", candidate.ReplayError);
            if (candidate.Remark.Length > 0)
                writer.WriteString("remark", candidate.Remark);
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
            cases.Add(
                new(
                    inner.Integer("clients", 1, int.MaxValue),
                    inner.Number("messagesPerSecond", 0, double.MaxValue),
                    inner.Number("meanActive", 1, double.MaxValue),
                    inner.Number("simulatedActive", 0, double.MaxValue, double.NaN),
                    [.. inner.Array("points", "an array of comparisons").Select(point => ReadPoint(point, findings))]
                )
            );
            inner.End();
        }
        reader.End();
        return new(error, cases);
    }

    // A spread of 0, as of every point without alternatives, is not written.
    private static string PointText(ReplayedPoint point)
    {
        var spread =
            point.Spread > 0 ? string.Create(CultureInfo.InvariantCulture, $", \"spread\": {point.Spread}") : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{{ \"milliseconds\": {point.ThresholdMilliseconds}, \"observed\": "
                + $"{point.Observed}, \"error\": {point.Error}, \"noise\": {point.Noise}{spread} }}"
        );
    }

    private static ReplayedPoint ReadPoint(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var point = new ReplayedPoint(
            reader.Number("milliseconds", double.Epsilon, double.MaxValue),
            reader.Number("observed", 0, 1),
            reader.Number("error", -1, 1),
            reader.Number("noise", 0, double.MaxValue)
        )
        {
            Spread = reader.Number("spread", 0, 1, 0),
        };
        reader.End();
        return point;
    }

    public static IReadOnlyList<CandidateModel> ReadCandidates(IReadOnlyList<JsonTree> items, JsonFindings findings)
    {
        var candidates = new List<CandidateModel>();
        foreach (var item in items)
        {
            var inner = new JsonObjectReader(item, findings);
            candidates.Add(
                new(
                    inner.Text("learner", null),
                    inner.Number("replayError", 0, 1, double.NaN),
                    inner.Text("remark", "")
                )
            );
            inner.End();
        }
        return candidates;
    }
}
