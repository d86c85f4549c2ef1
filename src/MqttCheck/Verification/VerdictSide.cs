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
/// <param name="Bound">From this size on the threshold, and all beyond it, are rejected.</param>
/// <param name="AreRareStatesExcluded">
/// Whether runs that stand apart are too few to put the truth on the other side.
/// </param>
public readonly record struct VerdictSide(
    double Threshold,
    double Evidence,
    double Bound,
    bool AreRareStatesExcluded = true
)
{
    /// <summary>The decision: H1 is "the truth lies above the threshold", H0 "below".</summary>
    public SprtDecision Decision =>
        !AreRareStatesExcluded ? SprtDecision.Undecided
        : Evidence >= Bound ? SprtDecision.AcceptH1
        : Evidence <= -Bound ? SprtDecision.AcceptH0
        : SprtDecision.Undecided;
}
