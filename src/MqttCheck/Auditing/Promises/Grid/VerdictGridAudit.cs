using System.Diagnostics;
using MqttCheck.Predictions;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises.Grid;

/// <summary>
/// Verdicts on many predictions with many numbers of runs: combinations drawn from a grid, and some that are known to
/// be critical.
/// </summary>
/// <param name="guarantee">Under which assumption.</param>
internal sealed class VerdictGridAudit(Guarantee guarantee) : IPromiseAudit
{
    private const int DrawnForModel = 900,
        DrawnForAny = 120;

    private static readonly double[] s_predictions = [.5, .7, .85, .9, .95, .97, .98],
        s_indifferences = [.02, .05, .1, .15],
        s_halfWidths = [.02, .08];

    private static readonly int[] s_runs = [3, 8, 10, 14, 20, 27, 43],
        s_furtherLooks = [0, 3];

    private static readonly Truth[] s_truths = Enum.GetValues<Truth>();

    private enum Truth
    {
        Predicted,
        Worse,
        Better,
        LowerEnd,
        Between,
    }

    /// <inheritdoc/>
    public string Title =>
        guarantee == Guarantee.Any
            ? "Verdicts drawn from a grid, independent runs of any law"
            : "Verdicts drawn from a grid, model of the runs";

    /// <inheritdoc/>
    public string Description =>
        Invariant($"Predictions are {Listed(s_predictions)}. The indifference d is {Listed(s_indifferences)}; ")
        + Invariant($"half widths are {Listed(s_halfWidths)}. There are {string.Join(", ", s_runs)} runs before the ")
        + "first look. Three runs have an error of .1, more have .01. Combinations of all these with laws and "
        + Invariant(
            $"truths are drawn by a Latin hypercube (seed {GridLaws.Seed}). Truths are p, p - e and p + e, the "
        )
        + "interval's lower end L, and the middle of p and p - e. Here e is the larger of d and the half width. "
        + "Combinations that are known to be critical are added, with every correlation up to .4.";

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } =
    [
        .. (guarantee == Guarantee.Model ? Critical() : [])
            .Concat(Drawn(guarantee))
            .OfType<PromiseCell>()
            .DistinctBy(cell => cell.Key),
    ];

    private static IEnumerable<PromiseCell?> Drawn(Guarantee guarantee) =>
        LatinHypercube
            .Draw(
                guarantee == Guarantee.Any ? DrawnForAny : DrawnForModel,
                GridLaws.Seed,
                s_predictions.Length,
                s_indifferences.Length,
                s_halfWidths.Length,
                s_runs.Length,
                s_furtherLooks.Length,
                s_truths.Length,
                GridLaws.All.Count
            )
            .Select(at =>
                Cell(
                    guarantee,
                    s_predictions[at[0]],
                    s_indifferences[at[1]],
                    s_halfWidths[at[2]],
                    s_runs[at[3]],
                    s_furtherLooks[at[4]],
                    s_truths[at[5]],
                    GridLaws.All[at[6]]
                )
            );

    private static IEnumerable<PromiseCell?> Critical()
    {
        (double P, double D, int Runs, Truth Truth)[] plans =
        [
            (.85, .1, 20, Truth.Better),
            (.85, .1, 14, Truth.Worse),
            (.85, .1, 14, Truth.Better),
            (.9, .05, 10, Truth.Worse),
            (.9, .05, 10, Truth.Better),
            (.97, .05, 8, Truth.Worse),
            (.98, .05, 8, Truth.Worse),
            (.85, .15, 3, Truth.Worse),
        ];
        return from plan in plans
            from law in plan.Runs == 3 ? GridLaws.Promised.Concat(GridLaws.Beyond) : GridLaws.Promised
            select Cell(Guarantee.Model, plan.P, plan.D, s_halfWidths[0], plan.Runs, 0, plan.Truth, law);
    }

    // The result is null for an impossible truth: one outside of (0, 1), or one that the law cannot have.
    private static PromiseCell? Cell(
        Guarantee guarantee,
        double p,
        double d,
        double halfWidth,
        int runs,
        int furtherLooks,
        Truth truth,
        RunLaw law
    )
    {
        double reach = Math.Max(d, halfWidth),
            low = Math.Max(0, p - halfWidth);
        var (name, value) = truth switch
        {
            Truth.Worse => ("p - e", p - reach),
            Truth.Better => ("p + e", p + reach),
            Truth.LowerEnd => ("L", low),
            Truth.Between => ("between p and p - e", p - reach / 2),
            Truth.Predicted => ("p", p),
            _ => throw new UnreachableException(),
        };
        value = Math.Round(value, 9);
        if (value is not (> 0 and < 1) || !law.CanHave(value))
            return null;
        var point = new PredictedPoint("audit", 1, 1, p, new(low, Math.Min(1, p + halfWidth)));
        var plan = new VerdictPlan(
            "",
            new()
            {
                Error = runs == 3 ? .1 : .01,
                Indifference = d,
                MinimumRuns = runs,
            },
            furtherLooks
        );
        var (options, budget, sequences) = plan.For(point, guarantee);
        return VerdictPromiseAudit.Cell(
            guarantee == Guarantee.Any
                ? Invariant($"grid, error {options.Error}")
                : Invariant($"grid, {runs}{(furtherLooks > 0 ? $" to {budget}" : "")} runs, error {options.Error}"),
            Invariant($"{p} ± {halfWidth}, d {d}"),
            name,
            point,
            options,
            budget,
            sequences,
            law,
            value,
            both: true
        );
    }

    private static string Listed(double[] numbers) =>
        string.Join(", ", numbers.Select(number => Invariant($"{number:#.##}")));
}
