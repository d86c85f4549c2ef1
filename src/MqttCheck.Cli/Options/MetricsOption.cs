using System.CommandLine;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Options;

/// <summary>The option <c>--metrics</c>.</summary>
internal static class MetricsOption
{
    /// <summary>The file for the numbers of the result.</summary>
    public static Option<FileInfo?> Create() =>
        new("--metrics")
        {
            HelpName = "FILE",
            Description =
                "Also write the numbers of the result to this file, in the text format of Prometheus. An earlier file "
                + "is replaced. Default: none is written.",
        };

    /// <summary>The file, which can be written, or null.</summary>
    /// <exception cref="InputException">Nothing can be written there.</exception>
    public static string? Of(ParseResult parse, Option<FileInfo?> option)
    {
        var path = parse.GetValue(option)?.ToString();
        if (path is not null)
            OutputPath.RequireWritable(path, option.Name);
        return path;
    }
}
