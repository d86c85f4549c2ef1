using System.CommandLine;
using MqttCheck.Cli.Options;

namespace MqttCheck.Cli.Serve;

/// <summary>A plan of delays or faults, given as an option or in a file with one item per line.</summary>
internal static class PlanText
{
    /// <summary>Reads a plan.</summary>
    /// <param name="file">The option that names a file with it.</param>
    /// <param name="separator">The separator of the items in the option.</param>
    /// <param name="read">Reads the items; gets their text and where it stands.</param>
    /// <exception cref="InputException">
    /// Both options are given, the file cannot be read, or an item is wrong.
    /// </exception>
    public static T Read<T>(
        ParseResult parse,
        Option<string> text,
        Option<FileInfo?> file,
        char separator,
        Func<string, string, T> read
    )
    {
        if (parse.GetValue(file) is not { } given)
            return read(parse.GetValue(text)!, text.Name);
        if (parse.GetResult(text) is { Implicit: false })
            throw new InputException($"{file.Name}: given beside {text.Name}; allowed: one of them.");
        var lines = GivenFile.Read(
            given,
            File.ReadAllLines,
            reason => $"{file.Name}: {reason.TrimEnd('.')}; allowed: a text file with one item per line."
        );
        var items = lines.Select(line => line.Split('#')[0].Trim()).Where(line => line.Length > 0);
        return read(string.Join(separator, items), $"{file.Name} {given}");
    }
}
