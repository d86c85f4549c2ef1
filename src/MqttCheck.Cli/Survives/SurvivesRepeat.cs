using System.Globalization;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Survives;

/// <summary>The commands that repeat a cell or the worst of a search, and the texts that they are made of.</summary>
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
        var runs = cell.FirstRun.ToString(CultureInfo.InvariantCulture);
        return Repeat.CommandLine([.. Kept(arguments, s_replaced), "--only", cell.Row.Name, "--runs", runs], seed);
    }

    /// <summary>The command that makes five runs of the smallest schedule of a search.</summary>
    /// <param name="arguments">The arguments of the command.</param>
    /// <param name="seed">Its seed.</param>
    /// <param name="file">The file of the schedule.</param>
    public static string OfWorst(IReadOnlyList<string> arguments, ulong seed, string file) =>
        Repeat.CommandLine(
            [
                "cluster",
                "run",
                .. Kept(arguments, [.. s_replaced, "--out", "--error"])
                    .Where(argument => argument is not ("survives" or "--search")),
                "--scenario",
                file,
                "--runs",
                "5",
            ],
            seed
        );

    // The arguments without some options: "--only kill" and "--only=kill" alike.
    private static IEnumerable<string> Kept(IReadOnlyList<string> arguments, string[] without)
    {
        for (var place = 0; place < arguments.Count; place++)
        {
            var name = arguments[place].Split('=', ':')[0];
            if (!without.Contains(name))
                yield return arguments[place];
            else if (name == arguments[place])
                place++;
        }
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
