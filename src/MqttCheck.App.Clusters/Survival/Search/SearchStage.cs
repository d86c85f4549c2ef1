using MqttCheck.App.Progress;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Sequential;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>Looks for the faults under which acknowledged messages are lost, and for the fewest of them.</summary>
internal static class SearchStage
{
    // Drawn schedules, repeats and shrinking have numbers of runs of their own.
    private const int FirstRepeat = 100_000;
    private const int Pairs = 8;
    private const int Messages = 400;

    /// <summary>Searches until something is lost and cannot be made smaller, or time is over.</summary>
    /// <param name="place">The surroundings.</param>
    /// <param name="runs">Makes the runs.</param>
    /// <param name="request">What is asked.</param>
    public static async Task<SearchAnswer> RunAsync(Workplace place, ISurvivalRuns runs, SurvivalRequest request)
    {
        var began = place.Time.GetTimestamp();
        var broker = await runs.StartAsync(place.Orderly);
        var (topology, settle) = (request.Topology, request.Load.Settle);
        var limit = SurvivalPlan.Plannable(request.Budget ?? SurvivalPlan.Usual);
        place.Progress.Note(
            Invariant($"{topology.Name}: drawing schedules of {Counted.Of(Faults(request).Count, "fault")}, ")
                + Invariant($"for about {limit.TotalMinutes:0.#} min at most")
        );
        var made = 0;
        var generator = new ScheduleGenerator(Faults(request), Pairs, Messages, request.Seed);
        var schedules = 0;
        var (found, isOver) = await place.Progress.ProgressAsync("Search", SearchAsync);
        return new(
            broker,
            schedules,
            generator.CoveredPairs,
            generator.AllPairs,
            found,
            found?.Smallest.ScenarioOf(topology, settle, broker.MaximumQos),
            made,
            place.Time.GetElapsedTime(began),
            isOver
        );

        async Task<(SearchFinding? Found, bool IsInterrupted)> SearchAsync(Action<double, string> report)
        {
            var shrinker = new ScheduleShrinker(TrialAsync, FirstRepeat, NameOfOne(topology), HasTime);
            // A schedule that loses nothing when it is repeated was seen once, and is kept for want of a better one.
            while (HasTime())
            {
                var schedule = generator.Next();
                schedules++;
                Say(Invariant($"schedule {schedules}: {schedule}"));
                if (await TrialAsync(schedule, schedules) is not { } loses)
                    break;
                if (!loses)
                    continue;
                Say("it lost something; it is repeated");
                var share = await shrinker.ShareAsync(schedule);
                if (share.Losses == 0)
                    continue;
                Say("it is made smaller");
                var (smallest, rest) = await shrinker.ShrinkAsync(schedule, share);
                return (
                    new SearchFinding(schedule, share, smallest, rest, shrinker.IsSmallest),
                    place.Orderly.IsCancellationRequested
                );
            }
            return (null, place.Orderly.IsCancellationRequested);

            void Say(string what) => report(Math.Clamp(place.Time.GetElapsedTime(began) / limit, 0, 1), what);
        }

        async Task<bool?> TrialAsync(SearchSchedule schedule, int number)
        {
            var scenario = schedule.ScenarioOf(topology, settle, broker.MaximumQos);
            var run = await runs.RunAsync(scenario, number, keepsMessages: false, place.Orderly);
            made += run is null ? 0 : 1;
            return run is null ? null : run.Outcome is { Lost: > 0 };
        }

        bool HasTime() =>
            !place.Orderly.IsCancellationRequested && place.Time.GetElapsedTime(began) + request.Load.RunTime <= limit;
    }

    /// <summary>The faults that schedules are drawn of: those of the rows that can be tried.</summary>
    /// <param name="request">What is asked.</param>
    public static IReadOnlyList<(string Verb, string Target)> Faults(SurvivalRequest request) =>
        [
            .. request
                .Rows.Where(row => request.WhyNotTried(row) is null)
                .Select(row => (row.Verb, row.TargetIn(request.Topology))),
        ];

    private static string? NameOfOne(Topology topology) => topology.Nodes[topology.Brokers[0]].Name;
}
