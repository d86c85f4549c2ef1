using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
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
    /// <param name="request">The question; call <see cref="SurvivalRequest.Require"/> before.</param>
    public static async Task<SearchAnswer> RunAsync(Workplace place, ISurvivalRuns runs, SurvivalRequest request)
    {
        var began = place.Time.GetTimestamp();
        var broker = await runs.StartAsync(place.Orderly);
        var limit = SurvivalPlan.Plannable(request.Budget ?? SurvivalPlan.Usual);
        place.Progress.Note(
            Invariant($"{request.Topology.Name}: drawing schedules of {Counted.Of(Faults(request).Count, "fault")}, ")
                + Invariant($"for about {limit.TotalMinutes:0.#} min at most")
        );
        var turn = new Turn(place, runs, request, broker, began, limit);
        var found = await place.Progress.ProgressAsync("Search", turn.SearchAsync);
        return new(
            broker,
            turn.Schedules,
            turn.Generator.CoveredPairs,
            turn.Generator.AllPairs,
            found,
            found?.Smallest.ScenarioOf(request.Topology, request.Load.Settle, broker.MaximumQos),
            turn.Made,
            place.Time.GetElapsedTime(began),
            place.Orderly.IsCancellationRequested
        );
    }

    /// <summary>The faults that schedules are drawn of: those of the rows that can be tried.</summary>
    /// <param name="request">The question.</param>
    public static IReadOnlyList<(string Verb, string Target)> Faults(SurvivalRequest request) =>
        [
            .. request
                .Rows.Where(row => request.WhyNotTried(row) is null)
                .Select(row => (row.Verb, row.TargetIn(request.Topology))),
        ];

    // The runs of one command.
    private sealed class Turn(
        Workplace place,
        ISurvivalRuns runs,
        SurvivalRequest request,
        BrokerDescription broker,
        long began,
        TimeSpan limit
    )
    {
        /// <summary>Draws the schedules.</summary>
        public ScheduleGenerator Generator { get; } = new(Faults(request), Pairs, Messages, request.Seed);

        /// <summary>How many were tried.</summary>
        public int Schedules { get; private set; }

        /// <summary>How many runs were made.</summary>
        public int Made { get; private set; }

        /// <summary>Searches.</summary>
        /// <param name="report">Is told how it goes on.</param>
        /// <returns>The first schedule that loses something again when it is repeated; null for none.</returns>
        public async Task<SearchFinding?> SearchAsync(Action<double, string> report)
        {
            var one = request.Topology.Nodes[request.Topology.Brokers[0]].Name;
            var shrinker = new ScheduleShrinker(TrialAsync, FirstRepeat, one, HasTime);
            while (HasTime())
            {
                var schedule = Generator.Next();
                Say(Invariant($"schedule {++Schedules}: {schedule}"));
                if (await TrialAsync(schedule, Schedules) is not { } loses)
                    return null;
                if (!loses)
                    continue;
                Say("it lost something; it is repeated");
                var share = await shrinker.ShareAsync(schedule);
                if (share.Losses == 0)
                    continue;
                Say("it is made smaller");
                var (smallest, rest) = await shrinker.ShrinkAsync(schedule, share);
                return new(schedule, share, smallest, rest, shrinker.IsSmallest);
            }
            return null;

            void Say(string words) => report(Math.Clamp(place.Time.GetElapsedTime(began) / limit, 0, 1), words);
        }

        private async Task<bool?> TrialAsync(SearchSchedule schedule, int number)
        {
            var scenario = schedule.ScenarioOf(request.Topology, request.Load.Settle, broker.MaximumQos);
            var run = await runs.RunAsync(scenario, number, keepsMessages: false, place.Orderly);
            if (run is null)
                return null;
            Made++;
            return run.Outcome is { Lost: > 0 };
        }

        private bool HasTime() =>
            !place.Orderly.IsCancellationRequested && place.Time.GetElapsedTime(began) + request.Load.RunTime <= limit;
    }
}
