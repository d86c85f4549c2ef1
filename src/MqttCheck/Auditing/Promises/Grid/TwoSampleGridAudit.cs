using MqttCheck.Comparison;
using MqttCheck.Sequential.Runs;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises.Grid;

/// <summary>Comparisons at several levels and with several numbers of runs, drawn from a grid.</summary>
/// <param name="guarantee">Under which assumption.</param>
internal sealed class TwoSampleGridAudit(Guarantee guarantee) : IPromiseAudit
{
    private const int DrawnForModel = 240,
        DrawnForAny = 60;

    private static readonly double[] s_indifferences = [.05, .1, .15],
        s_levels = [.5, .85, .95],
        s_errors = [.01, .1];

    private static readonly int?[] s_runs = [null, 8, 14];

    private static readonly TwoSampleAudit.Situation[] s_situations = Enum.GetValues<TwoSampleAudit.Situation>();

    /// <inheritdoc/>
    public string Title =>
        guarantee == Guarantee.Any
            ? "Comparisons drawn from a grid, independent runs of any law"
            : "Comparisons drawn from a grid, model of the runs";

    /// <inheritdoc/>
    public string Description =>
        "Brokers at .5, .85 and .95 are compared, with an indifference d of .05, .1 and .15. Errors are .01 and .1. "
        + "Each makes 8 or 14 runs, or as many as are planned. Combinations are drawn by a Latin hypercube "
        + Invariant($"(seed {GridLaws.Seed}). Situations are those of the comparisons above.");

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } =
    [
        .. LatinHypercube
            .Draw(
                guarantee == Guarantee.Any ? DrawnForAny : DrawnForModel,
                GridLaws.Seed,
                s_indifferences.Length,
                s_levels.Length,
                s_errors.Length,
                s_runs.Length,
                s_situations.Length,
                GridLaws.All.Count
            )
            .Select(at =>
                Cell(
                    new()
                    {
                        Error = s_errors[at[2]],
                        Indifference = s_indifferences[at[0]],
                        Guarantee = guarantee,
                    },
                    s_levels[at[1]],
                    s_runs[at[3]],
                    s_situations[at[4]],
                    GridLaws.All[at[5]]
                )
            )
            .OfType<PromiseCell>()
            .DistinctBy(cell => cell.Key),
    ];

    private static PromiseCell? Cell(
        TwoSampleOptions options,
        double level,
        int? runs,
        TwoSampleAudit.Situation situation,
        RunLaw law
    )
    {
        if (!law.CanHave(level) || !law.CanHave(level - options.Indifference))
            return null;
        if (options.Guarantee == Guarantee.Any)
            runs = null; // Bets take as many runs as they need.
        var (planned, most, sequences) = TwoSampleAudit.Plan(
            runs is { } given ? options with { MinimumRuns = given } : options,
            runs,
            level
        );
        var cell = TwoSampleAudit.Wrong(planned, most, Math.Max(law.FewestSequences, sequences), situation, level, law);
        return cell with
        {
            Subject = Invariant($"grid, comparison at {level}, error {options.Error}"),
            Variant = Invariant($"{cell.Variant}, d {options.Indifference}, {runs?.ToString() ?? "planned"} runs"),
        };
    }
}
