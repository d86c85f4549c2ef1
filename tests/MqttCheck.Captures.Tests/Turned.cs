using MqttCheck.Captures.Logs;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Tests;

/// <summary>A capture that was turned into a log.</summary>
internal sealed record Turned(ExchangeLog Log, CaptureSummary Summary, string Names)
{
    public CaptureCounts Counts => Summary.Counts;

    public IReadOnlyList<Exchange> Exchanges => Log.Exchanges;

    /// <summary>Turns a capture into a log in a folder of its own.</summary>
    public static Turned Of(byte[] capture, Func<CaptureRequest, CaptureRequest>? change = null)
    {
        var folder = Directory.CreateTempSubdirectory("mqttcheck-tests-").FullName;
        try
        {
            var path = Path.Combine(folder, "traffic.pcapng");
            File.WriteAllBytes(path, capture);
            return OfFile(path, folder, change);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>Turns a capture into a log in a folder.</summary>
    public static Turned OfFile(string capture, string folder, Func<CaptureRequest, CaptureRequest>? change = null)
    {
        var log = Path.Combine(folder, "log.csv");
        var summary = CaptureLog.Write((change ?? (same => same))(new(capture, log, "1.2.3")));
        return new(ExchangeLogReader.Read(log), summary, File.ReadAllText(summary.NamesFile));
    }

    /// <summary>The exchanges without their places in the order of the log, for comparing.</summary>
    public IEnumerable<string> Lines() =>
        Exchanges
            .OrderBy(exchange => exchange.SentMicroseconds)
            .ThenBy(exchange => exchange.Client)
            .Select(exchange => $"{exchange with { IssueIndex = 0, ActiveMessages = 1, TotalSubscriptions = 0 }}");
}
