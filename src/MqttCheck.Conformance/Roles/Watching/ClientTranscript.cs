using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>The trace of a client as text: an arrow to the right is what it sends.</summary>
internal static class ClientTranscript
{
    private const int MaximumEntries = 200;
    private const int MaximumBytes = 40;

    // Topics stand as they are.
    private static readonly ScenarioNames s_names = new("~");

    /// <summary>One line for each of the last observations up to the marked one.</summary>
    public static IReadOnlyList<string> Of(IReadOnlyList<TraceEntry> trace, int marked)
    {
        var last = Math.Min(marked, trace.Count - 1);
        List<string> lines = [];
        for (var i = Math.Max(0, last + 1 - MaximumEntries); i <= last; i++)
        {
            var entry = trace[i];
            if (entry.Kind == TraceKind.Opened)
                continue;
            var time = Invariant($"{(entry.Nanoseconds - trace[0].Nanoseconds) / 1e6, 8:0.0} ms");
            var mark = i == marked ? "   <==" : "";
            lines.Add($"{time}  {Invariant($"{entry.Connection}"), -2} {Describe(entry)}{mark}");
        }
        return lines;
    }

    private static string Describe(TraceEntry entry)
    {
        if (entry.Kind == TraceKind.ClosedByClient)
            return "    the client ended the connection";
        if (entry.Kind == TraceKind.ClosedByBroker)
            return "    the broker ended the connection";
        var arrow = entry.Kind == TraceKind.Sent ? "-->" : "<--";
        if (entry.Detail.Length > 0)
            return $"{arrow} {Hexadecimal(entry.Raw)}, which has the defect '{entry.Detail}'";
        return entry.Packet is null
            ? $"{arrow} {Hexadecimal(entry.Raw)}, which cannot be understood"
            : $"{arrow} {PacketText.Of(entry.Packet, s_names)}";
    }

    private static string Hexadecimal(Protocol.Bytes bytes) =>
        bytes.Length <= MaximumBytes
            ? Convert.ToHexString(bytes.Span)
            : Convert.ToHexString(bytes.Span[..MaximumBytes]) + "...";
}
