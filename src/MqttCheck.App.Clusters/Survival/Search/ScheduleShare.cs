namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>In how many of some runs of a schedule something was lost.</summary>
/// <param name="Losses">In how many.</param>
/// <param name="Runs">Of how many.</param>
internal readonly record struct ScheduleShare(int Losses, int Runs)
{
    /// <summary>How often a schedule is repeated to know its share.</summary>
    public const int Repeats = 5;

    /// <summary>The fewest losses in <see cref="Repeats"/> runs that are more than half of this share.</summary>
    public int LeastToKeep => Runs == 0 ? 1 : Repeats * Losses / (2 * Runs) + 1;
}
