using System.Globalization;
using System.Text;
using System.Xml;
using MqttCheck.Checking;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// The verdicts as JUnit XML, which continuous-integration servers show as tests: one test case for each verified point. Worse and better are failures,
/// withheld and interrupted are skipped, a failed broker is an error.
/// </summary>
public static class JUnitReport
{
    /// <summary>Writes the report as UTF-8.</summary>
    /// <param name="stream">Where to; stays open.</param>
    /// <param name="input">What to say.</param>
    public static void Write(Stream stream, ReportInput input)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(input);
        var verdicts = input.Verdicts;
        using var xml = XmlWriter.Create(stream, new XmlWriterSettings { Indent = true, NewLineChars = "\n", Encoding = new UTF8Encoding(false) });
        xml.WriteStartElement("testsuites");
        xml.WriteStartElement("testsuite");
        Attribute(xml, "name", "mqttcheck " + (input.Broker?.Name ?? "verify"));
        Attribute(xml, "tests", Number(verdicts.Count + (input.Failure is null ? 0 : 1)));
        Attribute(xml, "failures", Number(verdicts.Count(verdict => verdict.Kind is VerdictKind.Worse or VerdictKind.Better)));
        Attribute(xml, "errors", input.Failure is null ? "0" : "1");
        Attribute(xml, "skipped", Number(verdicts.Count(verdict => verdict.Kind is VerdictKind.Withheld or VerdictKind.Partial)));
        Attribute(xml, "time", Seconds(verdicts.Where(verdict => double.IsFinite(verdict.ElapsedSeconds)).Sum(verdict => verdict.ElapsedSeconds)));
        Attribute(xml, "timestamp", input.GeneratedUtc.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture));
        foreach (var verdict in verdicts) TestCase(xml, verdict, input);
        if (input.Failure is { } failure)
        {
            xml.WriteStartElement("testcase");
            Attribute(xml, "classname", "mqttcheck");
            Attribute(xml, "name", "broker and environment");
            Message(xml, "error", failure, failure);
            xml.WriteEndElement();
        }
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void TestCase(XmlWriter xml, VerdictReport verdict, ReportInput input)
    {
        xml.WriteStartElement("testcase");
        Attribute(xml, "classname", "mqttcheck." + verdict.Point.Profile);
        Attribute(xml, "name", Words.Point(verdict.Point));
        Attribute(xml, "time", Seconds(double.IsFinite(verdict.ElapsedSeconds) ? verdict.ElapsedSeconds : 0));
        var details = Details(verdict, input);
        var summary = $"{Words.Verdict(verdict.Kind)}: {verdict.Reason}";
        if (verdict.Kind is VerdictKind.Worse or VerdictKind.Better) Message(xml, "failure", summary, details);
        else if (verdict.Kind is VerdictKind.Withheld or VerdictKind.Partial) Message(xml, "skipped", summary, details);
        else
        {
            xml.WriteStartElement("system-out");
            xml.WriteString(Valid(details));
            xml.WriteEndElement();
        }
        xml.WriteEndElement();
    }

    private static string Details(VerdictReport verdict, ReportInput input)
    {
        var lines = new List<string>
        {
            verdict.Reason,
            $"predicted: {Words.Probability(verdict.Point.Probability)} ({Words.Percent(verdict.PredictedConfidence)} interval {Words.Interval(verdict.Point.Interval)})",
            $"measured: {Words.Probability(verdict.MeasuredProbability)} ({Words.Percent(verdict.MeasuredConfidence)} interval {Words.Interval(verdict.MeasuredInterval)})",
            $"samples: {Words.Counted(verdict.Samples, "sequence")} in {Words.Counted(verdict.Runs, "run")}",
        };
        if (double.IsFinite(verdict.ExpectedSamples)) lines.Add($"expected samples of independent sequences: {Words.Count((long)Math.Round(verdict.ExpectedSamples))}");
        lines.AddRange(VerdictRemarks.Of(verdict));
        if (double.IsFinite(verdict.ErrorProbability)) lines.Add($"probability of a wrong verdict: at most {Words.Number(verdict.ErrorProbability)}");
        lines.AddRange(input.Reproduce.Select(command => $"repeat: {command.CommandLine}"));
        return string.Join('\n', lines);
    }

    private static void Message(XmlWriter xml, string element, string message, string text)
    {
        xml.WriteStartElement(element);
        Attribute(xml, "message", message);
        xml.WriteString(Valid(text));
        xml.WriteEndElement();
    }

    private static void Attribute(XmlWriter xml, string name, string value) => xml.WriteAttributeString(name, Valid(value));

    private static string Number(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Seconds(double seconds) => seconds.ToString("0.###", CultureInfo.InvariantCulture);

    // XML 1.0 cannot hold control characters and lone surrogates at all, not even escaped.
    private static string Valid(string text)
    {
        var valid = new StringBuilder(text.Length);
        foreach (var rune in text.EnumerateRunes())
            valid.Append(rune.Value > char.MaxValue || XmlConvert.IsXmlChar((char)rune.Value) ? rune.ToString() : "\uFFFD");
        return valid.ToString();
    }
}
