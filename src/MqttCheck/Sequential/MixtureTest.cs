using MqttCheck.Statistics;

namespace MqttCheck.Sequential;

/// <summary>
/// A sequential test of one threshold without an indifference region: is the probability of success above or below it?
/// It decides when the anytime-valid interval of the binomial mixture lies on one side. A wrong decision has at most
/// the stated probability at every truth; a truth at the threshold may take for ever.
/// </summary>
public sealed class MixtureTest
{
    /// <summary>A test.</summary>
    /// <param name="threshold">In (0, 1).</param>
    /// <param name="error">Largest probability of a wrong decision, in (0, .5).</param>
    public MixtureTest(double threshold, double error)
    {
        Arguments.Require(threshold is > 0 and < 1, threshold, "must be in (0, 1)");
        Arguments.Require(error is > 0 and < .5, error, "must be in (0, .5)");
        (Threshold, Error) = (threshold, error);
    }

    /// <summary>The threshold.</summary>
    public double Threshold { get; }

    /// <summary>Largest probability of a wrong decision.</summary>
    public double Error { get; }

    /// <summary>The decision after some outcomes: H1 is "above the threshold".</summary>
    /// <param name="successes">0 .. <paramref name="samples"/>.</param>
    /// <param name="samples">At least 0.</param>
    public SprtDecision Decide(long successes, long samples) =>
        samples == 0 || BinomialIntervals.MixtureLogEvidence(successes, samples, Threshold) < -Math.Log(Error)
            ? SprtDecision.Undecided
        : (double)successes / samples > Threshold ? SprtDecision.AcceptH1
        : SprtDecision.AcceptH0;
}
