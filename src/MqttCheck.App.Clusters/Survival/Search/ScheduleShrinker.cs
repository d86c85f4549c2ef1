namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>
/// Makes a schedule smaller as long as the share of runs with a loss stays above half of what it was: fewer faults,
/// fewer messages and publishers, fewer nodes hit, and round times.
/// </summary>
/// <param name="trial">Makes runs.</param>
/// <param name="firstRun">The number of the first run.</param>
/// <param name="nodes">The name of a node that stands for a drawn one; null where none is named.</param>
/// <param name="hasTime">Whether another run may begin.</param>
internal sealed class ScheduleShrinker(ScheduleTrial trial, int firstRun, string? nodes, Func<bool> hasTime)
{
    private const int RoundMilliseconds = 500;

    // Candidates that were refused would be refused again.
    private readonly HashSet<string> _refused = new(StringComparer.Ordinal);

    /// <summary>How many runs were made.</summary>
    public int Runs { get; private set; }

    /// <summary>Whether it ended because nothing can be made smaller; otherwise time was over.</summary>
    public bool IsSmallest { get; private set; }

    /// <summary>Repeats a schedule to know its share.</summary>
    /// <param name="schedule">The schedule.</param>
    /// <returns>The share; of fewer runs where time was over.</returns>
    public async Task<ScheduleShare> ShareAsync(SearchSchedule schedule)
    {
        var share = new ScheduleShare(0, 0);
        while (share.Runs < ScheduleShare.Repeats && await LosesAsync(schedule) is { } loses)
            share = new(share.Losses + (loses ? 1 : 0), share.Runs + 1);
        return share;
    }

    /// <summary>Makes a schedule smaller.</summary>
    /// <param name="schedule">The schedule.</param>
    /// <param name="share">Its share, with a loss at least.</param>
    public async Task<(SearchSchedule Schedule, ScheduleShare Share)> ShrinkAsync(
        SearchSchedule schedule,
        ScheduleShare share
    )
    {
        var least = share.LeastToKeep;
        var now = share;
        while (true)
        {
            var isSmaller = false;
            foreach (var candidate in Candidates(schedule))
            {
                if (_refused.Contains(candidate.ToString()))
                    continue;
                if (await KeepsAsync(candidate, least) is not { } kept)
                    return (schedule, now);
                if (kept.Losses < least)
                {
                    _refused.Add(candidate.ToString());
                    continue;
                }
                (schedule, now, isSmaller) = (candidate, kept, true);
                break;
            }
            if (isSmaller)
                continue;
            IsSmallest = true;
            return (schedule, now);
        }
    }

    /// <summary>Smaller schedules, the smallest first of each kind.</summary>
    internal IEnumerable<SearchSchedule> Candidates(SearchSchedule schedule) =>
        [
            .. FewerFaults(schedule),
            .. FewerMessages(schedule),
            .. FewerPairs(schedule),
            .. FewerNodes(schedule),
            .. RoundTimes(schedule),
        ];

    // One fault alone first, then without a half, then without one.
    private static IEnumerable<SearchSchedule> FewerFaults(SearchSchedule schedule)
    {
        var faults = schedule.Faults;
        if (faults.Count < 2)
            yield break;
        if (faults.Count > 2)
        {
            yield return schedule with
            {
                Faults = [.. faults.Take(faults.Count / 2)],
            };
            yield return schedule with
            {
                Faults = [.. faults.Skip(faults.Count / 2)],
            };
        }
        for (var left = 0; left < faults.Count; left++)
            yield return schedule with
            {
                Faults = [.. faults.Where((_, place) => place != left)],
            };
    }

    private static IEnumerable<SearchSchedule> FewerMessages(SearchSchedule schedule)
    {
        foreach (var messages in Fewer(schedule.Messages))
            yield return schedule with
            {
                Messages = messages,
                Pairs = Math.Min(schedule.Pairs, messages),
            };
    }

    private static IEnumerable<SearchSchedule> FewerPairs(SearchSchedule schedule)
    {
        foreach (var pairs in Fewer(schedule.Pairs))
            yield return schedule with
            {
                Pairs = pairs,
            };
    }

    // A tenth, a half, and all but a tenth: few trials where much can go, and many only near the smallest number.
    private static IEnumerable<int> Fewer(int number) =>
        new[] { number / 10, number / 2, number - Math.Max(1, number / 10) }
            .Where(fewer => fewer >= 1 && fewer < number)
            .Distinct();

    private IEnumerable<SearchSchedule> FewerNodes(SearchSchedule schedule)
    {
        for (var place = 0; place < schedule.Faults.Count; place++)
        {
            var fault = schedule.Faults[place];
            foreach (var target in Smaller(fault.Target))
                yield return With(schedule, place, fault with { Target = target });
        }
    }

    private IEnumerable<string> Smaller(string target) =>
        target switch
        {
            "all" => nodes is { } one ? [one, "majority"] : ["majority"],
            "majority" => nodes is { } one ? [one] : [],
            "any" => nodes is { } one ? [one] : [],
            _ => [],
        };

    private static IEnumerable<SearchSchedule> RoundTimes(SearchSchedule schedule)
    {
        for (var place = 0; place < schedule.Faults.Count; place++)
        {
            var fault = schedule.Faults[place];
            var round = fault with
            {
                AtMilliseconds = Rounded(fault.AtMilliseconds),
                ForMilliseconds = Rounded(fault.ForMilliseconds),
            };
            if (round != fault)
                yield return With(schedule, place, round);
        }
    }

    private static int Rounded(int milliseconds) =>
        Math.Max(RoundMilliseconds, (milliseconds + RoundMilliseconds / 2) / RoundMilliseconds * RoundMilliseconds);

    private static SearchSchedule With(SearchSchedule schedule, int place, SearchFault fault) =>
        schedule with
        {
            Faults =
            [
                .. schedule
                    .Faults.Select((other, index) => index == place ? fault : other)
                    .OrderBy(one => one.AtMilliseconds),
            ],
        };

    // As few runs as decide it: enough losses, or no more chance of enough.
    private async Task<ScheduleShare?> KeepsAsync(SearchSchedule candidate, int least)
    {
        var share = new ScheduleShare(0, 0);
        while (share.Losses < least && share.Losses + ScheduleShare.Repeats - share.Runs >= least)
        {
            if (await LosesAsync(candidate) is not { } loses)
                return null;
            share = new(share.Losses + (loses ? 1 : 0), share.Runs + 1);
        }
        return share;
    }

    private async Task<bool?> LosesAsync(SearchSchedule schedule) =>
        hasTime() ? await trial(schedule, firstRun + Runs++) : null;
}
