using System.CommandLine;
using MqttCheck.Cli.Results;

namespace MqttCheck.Cli.Options;

/// <summary>The option <c>--format</c>.</summary>
internal static class FormatOption
{
    private static readonly (string Name, ReportFormat Format)[] s_formats =
    [
        ("html", ReportFormat.Html),
        ("markdown", ReportFormat.Markdown),
        ("json", ReportFormat.Json),
        ("junit", ReportFormat.JUnit),
        ("github", ReportFormat.GitHub),
    ];

    /// <summary>The option for the format that a command prints instead of its table.</summary>
    public static Option<string?> Printed() =>
        Create(
            "What to print on standard output instead of the table: markdown, json, junit (XML), "
                + "github (annotations of GitHub Actions) or html. Files are written all the same."
        );

    /// <summary>The format of a file.</summary>
    public static Option<string?> OfFile() =>
        Create(
            "The format of the report: html, markdown, json, junit (XML) or "
                + "github (annotations of GitHub Actions, which go to standard "
                + "output without --out). Default: what the ending of --out says."
        );

    /// <summary>The format that was given, or null.</summary>
    public static ReportFormat? Of(ParseResult parse, Option<string?> option)
    {
        var name = parse.GetValue(option);
        return name is null ? null : s_formats.First(format => format.Name == name).Format;
    }

    private static Option<string?> Create(string description) =>
        new Option<string?>("--format") { HelpName = "FORMAT", Description = description }.Accepting([
            .. s_formats.Select(format => format.Name),
        ]);
}
