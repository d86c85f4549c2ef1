using MqttCheck.App.Progress;
using MqttCheck.Sequential;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>The stage from a broker to the table of what it survives.</summary>
internal static class SurvivalStage
{
    // A broker that did not come back so often from one fault is not asked again.
    private const int MostFailures = 2;

    // Rows have numbers of runs of their own, so that one row alone draws what it draws among others.
    private const int RunsOfRow = 10_000;

    /// <summary>Makes the runs, row after row and again from the first one, as long as more runs say more.</summary>
    /// <param name="place">The surroundings.</param>
    /// <param name="runs">Makes them.</param>
    /// <param name="request">What is asked; call <see cref="SurvivalRequest.Require"/> before.</param>
    public static async Task<SurvivalAnswer> RunAsync(Workplace place, ISurvivalRuns runs, SurvivalRequest request)
    {
        var began = place.Time.GetTimestamp();
        var broker = await runs.StartAsync(place.Orderly);
        var table = request.TableOf(broker.MaximumQos);
        var plan = request.PlanOf(table);
        var most = Least(plan.RunsOf(request.Budget, request.AtMost), request.MostRuns);
        var planned = PlannedTime(request, plan, most);
        place.Progress.Note(Announcement(request, plan, most, planned));
        var turn = new Turn(place, runs, request, table, began, most) { Planned = planned };
        var made = await place.Progress.ProgressAsync("Survives", turn.RunAsync);
        return new(
            broker,
            table,
            plan,
            made,
            turn.Planned,
            place.Time.GetElapsedTime(began),
            place.Orderly.IsCancellationRequested
        )
        {
            Worst = turn.Worst,
        };
    }

    private static int? Least(int? one, int? other) => one is { } a && other is { } b ? Math.Min(a, b) : one ?? other;

    // Time that decides is used: rows without a loss get the runs of those that are decided.
    private static TimeSpan PlannedTime(SurvivalRequest request, SurvivalPlan plan, int? most)
    {
        var limit = request.Budget is { } budget ? SurvivalPlan.Plannable(budget) : TimeSpan.MaxValue;
        return most is { } runs && plan.TimeOf(runs) < limit ? plan.TimeOf(runs)
            : plan.TimeOf(1) > limit ? plan.TimeOf(1)
            : limit;
    }

    private static string Announcement(SurvivalRequest request, SurvivalPlan plan, int? most, TimeSpan planned)
    {
        var runs = most ?? Math.Max(1, (int)((planned - plan.Start) / (plan.TimeOf(1) - plan.Start)));
        return Invariant(
                $"{request.Topology.Name}: {Counted.Of(plan.Rows, "row")}, about {Counted.Of(runs, "run")} each of "
            )
            + Invariant(
                $"about {plan.Run.TotalSeconds:0} s: about {planned.TotalMinutes:0.#} min in all; a cell without "
            )
            + Invariant($"a loss then says 'at most {plan.AtMost(runs) * 100:0.#} %'")
            + (
                most is null
                    ? "; rows that are decided leave their time to the others"
                    : Invariant($"; up to {plan.LongestOf(runs).TotalMinutes:0.#} min where every run loses something")
            );
    }

