namespace MqttCheck.Sequential;

/// <summary>The decision of a test of two hypotheses.</summary>
public enum SprtDecision
{
    /// <summary>More samples are needed.</summary>
    Undecided,

    /// <summary>The worse hypothesis is accepted: the probability of success is p0 (or less).</summary>
    AcceptH0,

    /// <summary>The better hypothesis is accepted: the probability of success is p1 (or more).</summary>
    AcceptH1,
}
