using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace MqttCheck.Reports.Formats;

/// <summary>Cases as JUnit XML, which continuous-integration servers show as tests.</summary>
public static class JUnitReport
{
    /// <summary>Writes cases as UTF-8.</summary>
    /// <param name="stream">The stream for the XML; it stays open.</param>
    /// <param name="cases">The cases to write.</param>
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
        Suites(cases, all).WriteTo(xml);
    }

    private static XElement Suites(ReportedCases cases, ReportedCase[] all) =>
        new(
            "testsuites",
            new XElement(
                "testsuite",
                Attribute("name", "mqttcheck " + cases.Suite),
                Attribute("tests", Number(all.Length)),
                Attribute("failures", Number(all.Count(one => one.Outcome == CaseOutcome.Failed))),
                Attribute("errors", Number(all.Count(one => one.Outcome == CaseOutcome.Error))),
                Attribute("skipped", Number(all.Count(one => one.Outcome == CaseOutcome.Skipped))),
                Attribute("time", Seconds(all.Sum(one => double.IsFinite(one.Seconds) ? one.Seconds : 0))),
                Attribute(
                    "timestamp",
                    cases.GeneratedUtc.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture)
                ),
                all.Select(Case)
            )
        );

    private static XElement Case(ReportedCase one)
    {
        var (element, message) = one.Outcome switch
        {
            CaseOutcome.Failed => ("failure", $"{one.Summary}: {one.Reason}"),
            CaseOutcome.Skipped => ("skipped", $"{one.Summary}: {one.Reason}"),
            CaseOutcome.Error => ("error", one.Reason),
            CaseOutcome.Passed => ("system-out", null),
            _ => throw new UnreachableException(),
        };
        var text = Valid(string.Join('\n', one.Details.Prepend(one.Reason)));
        return new(
            "testcase",
            Attribute("classname", one.Group.Length == 0 ? "mqttcheck" : "mqttcheck." + one.Group),
            Attribute("name", one.Name),
            Attribute("time", Seconds(double.IsFinite(one.Seconds) ? one.Seconds : 0)),
            one.Verdict is { } verdict
                ? new XElement(
                    "properties",
                    new XElement("property", Attribute("name", "verdict"), Attribute("value", verdict))
                )
                : null,
            // An empty text would be written as an element with two tags.
            new XElement(element, message is null ? null : Attribute("message", message), text.Length > 0 ? text : null)
        );
    }

    private static XAttribute Attribute(string name, string value) => new(name, Valid(value));

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
