namespace MqttCheck.Verification;

/// <summary>By which test a prediction is confirmed or refuted.</summary>
public enum VerdictTest
{
    /// <summary>Neither worse nor better than predicted, with the run as the sampling unit: the default.</summary>
    TwoSided,

    /// <summary>
    /// Not worse than predicted, with the run as the sampling unit: accepts every prediction that is too low.
    /// </summary>
    OneSided,

    /// <summary>
    /// The one-sided test of the method's original paper: each client decides for itself, and enough of them must
    /// accept. Takes sequences as independent, and its error holds for each client, not for the verdict.
    /// </summary>
    Clients,
}
