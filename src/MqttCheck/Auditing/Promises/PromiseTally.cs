using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>How many promises are kept, and how: the counts that the page, the tool and the documents show.</summary>
/// <param name="Kept">Kept at the stated error.</param>
/// <param name="WithException">Kept with the printed exception only.</param>
/// <param name="Broken">Broken.</param>
/// <param name="Undecided">Neither, after the most simulations.</param>
/// <param name="Outside">Cells of which nothing is promised.</param>
/// <param name="LargestRatio">
/// The largest error of those kept with the exception only, relative to the stated one; 0 where there are none.
/// </param>
internal sealed record PromiseTally(
    int Kept,
    int WithException,
    int Broken,
    int Undecided,
    int Outside,
    double LargestRatio
)
{
    /// <summary>Counts the cells.</summary>
    /// <param name="results">The results.</param>
    public static PromiseTally Of(IReadOnlyCollection<PromiseResult> results)
    {
        int Count(PromiseStatus status) => results.Count(result => result.Status == status);
        return new(
            Count(PromiseStatus.Kept),
            Count(PromiseStatus.KeptWithException),
            Count(PromiseStatus.Broken),
            Count(PromiseStatus.Undecided),
            Count(PromiseStatus.NotPromised),
            results
                .Where(result => result.Status == PromiseStatus.KeptWithException)
                .Select(result => result.Ratio ?? 0)
                .DefaultIfEmpty()
                .Max()
        );
    }

    /// <summary>All promises.</summary>
    public int Promises => Kept + WithException + Broken + Undecided;

    /// <summary>The counts in sentences.</summary>
    public override string ToString() =>
        Invariant($"{Kept} of {Promises} promises are kept at the stated error. ")
        + Invariant($"{WithException} are kept with the printed exception only")
        + (WithException == 0 ? ". " : Invariant($": their error is up to {LargestRatio:0.#} times the stated one. "))
        + Invariant($"{Broken} are broken, {Undecided} undecided. ")
        + Invariant($"{Outside} more cells lie outside of what is promised.");
}