    // The runs of one command.
    private sealed class Turn(
        Workplace place,
        ISurvivalRuns runs,
        SurvivalRequest request,
        SurvivalTable table,
        long began,
        int? most
    )
    {
        // A change of the plan that is smaller is not worth a line.
        private const double Worth = .1;

        private readonly Dictionary<SurvivalRow, int> _failures = [];
        private readonly Dictionary<SurvivalRow, TimeSpan> _longest = [];
        private int _made;

        /// <summary>How long all of it was said to take.</summary>
        public TimeSpan Planned { get; set; }

        /// <summary>The run that lost most messages so far; null if none lost any.</summary>
        public WorstRun? Worst { get; private set; }

        /// <summary>Makes them.</summary>
        /// <param name="report">Is told how it goes on.</param>
        /// <returns>How many were made.</returns>
        public async Task<int> RunAsync(Action<double, string> report)
        {
            for (var round = 0; ; round++)
            {
                var open = table.TriedRows.Where(row => IsOpen(row)).ToList();
                if (round == 1)
                    PlanAgain(open);
                var isOver = true;
                foreach (var row in open)
                {
                    if (place.Orderly.IsCancellationRequested)
                        return _made;
                    if (!HasTime(row))
                    {
                        foreach (var cell in round == 0 ? table.Cells[row] : [])
                            cell.GiveUp("the budget had no time left for it");
                        continue;
                    }
                    isOver = false;
                    if (!await RunAsync(row, round, report))
                        return _made;
                }
                if (isOver)
                    return _made;
            }
        }

        private bool IsOpen(SurvivalRow row) =>
            table.IsOpen(row, most) && _failures.GetValueOrDefault(row) < MostFailures;

        // The first run is made in any case: a table without it says nothing. Runs that lose something take longer than
        // the plan says, so that the last rows may have no time.
        private bool HasTime(SurvivalRow row)
        {
            if (_made == 0 || request.Budget is not { } budget)
                return true;
            var run = _longest.GetValueOrDefault(row, request.Load.RunTime);
            return place.Time.GetElapsedTime(began) + run <= SurvivalPlan.Plannable(budget);
        }

        // Nobody knows beforehand which rows lose something. The first run of each one tells.
        private void PlanAgain(List<SurvivalRow> open)
        {
            var elapsed = place.Time.GetElapsedTime(began);
            var round = TimeSpan.FromTicks(open.Sum(row => _longest.GetValueOrDefault(row).Ticks));
            var all =
                most is { } runs ? elapsed + (runs - 1) * round
                : open.Count == 0 ? elapsed
                : Planned;
            if (request.Budget is { } budget && all > SurvivalPlan.Plannable(budget))
                all = SurvivalPlan.Plannable(budget);
            if (open.Count == 0 || Math.Abs(all / Planned - 1) < Worth)
                return;
            Planned = all;
            place.Progress.Note(
                Invariant($"{request.Topology.Name}: the first runs took {elapsed.TotalSeconds:0} s, so about ")
                    + Invariant($"{all.TotalMinutes:0.#} min in all")
            );
        }

        private async Task<bool> RunAsync(SurvivalRow row, int round, Action<double, string> report)
        {
            var elapsed = place.Time.GetElapsedTime(began);
            report(
                Math.Clamp(Math.Min(elapsed / Planned, ShareOfRuns), 0, 1),
                Invariant($"{row.Title}, run {round + 1}; ")
                    + Invariant($"{Counted.Of(table.All.Count(cell => cell.Losses > 0), "cell")} lost so far")
            );
            var clock = place.Time.GetTimestamp();
            var cells = table.Cells[row];
            var scenario = request.Load.ScenarioOf(
                request.Topology,
                table.MaximumQos,
                [row.Read(request.Topology, request.Load).Fault!]
            );
            var number = Index(row) * RunsOfRow + round;
            var run = await runs.RunAsync(scenario, number, KeepsMessages(cells), place.Orderly);
            if (run is null)
                return false;
            _made++;
            var taken = place.Time.GetElapsedTime(clock);
            if (taken > _longest.GetValueOrDefault(row))
                _longest[row] = taken;
            foreach (var cell in run.Outcome is null ? [] : cells)
                cell.Add(round + 1, cell.Column.Of(run.Outcome!, scenario.Workload!.Subscribers));
            if (
                run.Outcome?.History is { Lost.Total: > 0 } history
                && history.Lost.Total > (Worst?.History.Lost.Total ?? 0)
            )
                Worst = new(row, round + 1, history);
            if (run.Failure is not { } failure)
                return true;
            place.Progress.Warn($"{row.Title}: {failure}");
            _failures[row] = _failures.GetValueOrDefault(row) + 1;
            if (_failures[row] >= MostFailures || run.Outcome is null)
                foreach (var cell in cells)
                    cell.GiveUp(failure);
            return true;
        }

        // Runs in which nodes do not come back take longer than planned, so that time alone would say that all is done.
        private double ShareOfRuns =>
            most is { } runsOfRow
                ? table.TriedRows.Average(row =>
                    IsOpen(row) ? table.Cells[row].Max(cell => cell.Runs) / (double)runsOfRow : 1
                )
                : 1;

        // Retained messages that were lost once are not written again, because a run would wait for them.
        private static bool KeepsMessages(IReadOnlyList<SurvivalCell> cells) =>
            cells.Any(cell => cell.Column == SurvivalColumn.Retained && cell.IsOpen(null));

        private int Index(SurvivalRow row) => SurvivalRow.Of(request.Topology).ToList().IndexOf(row);
    }
}
