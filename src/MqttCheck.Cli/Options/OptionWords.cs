using System.CommandLine;
using MqttCheck.Text;

namespace MqttCheck.Cli.Options;

/// <summary>Options of commands, and those that take some words only.</summary>
internal static class OptionWords
{
    /// <summary>The option, which from now on takes these words only.</summary>
    public static Option<T> Accepting<T>(this Option<T> option, params string[] words)
    {
        option.CompletionSources.Add(words);
        option.Validators.Add(result =>
        {
            foreach (var given in result.Tokens.Select(token => token.Value).Where(given => !words.Contains(given)))
                result.AddError(
                    $"{option.Name}: '{given}' given; allowed: {string.Join(", ", words)}"
                        + (NearestName.Meant(given, words) is { Length: > 0 } meant ? meant : ".")
                );
        });
        return option;
    }

    /// <summary>Adds options to a command, in their order.</summary>
    public static void AddAll(this Command command, params IEnumerable<Option> options)
    {
        foreach (var option in options)
            command.Options.Add(option);
    }
}
