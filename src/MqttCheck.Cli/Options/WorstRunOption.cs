using System.CommandLine;
using System.CommandLine.Parsing;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Options;

/// <summary>The option <c>--worst-run</c>: the share below which no run lies, as the user vouches.</summary>
internal static class WorstRunOption
{
    /// <summary>Its name.</summary>
    public const string Name = "--worst-run";

    /// <summary>The option; none by default.</summary>
    public static Option<double?> Create() =>
        new(Name)
        {
            HelpName = "P",
            Description =
                "With --guarantee any: you vouch that no run of the broker has a share in time below P, so fewer runs "
                + "suffice. A run below P takes the verdict away. P must lie below every tested share.",
            CustomParser = result => Values.Between(0, 1)(result),
        };

    /// <summary>Refuses the option beside the guarantee of a model, which does not use it.</summary>
    /// <param name="result">The command.</param>
    /// <param name="option">The option.</param>
    /// <param name="isAny">Whether the guarantee holds for any law; asked only where the option is given.</param>
    public static void Require(CommandResult result, Option<double?> option, Func<bool> isAny)
    {
        if (result.GetResult(option) is { Implicit: false } && !isAny())
            result.AddError($"{Name}: given without --guarantee any; allowed: only with it, because bets use it.");
    }
}
