using MqttCheck.Clients;
using MqttCheck.Protocol;
using MqttCheck.Text;

namespace MqttCheck.Captures.Foreign;

/// <summary>Reads results of JMeter (JTL as CSV).</summary>
internal static class JMeterLog
{
    private const string Milliseconds = "milliseconds since 1970 (jmeter.save.saveservice.timestamp_format=ms)";
    private const string Save = "let JMeter save it (jmeter.save.saveservice.*)";
    private const long NanosecondsPerMillisecond = 1_000_000;

    // The sum of two of them still fits.
    private const long MostMilliseconds = long.MaxValue / 2 / NanosecondsPerMillisecond;

    /// <summary>Whether a first line is the header of such a file.</summary>
    public static bool IsHeader(string line) =>
        line.Contains("timeStamp", StringComparison.Ordinal) && line.Contains("elapsed", StringComparison.Ordinal);

    /// <summary>Whether a first line begins the other form of such a file.</summary>
    public static bool IsXml(string line) =>
        line.StartsWith("<?xml", StringComparison.Ordinal) || line.StartsWith("<testResults", StringComparison.Ordinal);

    /// <summary>Refuses the other form.</summary>
    public static InputException Xml(string path) =>
        new(
            $"log \"{Printable.Value(path)}\": XML, as JMeter writes it on demand; allowed: CSV; next: run JMeter with "
                + "-Jjmeter.save.saveservice.output_format=csv"
        );

    /// <summary>Reads a file.</summary>
    /// <exception cref="InputException">It cannot be read; the message says where and what to do.</exception>
    public static ForeignLog Read(string path)
    {
        using var table = new CsvTable(path, hasHeader: true);
        var (time, elapsed) = (table.Require("timeStamp", Save), table.Require("elapsed", Save));
        var (label, thread) = (table.Require("label", Save), table.Require("threadName", Save));
        var (success, sent) = (table.Find("success"), table.Find("sentBytes"));
        var log = new ForeignLog(
            "JMeter",
            "from the start of a sample to its end: of a publication to its acknowledgement, at QoS 0 to its sending",
            NanosecondsPerMillisecond
        );
        while (table.Read())
        {
            if (KindOf(table.Text(label), log) is not { } kind)
                continue;
            var start = table.Integer(time, "timeStamp", MostMilliseconds, Milliseconds);
            var duration = table.Integer(elapsed, "elapsed", MostMilliseconds, "whole milliseconds, at least 0");
            log.Exchanges.Add(
                new()
                {
                    Kind = kind,
                    Client = table.Text(thread),
                    Sent = start * NanosecondsPerMillisecond,
                    End = (start + duration) * NanosecondsPerMillisecond,
                    HasFailed = success >= 0 && !IsTrue(table, success),
                    Topic = "",
                    Size = kind == MessageKind.Publish ? SizeOf(table, sent) : 0,
                    Qos = QualityOfService.AtLeastOnce,
                }
            );
        }
        table.RequireRight();
        log.MissDeliveries();
        log.Missing.Add("topics and QoS: the log has QoS 1");
        if (log.Exchanges.TrueForAll(exchange => exchange.Size == 0))
            log.Missing.Add("sizes (column sentBytes): the model knows nothing of their effect");
        return log;
    }

    private static MessageKind? KindOf(string label, ForeignLog log)
    {
        var kind = MessageWords.Find(label);
        if (kind is null)
            log.Skip($"samples with the label \"{Printable.Value(label)}\", which names no kind of message or several");
        else if (kind is MessageKind.Subscribe)
        {
            log.Skip("samples of subscriptions, which wait for messages: their time is not that of an answer");
            return null;
        }
        return kind;
    }

    private static bool IsTrue(CsvTable table, int column)
    {
        if (bool.TryParse(table.Text(column), out var value))
            return value;
        table.Wrong(column, "success", "true or false");
        return false;
    }

    private static int SizeOf(CsvTable table, int column) =>
        column < 0 ? 0 : (int)table.Integer(column, "sentBytes", int.MaxValue, "an integer, at least 0");
}
