namespace MqttCheck.Sequential;

/// <summary>
/// A rule that says when enough independent outcomes are seen to estimate their probability of success by the share of
/// successes.
/// </summary>
public interface IEstimationRule
{
    /// <summary>The rule's name in tables.</summary>
    string Name { get; }

    /// <summary>The promised half width.</summary>
    double Epsilon { get; }

    /// <summary>The promised probability of missing the truth by more than <see cref="Epsilon"/>.</summary>
    double Delta { get; }

    /// <summary>Whether the promise is kept at every probability; otherwise it is an approximation.</summary>
    bool IsGuarantee { get; }

    /// <summary>Whether sampling may stop.</summary>
    /// <param name="successes">0 .. <paramref name="samples"/>.</param>
    /// <param name="samples">At least 1.</param>
    bool IsEnough(long successes, long samples);
}
