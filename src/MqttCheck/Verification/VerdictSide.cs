using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;

namespace MqttCheck.Verification;

/// <summary>One side of a verdict after some runs: on which side of a threshold the truth lies.</summary>
/// <param name="Threshold">
/// The threshold: the largest probability that is worse than predicted, or the smallest that is better.
/// </param>
/// <param name="Evidence">
/// Positive where the runs lie above the threshold, negative where they lie below. Its size says how clearly: the
/// logarithm of how much better the observed share explains the runs than the threshold does, or, with
/// <see cref="Guarantee.Any"/>, of what bets against the threshold have won.
/// </param>
/// <param name="AboveBound">From this evidence on the threshold, and all below it, are rejected.</param>
/// <param name="BelowBound">From its negative on the threshold, and all above it, are rejected.</param>
/// <param name="AreRareStatesExcluded">
/// Whether runs that stand apart are too few to put the truth on the other side.
/// </param>
public readonly record struct VerdictSide(
    double Threshold,
    double Evidence,
    double AboveBound,
    double BelowBound,
    bool AreRareStatesExcluded = true
)
{
    /// <summary>The bound on the side where the runs lie.</summary>
    public double Bound => Evidence < 0 ? BelowBound : AboveBound;

    /// <summary>The decision: H1 is "the truth lies above the threshold", H0 "below".</summary>
    public SprtDecision Decision =>
        !AreRareStatesExcluded ? SprtDecision.Undecided
        : Evidence >= AboveBound ? SprtDecision.AcceptH1
        : Evidence <= -BelowBound ? SprtDecision.AcceptH0
        : SprtDecision.Undecided;
}
