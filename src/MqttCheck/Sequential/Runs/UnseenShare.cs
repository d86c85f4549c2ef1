namespace MqttCheck.Sequential.Runs;

/// <summary>
/// How often a state of a broker may occur that no run has shown: runs see nothing of it with probability (1 -
/// share)^runs, whatever the test.
/// </summary>
internal static class UnseenShare
{
    /// <summary>
    /// The largest share of runs in a state that independent runs miss altogether with more than a given probability: 1
    /// - error^(1/runs).
    /// </summary>
    /// <param name="runs">How many runs were made, at least 1.</param>
    /// <param name="error">The probability, in (0, 1).</param>
    public static double After(int runs, double error)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(runs, 1);
        Arguments.Require(error is > 0 and < 1, error, "must be in (0, 1)");
        return 1 - Math.Pow(error, 1.0 / runs);
    }
}
