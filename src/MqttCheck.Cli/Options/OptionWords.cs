using System.CommandLine;

namespace MqttCheck.Cli.Options;

/// <summary>Options that take some words only.</summary>
internal static class OptionWords
{
    /// <summary>The option, which from now on takes these words only.</summary>
    public static Option<T> Accepting<T>(this Option<T> option, params string[] words)
    {
        option.AcceptOnlyFromAmong(words);
        return option;
    }
}
