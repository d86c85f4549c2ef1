namespace MqttCheck.Checking;

/// <summary>One side of a two-sided test after some runs: the evidence between two hypotheses.</summary>
/// <param name="P0">The worse hypothesis.</param>
/// <param name="P1">The better hypothesis.</param>
/// <param name="LogLikelihoodRatio">Positive when <paramref name="P1"/> lies nearer to the observed share, negative when <paramref name="P0"/> does; its size is the logarithm of how
/// much better the observed share explains the runs than the hypothesis that lies farther away.</param>
/// <param name="Bound">At this ratio or above it p1 is accepted, at its negative or below it p0.</param>
public readonly record struct VerdictSide(double P0, double P1, double LogLikelihoodRatio, double Bound)
{
    /// <summary>The decision at this ratio.</summary>
    public SprtDecision Decision =>
        LogLikelihoodRatio >= Bound ? SprtDecision.AcceptH1 : LogLikelihoodRatio <= -Bound ? SprtDecision.AcceptH0 : SprtDecision.Undecided;
}
