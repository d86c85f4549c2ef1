using MqttCheck.Statistics;

namespace MqttCheck.Auditing;

/// <summary>How many simulated verifications of one prediction ended with which verdict.</summary>
/// <param name="Confirmed">Those that confirmed it or, where one side is not tested, found it not worse.</param>
/// <param name="Worse">Those that found the broker worse.</param>
/// <param name="Better">Those that found it better.</param>
/// <param name="Withheld">Those without verdict at the end of the budget.</param>
/// <param name="Wrong">
/// Verdicts that contradict the truth: a refutation of a right prediction, or anything but the right refutation of one
/// that is wrong by the indifference or more.
/// </param>
/// <param name="MeanRuns">Mean number of runs up to the verdict or the end of the budget.</param>
internal sealed record VerificationTally(int Confirmed, int Worse, int Better, int Withheld, int Wrong, double MeanRuns)
{
    private const double BoundError = .01;

    /// <summary>All verifications.</summary>
    public int Total => Confirmed + Worse + Better + Withheld;

    /// <summary>
    /// The 99 % lower bound (Clopper and Pearson) of the rate of wrong verdicts: above the stated error it shows that
    /// the promise is broken.
    /// </summary>
    public double WrongAtLeast => BinomialIntervals.LowerBound(Wrong, Total, BoundError);
}
