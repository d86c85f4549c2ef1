using MqttCheck.Sequential;

namespace MqttCheck.Verification;

/// <summary>The two-sided test of a predicted probability on independent outcomes in issue order.</summary>
/// <param name="plan">The hypotheses and the error.</param>
public sealed class TwoSidedTest(TwoSidedPlan plan)
{
    private readonly SequentialProbabilityRatioTest? _lower = plan.Lower is null ? null : new(plan.Lower);
    private readonly SequentialProbabilityRatioTest? _upper = plan.Upper is null ? null : new(plan.Upper);

    /// <summary>The outcomes counted up to the verdict.</summary>
    public long Samples { get; private set; }

    /// <summary>The verdict, null while more outcomes are needed. Once given it stays.</summary>
    public VerdictKind? Verdict { get; private set; }

    /// <summary>Counts one outcome, unless the verdict is given already.</summary>
    /// <param name="success">The outcome.</param>
    /// <returns>The verdict so far, null while more outcomes are needed.</returns>
    public VerdictKind? Add(bool success)
    {
        if (Verdict is not null)
            return Verdict;
        Samples++;
        var lower = _lower?.Add(success) ?? SprtDecision.AcceptH1;
        var upper = _upper?.Add(success) ?? SprtDecision.AcceptH0;
        return Verdict = (lower, upper) switch
        {
            (SprtDecision.AcceptH0, _) => VerdictKind.Worse,
            (_, SprtDecision.AcceptH1) => VerdictKind.Better,
            (SprtDecision.AcceptH1, SprtDecision.AcceptH0) => plan.AsPredicted(),
            _ => null,
        };
    }
}
