using MqttCheck.Protocol;

namespace MqttCheck.Profiles;

/// <summary>
/// Tells the stage of a run, so that quantities that are steady only within a stage are examined stage by stage. If
/// groups have stages of their own, a change of any of them begins another stage.
/// </summary>
internal sealed class StageClock(LoadCourse[] courses, int most, double start)
{
    /// <summary>The stage of the ramp-up, in which nothing is steady yet.</summary>
    public const long RampUpStage = -1;

    /// <summary>The clock of a run; null where the load is the same all the time.</summary>
    /// <param name="population">Who the clients are.</param>
    /// <param name="clients">How many there are, at least 1.</param>
    public static StageClock? Of(Population population, int clients)
    {
        var start = RampUp.Of(population, clients).EndMilliseconds;
        ValueList<LoadStage>[] stages =
        [
            .. population.Groups.Select(group => group.Profile.Stages).Where(stages => stages.Count > 0).Distinct(),
        ];
        return start == 0 && stages.Length == 0
            ? null
            : new(
                [.. stages.Select(stages => new LoadCourse(stages, start))],
                stages.Select(stages => stages.Count).DefaultIfEmpty(1).Max(),
                start
            );
    }

    /// <summary>The number of the stage at a time, the same whenever it comes again.</summary>
    /// <param name="seconds">The time since the start of the run.</param>
    public long StageAt(double seconds)
    {
        if (seconds * 1000 < start)
            return RampUpStage;
        long stage = 0;
        foreach (var course in courses)
            stage = stage * most + course.StageAt(seconds * 1000);
        return stage;
    }
}
