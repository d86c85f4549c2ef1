namespace MqttCheck.Sequential;

/// <summary>Which stopping bounds a sequential probability ratio test uses.</summary>
public enum SprtBounds
{
    /// <summary>
    /// ln(1/alpha) and ln(beta): both error probabilities hold exactly (Ville's inequality), for at most 2 % more
    /// samples.
    /// </summary>
    Strict,

    /// <summary>
    /// Wald's ln((1-beta)/alpha) and ln(beta/(1-alpha)): an approximation that neglects overshoot; an error probability
    /// may exceed its nominal value a little.
    /// </summary>
    Wald,
}
