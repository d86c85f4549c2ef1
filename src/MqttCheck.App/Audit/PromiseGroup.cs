using System.Diagnostics;
using MqttCheck.Auditing.Promises;

namespace MqttCheck.App.Audit;

/// <summary>Cells of the table of promises that one line stands for, with their counts and the worst of them.</summary>
/// <param name="Name">The property that the cells share.</param>
internal sealed record PromiseGroup(string Name, IReadOnlyList<PromiseResult> Results)
{
    /// <summary>How many promises are kept.</summary>
    public PromiseTally Tally => PromiseTally.Of(Results);

    /// <summary>
    /// The worst of the cells: broken before undecided before kept ones, then the one whose error is the most times
    /// what is allowed; where nothing is promised the largest error.
    /// </summary>
    public PromiseResult Worst { get; } = Results.MaxBy(Badness)!;

    /// <summary>The cells with the same name, in the order of the cells.</summary>
    public static IEnumerable<PromiseGroup> Of(IEnumerable<PromiseResult> results, Func<PromiseResult, string> name) =>
        results.GroupBy(name).Select(group => new PromiseGroup(group.Key, [.. group]));

    /// <summary>The cells of this group with the same name; the worst come first.</summary>
    public IReadOnlyList<PromiseGroup> By(Func<PromiseResult, string> name) =>
        [.. Of(Results, name).OrderByDescending(group => Badness(group.Worst))];

    private static (int Rank, double Ratio) Badness(PromiseResult result) =>
        result.Status switch
        {
            PromiseStatus.Broken => (3, result.RatioToAllowed!.Value),
            PromiseStatus.Undecided => (2, result.RatioToAllowed!.Value),
            // The ratio to the stated error comes first, so promises that need their exception precede those that do
            // not.
            PromiseStatus.Kept or PromiseStatus.KeptWithException => (1, result.Ratio!.Value),
            PromiseStatus.NotPromised => (0, result.Count.WrongShare),
            _ => throw new UnreachableException(),
        };
}
