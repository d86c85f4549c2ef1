using MqttCheck.App.Clusters.Survival.Search;
using MqttCheck.Cli.Terminal;
using MqttCheck.Sequential;
using static System.FormattableString;

namespace MqttCheck.Cli.Survives;

/// <summary>The worst that was found in words.</summary>
internal static class SearchText
{
    /// <summary>Prints it.</summary>
    public static void Print(Screen screen, SearchAnswer answer) => screen.Lines(Lines(answer));

    /// <summary>The answer, line by line.</summary>
    public static IEnumerable<string> Lines(SearchAnswer answer)
    {
        yield return Invariant($"{Counted.Of(answer.Schedules, "schedule")} with {answer.CoveredPairs} of ")
            + Invariant($"{answer.AllPairs} pairs of faults, {Counted.Of(answer.Runs, "run")} in ")
            + Invariant($"{answer.Taken.TotalMinutes:0.0} min");
        if (answer.Found is not { } found)
        {
            yield return "Nothing was lost, which is no proof: the table without --search has a bound for each fault.";
            yield break;
        }
        yield return $"lost under: {found.First}";
        yield return $"            in {Share(found.FirstShare)}";
        yield return $"smallest:   {found.Smallest}";
        yield return $"            in {Share(found.SmallestShare)}"
            + (found.IsSmallest ? "" : "; it may become smaller with a longer --budget");
    }

    private static string Share(ScheduleShare share) => Invariant($"{share.Losses} of {Counted.Of(share.Runs, "run")}");
}
