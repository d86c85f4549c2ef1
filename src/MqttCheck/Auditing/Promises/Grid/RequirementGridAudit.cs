using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises.Grid;

/// <summary>
/// Requirements with many numbers of clients: combinations drawn from a grid, and some that are known to be critical.
/// </summary>
/// <param name="guarantee">Under which assumption.</param>
internal sealed class RequirementGridAudit(Guarantee guarantee) : IPromiseAudit
{
    private const int DrawnForModel = 300,
        DrawnForAny = 80;

    private static readonly double[] s_required = [.9, .95, .99],
        s_errors = [.01, .05];

    private static readonly double?[] s_indifferences = [null, .05];

    private static readonly bool[] s_isMet = [false, true];

    private static readonly int[] s_clients = [50, 200, 400, 1000];

    /// <inheritdoc/>
    public string Title =>
        guarantee == Guarantee.Any
            ? "Requirements drawn from a grid, independent runs of any law"
            : "Requirements drawn from a grid, model of the runs";

    /// <inheritdoc/>
    public string Description =>
        "Requirements are .9, .95 and .99, with 50, 200, 400 and 1000 clients. "
        + "The indifference d is the default or .05, the error .01 or .05. "
        + Invariant($"Combinations are drawn by a Latin hypercube (seed {GridLaws.Seed}); ")
        + "critical ones are added, with every correlation up to .4. "
        + "Truths and runs are those of the requirements above.";

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
                s_required.Length,
                s_indifferences.Length,
                s_errors.Length,
                s_clients.Length,
                s_isMet.Length,
                GridLaws.All.Count
            )
            .Select(at =>
                Cell(
                    guarantee,
                    s_required[at[0]],
                    s_indifferences[at[1]],
                    s_errors[at[2]],
                    s_clients[at[3]],
                    s_isMet[at[4]],
                    GridLaws.All[at[5]]
                )
            );

    private static IEnumerable<PromiseCell?> Critical() =>
        from plan in new (double? D, int Clients)[] { (null, 200), (.05, 400) }
        from isMet in s_isMet
        from law in GridLaws.Promised
        select Cell(Guarantee.Model, .9, plan.D, .01, plan.Clients, isMet, law);

    private static PromiseCell? Cell(
        Guarantee guarantee,
        double p,
        double? d,
        double error,
        int clients,
        bool isMet,
        RunLaw law
    )
    {
        var options = new RequirementOptions
        {
            Probability = p,
            Indifference = d,
            Error = error,
            Guarantee = guarantee,
        };
        var truth = isMet ? p : Math.Round(p - options.EffectiveIndifference, 9);
        if (!law.CanHave(truth))
            return null;
        return RequirementAudit.Wrong(options, clients, RequirementPlan.For(options, clients, 1), truth, law) with
        {
            Subject = Invariant($"grid, requirement {p}, error {error}"),
            Variant =
                Invariant($"truth {(isMet ? "p" : "p - d")}, d {options.EffectiveIndifference:0.###}, ")
                + Invariant($"{clients} clients"),
        };
    }
}
