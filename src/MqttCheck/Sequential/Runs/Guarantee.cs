namespace MqttCheck.Sequential.Runs;

/// <summary>Under which assumption the error of a verdict is promised.</summary>
public enum Guarantee
{
    /// <summary>
    /// Runs are independent and their probabilities vary like a beta law. Few runs
    /// suffice; a rare bad state may go unseen.
    /// </summary>
    Model,

    /// <summary>
    /// Runs are independent and vary by any law: that of all runs, of which those that do not count are taken at their
    /// worst. It takes many more runs.
    /// </summary>
    Any,
}
