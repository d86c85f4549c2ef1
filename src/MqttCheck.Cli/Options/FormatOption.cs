using System.CommandLine;
using MqttCheck.Cli.Results;

namespace MqttCheck.Cli.Options;

/// <summary>The option <c>--format</c>.</summary>
internal static class FormatOption
{
    /// <summary>The option for the format that a command prints instead of its table.</summary>
    public static Option<string?> Printed() =>
        Create(
            $"What to print on standard output instead of the table: {ReportFormat.Words}. "
                + "Files are written all the same."
        );

    /// <summary>The format of a file.</summary>
    public static Option<string?> OfFile() =>
        Create(
            $"The format of the report: {ReportFormat.Words}. Annotations go to standard output without --out. "
                + "Default: what the ending of --out says."
        );

    /// <summary>The format that was given, or null.</summary>
    public static ReportFormat? Of(ParseResult parse, Option<string?> option) =>
        ReportFormat.All.FirstOrDefault(format => format.Name == parse.GetValue(option));

    private static Option<string?> Create(string description) =>
        new Option<string?>("--format") { HelpName = "FORMAT", Description = description }.Accepting([
            .. ReportFormat.All.Select(format => format.Name),
        ]);
}
