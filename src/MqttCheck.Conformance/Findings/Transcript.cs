using System.Diagnostics;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Conformance.Findings;

/// <summary>A trace as text: who sent what, and what came.</summary>
internal static class Transcript
{
    // A run may have received tens of thousands of messages: those of other runs, or those of a scenario of scale.
    private const int MaximumEntries = 200;
    private const int MaximumBytes = 40;

    /// <summary>One line for each of the last observations up to the deviation, which is marked.</summary>
    /// <param name="finding">The finding.</param>
    public static IReadOnlyList<string> Of(Finding finding) =>
        Last(finding.Trace, finding.Names, finding.Deviation.Entry);

    /// <summary>One line for each of the last observations up to the deviation, which is marked.</summary>
    /// <param name="suspicion">The deviation that was seen once and not repeated.</param>
    public static IReadOnlyList<string> Of(Suspicion suspicion) =>
        Last(suspicion.Trace, suspicion.Names, suspicion.Deviation.Entry);

    /// <summary>One line for each of the last observations of a run.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="names">The names of the run, which are replaced by symbolic ones.</param>
    /// <param name="marked">The entry to mark and to end with.</param>
    public static IReadOnlyList<string> Last(IReadOnlyList<TraceEntry> trace, ScenarioNames names, int marked)
    {
        var before = Math.Max(0, Math.Min(marked + 1, trace.Count) - MaximumEntries);
        var lines = Of(trace, names, marked, before);
        return before == 0 ? lines : [Invariant($"({before} observations before)"), .. lines];
    }

    /// <summary>One line for each observation.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="names">The names of the run, which are replaced by symbolic ones.</param>
    /// <param name="marked">The entry to mark and to end with.</param>
    /// <param name="first">The entry to begin with.</param>
    private static List<string> Of(IReadOnlyList<TraceEntry> trace, ScenarioNames names, int marked, int first)
    {
        var lines = new List<string>();
        var connections = trace
            .Where(entry => entry.Kind == TraceKind.Opened)
            .GroupBy(entry => entry.Client)
            .Where(group => group.Count() > 1)
            .Select(group => group.Key)
            .ToHashSet();
        for (var i = first; i < trace.Count && i <= marked; i++)
        {
            var entry = trace[i];
            if (entry.Kind == TraceKind.Opened)
                continue;
            var time = Invariant($"{(entry.Nanoseconds - trace[0].Nanoseconds) / 1e6, 8:0.0} ms");
            var mark = i == marked ? "   <==" : "";
            if (entry.Kind == TraceKind.Waited)
            {
                lines.Add($"{time}         the wait is over{mark}");
                continue;
            }
            // A client with several connections shows which.
            var number = connections.Contains(entry.Client) ? Invariant($"{NumberOf(trace, i)}") : "";
            var client = (char)('A' + entry.Client) + number;
            lines.Add($"{time}  {client, -2} {Arrow(entry.Kind)} {Describe(entry, names)}{mark}");
        }
        return lines;
    }

    // Which of its client's connections an entry is about, from 1.
    private static int NumberOf(IReadOnlyList<TraceEntry> trace, int at) =>
        trace
            .Take(at)
            .Count(entry =>
                entry.Kind == TraceKind.Opened
                && entry.Client == trace[at].Client
                && entry.Connection <= trace[at].Connection
            );

    private static string Arrow(TraceKind kind) =>
        kind switch
        {
            TraceKind.Sent or TraceKind.SentMalformed => "-->",
            TraceKind.Received => "<--",
            TraceKind.Opened
            or TraceKind.ClosedByClient
            or TraceKind.ClosedByBroker
            or TraceKind.Withholds
            or TraceKind.Waited => "   ",
            _ => throw new UnreachableException(),
        };

    private static string Describe(TraceEntry entry, ScenarioNames names) =>
        entry.Kind switch
        {
            TraceKind.ClosedByClient => "ends the connection",
            TraceKind.ClosedByBroker when entry.Detail.Length > 0 =>
                $"the broker ended the connection ({entry.Detail})",
            TraceKind.ClosedByBroker => "the broker ended the connection",
            TraceKind.SentMalformed => $"{Hexadecimal(entry.Raw)}, which has the defect '{entry.Detail}'",
            TraceKind.Withholds => entry.Detail == "release" ? "will send no PUBREL" : "does not wait for the answer",
            _ when entry.Packet is null => "a packet that cannot be understood",
            TraceKind.Sent when entry.Detail.Length > 0 => $"{PacketText.Of(entry.Packet, names)}, {entry.Detail}",
            TraceKind.Sent or TraceKind.Received or TraceKind.Opened or TraceKind.Waited => PacketText.Of(
                entry.Packet,
                names
            ),
            _ => throw new UnreachableException(),
        };

    private static string Hexadecimal(Bytes bytes) =>
        bytes.Length <= MaximumBytes
            ? Convert.ToHexString(bytes.Span)
            : Convert.ToHexString(bytes.Span[..MaximumBytes]) + "...";
}
