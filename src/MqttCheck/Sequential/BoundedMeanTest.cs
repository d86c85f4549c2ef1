namespace MqttCheck.Sequential;

/// <summary>
/// A sequential test of the mean of independent observations in 0 .. 1 against one threshold, without an indifference
/// region: it bets on the observations, a fixed mixture of bets on each side, and decides when the wealth of a side
/// reaches 1 / error. A wrong decision has at most the stated probability whatever the law of the observations and
/// whenever one stops (Ville's inequality; Waudby-Smith and Ramdas 2024). Observations that vary little decide fast; a
/// mean at the threshold may take for ever.
/// </summary>
public sealed class BoundedMeanTest
{
    private const int Bets = 24;

    // Each bet is this part of the next larger one.
    private const double Ratio = .75;

    private readonly double[] _above = new double[Bets],
        _below = new double[Bets];
    private readonly double[] _logGainAbove = new double[Bets],
        _logGainBelow = new double[Bets],
        _logLoss = new double[Bets];
    private readonly double _bound;

    /// <summary>A test.</summary>
    /// <param name="threshold">In (0, 1).</param>
    /// <param name="error">Largest probability of a wrong decision, in (0, .5).</param>
    public BoundedMeanTest(double threshold, double error)
    {
        Arguments.Require(threshold is > 0 and < 1, threshold, "must be in (0, 1)");
        Arguments.Require(error is > 0 and < .5, error, "must be in (0, .5)");
        (Threshold, Error, _bound) = (threshold, error, -Math.Log(error));
        var fraction = 1.0;
        for (var bet = 0; bet < Bets; bet++)
        {
            fraction *= Ratio;
            _logGainAbove[bet] = Math.Log(1 + fraction * (1 - threshold) / threshold);
            _logGainBelow[bet] = Math.Log(1 + fraction * threshold / (1 - threshold));
            _logLoss[bet] = Math.Log(1 - fraction);
        }
    }

    /// <summary>The threshold.</summary>
    public double Threshold { get; }

    /// <summary>Largest probability of a wrong decision.</summary>
    public double Error { get; }

    /// <summary>How many observations were counted, up to the decision.</summary>
    public long Samples { get; private set; }

    /// <summary>The decision so far: H1 is "the mean lies above the threshold". Once made it stays.</summary>
    public SprtDecision Decision { get; private set; }

    /// <summary>
    /// The logarithm of the evidence that the mean lies above the threshold, at most ln(1 / error) or a little more.
    /// </summary>
    public double LogEvidenceAbove => LogMean(_above);

    /// <summary>The logarithm of the evidence that the mean lies below the threshold.</summary>
    public double LogEvidenceBelow => LogMean(_below);

    /// <summary>Counts one observation, unless the decision is made already.</summary>
    /// <param name="value">In 0 .. 1.</param>
    /// <returns>The decision so far.</returns>
    public SprtDecision Add(double value)
    {
        Arguments.Require(value is >= 0 and <= 1, value, "must be in 0 .. 1");
        if (Decision != SprtDecision.Undecided)
            return Decision;
        Samples++;
        var fraction = 1.0;
        for (var bet = 0; bet < Bets; bet++)
        {
            fraction *= Ratio;
            _above[bet] += Math.Log(1 + fraction / Threshold * (value - Threshold));
            _below[bet] += Math.Log(1 - fraction / (1 - Threshold) * (value - Threshold));
        }
        return Decision =
            Reaches(_above) ? SprtDecision.AcceptH1
            : Reaches(_below) ? SprtDecision.AcceptH0
            : SprtDecision.Undecided;
    }

    /// <summary>The decision after outcomes that are all 0 or 1; their order does not matter.</summary>
    /// <param name="successes">0 .. <paramref name="samples"/>.</param>
    /// <param name="samples">At least 0.</param>
    public SprtDecision Decide(long successes, long samples)
    {
        // A share on one side of the threshold is no evidence for the other side: the logarithm is concave.
        var isAbove = successes > Threshold * samples;
        var failures = samples - successes;
        var (onSuccess, onFailure) = isAbove ? (_logGainAbove, _logLoss) : (_logLoss, _logGainBelow);
        Span<double> wealth = stackalloc double[Bets];
        for (var bet = 0; bet < Bets; bet++)
            wealth[bet] = successes * onSuccess[bet] + failures * onFailure[bet];
        return !Reaches(wealth) ? SprtDecision.Undecided
            : isAbove ? SprtDecision.AcceptH1
            : SprtDecision.AcceptH0;
    }

    // Most of the time the largest logarithm says that the mean is too small.
    private bool Reaches(ReadOnlySpan<double> logs) => Largest(logs) >= _bound && LogMean(logs) >= _bound;

    private static double LogMean(ReadOnlySpan<double> logs)
    {
        var largest = Largest(logs);
        var sum = 0.0;
        foreach (var log in logs)
            sum += Math.Exp(log - largest);
        return largest + Math.Log(sum / logs.Length);
    }

    private static double Largest(ReadOnlySpan<double> logs)
    {
        var largest = double.NegativeInfinity;
        foreach (var log in logs)
            largest = Math.Max(largest, log);
        return largest;
    }
}
