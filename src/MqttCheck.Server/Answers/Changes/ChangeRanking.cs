using MqttCheck.Predictions;

namespace MqttCheck.Server.Answers.Changes;

/// <summary>
/// Ranks changes by what is sure of them. The intervals hold together, so two that do not overlap show which of their
/// changes helps more.
/// </summary>
internal static class ChangeRanking
{
    /// <summary>The words for a change that has no sure effect.</summary>
    public const string NoSureEffect = "cannot be told apart from no change";

    /// <summary>The effect of a change, and how sure it is.</summary>
    /// <param name="change">The change in words.</param>
    /// <param name="difference">How the changed scenario differs from the unchanged one.</param>
    /// <param name="isSame">Whether both simulations gave the same latencies.</param>
    public static Sensitivity Of(string change, PairedDifference difference, bool isSame)
    {
        var (sure, inModel) = (difference.OnBroker ?? difference.InModel, difference.InModel);
        return new(
            change,
            difference.Difference,
            sure.Lower,
            sure.Upper,
            inModel.Lower,
            inModel.Upper,
            isSame
                ? "this model does not depend on it"
                : (sure, inModel) switch
                {
                    ({ Lower: > 0 }, _) => "helps",
                    ({ Upper: < 0 }, _) => "makes it worse",
                    (_, { Lower: > 0 }) => $"helps in the model; on the broker it {NoSureEffect}",
                    (_, { Upper: < 0 }) => $"makes it worse in the model; on the broker it {NoSureEffect}",
                    _ => NoSureEffect,
                }
        );
    }

    /// <summary>
    /// The changes in order. One that surely helps has a place, and shares it with those whose intervals overlap, and
    /// with those that overlap these. The others follow without a place, and those of unknown effect come last.
    /// </summary>
    /// <param name="changes">The changes, in any order.</param>
    public static IReadOnlyList<Sensitivity> Ranked(IEnumerable<Sensitivity> changes)
    {
        var ordered = changes.OrderByDescending(SureSide).ThenByDescending(change => change.Difference).ToList();
        var helping = ordered.TakeWhile(change => SureSide(change) > 0).ToList();
        var place = 1;
        for (var i = 0; i < helping.Count; i++)
        {
            if (i > 0 && helping.Take(i).Min(change => change.Lower) > helping.Skip(i).Max(change => change.Upper))
                place = i + 1;
            ordered[i] = helping[i] with { Place = place };
        }
        return ordered;
    }

    // An unknown effect comes after one that makes it worse.
    private static int SureSide(Sensitivity change) =>
        change switch
        {
            { Lower: > 0 } => 1,
            { Upper: < 0 } => -1,
            { Difference: null } => -2,
            _ => 0,
        };
}
