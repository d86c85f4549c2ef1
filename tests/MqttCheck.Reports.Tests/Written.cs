using System.Text.Json;
using System.Xml.Linq;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Tests;

/// <summary>A report as each format writes it.</summary>
internal static class Written
{
    public static string PageWithViewer(ReportInput input) => Text(writer => HtmlReport.Write(writer, input));

    public static string Page(ReportInput input, string? viewer = null) =>
        Text(writer => HtmlReport.Write(writer, input, viewer));

    public static string Page(ReportDocument document) => Text(writer => HtmlDocument.Write(writer, document));

    public static string Markdown(ReportInput input) => Text(writer => MarkdownReport.Write(writer, input));

    public static string Markdown(ReportDocument document) => Text(writer => MarkdownDocument.Write(writer, document));

    public static string Annotations(ReportInput input) =>
        Text(writer => GitHubAnnotations.Write(writer, ReportedCases.Of(input)));

    public static JsonElement Json(ReportInput input)
    {
        using var stream = new MemoryStream();
        JsonReport.Write(stream, input);
        return JsonElement.Parse(stream.ToArray());
    }

    /// <summary>The only suite of a JUnit report.</summary>
    public static XElement JUnit(ReportInput input)
    {
        using var stream = new MemoryStream();
        JUnitReport.Write(stream, ReportedCases.Of(input));
        stream.Position = 0;
        return XDocument.Load(stream).Root!.Element("testsuite")!;
    }

    private static string Text(Action<TextWriter> write)
    {
        using var writer = new StringWriter();
        write(writer);
        return writer.ToString();
    }
}
