using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
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
            JsonNodes.WriteMembers(
                writer,
                ("clients", replayed.Clients),
                ("messagesPerSecond", replayed.MessagesPerSecond),
                ("meanActive", replayed.MeanActive),
                ("simulatedActive", double.IsFinite(replayed.SimulatedActive) ? replayed.SimulatedActive : null)
            );
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

    public static JsonObject Of(CandidateModel candidate) =>
        JsonNodes.Object(
            ("learner", candidate.Learner),
            ("replayError", double.IsFinite(candidate.ReplayError) ? candidate.ReplayError : null),
            ("remark", candidate.Remark.Length > 0 ? candidate.Remark : null)
        );

    public static ReplayQuality ReadQuality(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new ReplayQuality(
                reader.Number("error", 0, 1),
                [.. reader.Array("cases", "an array of replayed cases").Select(item => ReadCase(item, findings))]
            )
        );

    public static CandidateModel ReadCandidate(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new CandidateModel(
                reader.Text("learner", null),
                reader.Number("replayError", 0, 1, double.NaN),
                reader.Text("remark", "")
            )
        );

    private static ReplayedCase ReadCase(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new ReplayedCase(
                reader.Integer("clients", 1, int.MaxValue),
                reader.Number("messagesPerSecond", 0, double.MaxValue),
                reader.Number("meanActive", 1, double.MaxValue),
                reader.Number("simulatedActive", 0, double.MaxValue, double.NaN),
                [.. reader.Array("points", "an array of comparisons").Select(point => ReadPoint(point, findings))]
            )
        );

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

    private static ReplayedPoint ReadPoint(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new ReplayedPoint(
                reader.Number("milliseconds", double.Epsilon, double.MaxValue),
                reader.Number("observed", 0, 1),
                reader.Number("error", -1, 1),
                reader.Number("noise", 0, double.MaxValue)
            )
            {
                Spread = reader.Number("spread", 0, 1, 0),
            }
        );
}
