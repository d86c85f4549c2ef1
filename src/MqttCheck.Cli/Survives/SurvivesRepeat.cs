using System.Globalization;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Survives;

/// <summary>The command that repeats one cell, and the texts that it is made of.</summary>
internal static class SurvivesRepeat
{
    // Options that say how many runs are made, of which rows.
    private static readonly string[] s_replaced = ["--only", "--budget", "--at-most", "--runs", "--seed"];

    /// <summary>The command that makes the runs of a row up to the first one with a loss.</summary>
    /// <param name="arguments">The arguments of the command.</param>
    /// <param name="seed">Its seed.</param>
    /// <param name="cell">The cell, in which something was lost.</param>
    public static string Of(IReadOnlyList<string> arguments, ulong seed, SurvivalCell cell)
    {
        List<string> kept = [];
        for (var place = 0; place < arguments.Count; place++)
        {
            var name = arguments[place].Split('=', ':')[0];
            if (!s_replaced.Contains(name))
                kept.Add(arguments[place]);
            // "--only kill" and "--only=kill" alike.
            else if (name == arguments[place])
                place++;
        }
        kept.AddRange(["--only", cell.Row.Name, "--runs", cell.FirstRun.ToString(CultureInfo.InvariantCulture)]);
        return Repeat.CommandLine(kept, seed);
    }

    /// <summary>A share such as <c>5%</c> or <c>0.05</c>.</summary>
    /// <returns>Whether the text is one, above 0 and below 1.</returns>
    public static bool TryShare(string text, out double share)
    {
        var isPercent = text.EndsWith('%');
        var isNumber = double.TryParse(
            isPercent ? text[..^1] : text,
            NumberStyles.Float,
            CultureInfo.InvariantCulture,
            out share
        );
        share = isPercent ? share / 100 : share;
        return isNumber && share is > 0 and < 1;
    }
}
