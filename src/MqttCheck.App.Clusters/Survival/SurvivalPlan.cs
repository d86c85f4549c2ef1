using MqttCheck.Sequential;
using MqttCheck.Statistics;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>How many runs are made of each row, and how long that takes.</summary>
/// <param name="Rows">How many rows are tried.</param>
/// <param name="Cells">How many cells are tried in all of them.</param>
/// <param name="Error">The largest probability that some cell of the table says too little.</param>
/// <param name="Run">How long a run takes in which nothing is lost.</param>
/// <param name="Start">How long the brokers take to start.</param>
internal sealed record SurvivalPlan(int Rows, int Cells, double Error, TimeSpan Run, TimeSpan Start)
{
    /// <summary>How many rows start the brokers anew after each run.</summary>
    public int RenewedRows { get; init; }

    /// <summary>How long a run waits for messages that are missing.</summary>
    public TimeSpan Patience { get; init; }

    /// <summary>The budget where the user gives none.</summary>
    public static TimeBudget Usual { get; } = new(TimeSpan.FromMinutes(15), IsGiven: false);

    // A usual budget is not used up, so that what takes longer than planned still ends within it.
    private const double UsualShare = .9;

    /// <summary>The error of each cell: together they are wrong with the stated one at most.</summary>
    public double CellError => Error / Cells;

    /// <summary>How long a number of runs of each row takes in which nothing is lost.</summary>
    /// <param name="runs">The number.</param>
    public TimeSpan TimeOf(int runs) => Start + runs * Round;

    /// <summary>The same where every run loses something: it waits for that, and the brokers start anew.</summary>
    /// <param name="runs">The number.</param>
    public TimeSpan LongestOf(int runs) => Start + runs * Rows * (Run + Patience + Start);

    private TimeSpan Round => Rows * Run + RenewedRows * Start;

    /// <summary>
    /// The largest probability of a loss in a run after runs without one. It holds however the number of runs came
    /// about: runs without a loss that make it wrong for some number make it wrong for the smallest such number.
    /// </summary>
    /// <param name="runs">How many runs lost nothing.</param>
    public double AtMost(int runs) => BinomialIntervals.UpperBound(0, runs, CellError);

    /// <summary>How many runs without a loss show that the probability of one is at most as large.</summary>
    /// <param name="atMost">The probability, between 0 and 1.</param>
    public int RunsFor(double atMost)
    {
        var runs = Math.Max(1, (int)Math.Ceiling(Math.Log(CellError) / Math.Log(1 - atMost)));
        // Rounding may miss the number by one.
        while (runs > 1 && AtMost(runs - 1) <= atMost)
            runs--;
        while (AtMost(runs) > atMost)
            runs++;
        return runs;
    }

    /// <summary>The time within which runs begin.</summary>
    /// <param name="budget">The budget.</param>
    public static TimeSpan Plannable(TimeBudget budget) => budget.IsGiven ? budget.Plannable : budget.Time * UsualShare;

    /// <summary>How many runs of each row a budget holds, 0 for none.</summary>
    /// <param name="budget">The budget.</param>
    public int RunsWithin(TimeBudget budget) => Math.Max(0, (int)Math.Floor((Plannable(budget) - Start) / Round));

    /// <summary>The runs of each row; null where the time decides.</summary>
    /// <param name="budget">The budget; null for none.</param>
    /// <param name="atMost">The probability that is asked for; null for what the time gives.</param>
    /// <exception cref="InputException">The budget cannot suffice; the message has one that can.</exception>
    public int? RunsOf(TimeBudget? budget, double? atMost)
    {
        var needed = atMost is { } asked ? RunsFor(asked) : 1;
        if (budget is not null && RunsWithin(budget) < needed && !(atMost is null && !budget.IsGiven))
            throw new InputException(
                Invariant($"--budget: {TimeBudget.Duration(budget.Time)} cannot suffice: ")
                    + Reason(needed, atMost)
                    + Invariant($"; allowed: --budget {TimeBudget.Duration(TimeBudget.Enough(TimeOf(needed)))} or more")
                    + (
                        atMost is null
                            ? ", or fewer rows with --only."
                            : ", or a larger --at-most, or fewer rows with --only."
                    )
            );
        return atMost is null ? null : needed;
    }

    private string Reason(int needed, double? atMost) =>
        (atMost is { } share ? Invariant($"'at most {share * 100:0.###} %' takes ") : "")
        + Invariant($"{Counted.Of(needed, "run")} of each of {Counted.Of(Rows, "row")}, about ")
        + Invariant($"{Run.TotalSeconds:0} s each, {TimeBudget.Duration(TimeOf(needed))} together");
}
