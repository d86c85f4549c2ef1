using System.CommandLine;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Options;

/// <summary>The option <c>--plots</c>.</summary>
internal static class PlotsOption
{
    /// <summary>The option for the directory of pictures.</summary>
    public static Option<DirectoryInfo?> Create(string what) =>
        new("--plots")
        {
            HelpName = "DIR",
            Description =
                $"Also draw {what} as PNG and SVG files in this directory. A picture "
                + "has the same name every time; an earlier one of that name is replaced.",
        };

    /// <summary>The directory, which can be written, or null.</summary>
    /// <exception cref="InputException">Nothing can be written there.</exception>
    public static string? Of(ParseResult parse, Option<DirectoryInfo?> option)
    {
        var directory = parse.GetValue(option)?.ToString();
        if (directory is not null)
            OutputPath.RequireWritableDirectory(directory, option.Name);
        return directory;
    }
}
