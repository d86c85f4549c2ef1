using System.Globalization;
using System.Text;
using System.Xml;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Formats;

/// <summary>Cases as JUnit XML, which continuous-integration servers show as tests.</summary>
public static class JUnitReport
{
    /// <summary>Writes the verdicts of a report as UTF-8.</summary>
    /// <param name="stream">Where to; stays open.</param>
    /// <param name="input">What to say.</param>
    public static void Write(Stream stream, ReportInput input) => Write(stream, ReportedCases.Of(input));

    /// <summary>Writes cases as UTF-8.</summary>
    /// <param name="stream">Where to; stays open.</param>
    /// <param name="cases">What to say.</param>
    public static void Write(Stream stream, ReportedCases cases)
    {
        ReportedCase[] all = cases.Failure is { } failure
            ? [.. cases.Cases, new("", "broker and environment", CaseOutcome.Error, failure, failure, [])]
            : [.. cases.Cases];
        using var xml = XmlWriter.Create(
            stream,
            new XmlWriterSettings
            {
                Indent = true,
                NewLineChars = "\n",
                Encoding = new UTF8Encoding(false),
            }
        );
        xml.WriteStartElement("testsuites");
        xml.WriteStartElement("testsuite");
        Attribute(xml, "name", "mqttcheck " + cases.Suite);
        Attribute(xml, "tests", Number(all.Length));
        Attribute(xml, "failures", Number(all.Count(one => one.Outcome == CaseOutcome.Failed)));
        Attribute(xml, "errors", Number(all.Count(one => one.Outcome == CaseOutcome.Error)));
        Attribute(xml, "skipped", Number(all.Count(one => one.Outcome == CaseOutcome.Skipped)));
        Attribute(xml, "time", Seconds(all.Sum(one => double.IsFinite(one.Seconds) ? one.Seconds : 0)));
        Attribute(
            xml,
            "timestamp",
            cases.GeneratedUtc.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture)
        );
        foreach (var one in all)
            Write(xml, one);
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void Write(XmlWriter xml, ReportedCase one)
    {
        xml.WriteStartElement("testcase");
        Attribute(xml, "classname", one.Group.Length == 0 ? "mqttcheck" : "mqttcheck." + one.Group);
        Attribute(xml, "name", one.Name);
        Attribute(xml, "time", Seconds(double.IsFinite(one.Seconds) ? one.Seconds : 0));
        var (element, message) = one.Outcome switch
        {
            CaseOutcome.Failed => ("failure", $"{one.Summary}: {one.Reason}"),
            CaseOutcome.Skipped => ("skipped", $"{one.Summary}: {one.Reason}"),
            CaseOutcome.Error => ("error", one.Reason),
            _ => ("system-out", null),
        };
        if (one.Verdict is { } verdict)
        {
            xml.WriteStartElement("properties");
            xml.WriteStartElement("property");
            Attribute(xml, "name", "verdict");
            Attribute(xml, "value", verdict);
            xml.WriteEndElement();
            xml.WriteEndElement();
        }
        xml.WriteStartElement(element);
        if (message is not null)
            Attribute(xml, "message", message);
        xml.WriteString(Valid(string.Join('\n', one.Details.Prepend(one.Reason))));
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void Attribute(XmlWriter xml, string name, string value) =>
        xml.WriteAttributeString(name, Valid(value));

    private static string Number(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Seconds(double seconds) => seconds.ToString("0.###", CultureInfo.InvariantCulture);

    // XML 1.0 cannot hold control characters and lone surrogates at all, not even escaped.
    private static string Valid(string text)
    {
        var valid = new StringBuilder(text.Length);
        foreach (var rune in text.EnumerateRunes())
            valid.Append(
                rune.Value > char.MaxValue || XmlConvert.IsXmlChar((char)rune.Value) ? rune.ToString() : "\uFFFD"
            );
        return valid.ToString();
    }
}
