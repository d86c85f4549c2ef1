using MathNet.Numerics.Distributions;
using MqttCheck.Automata.Networks;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Automata.Splitting;

/// <summary>
/// The probability of a rare event, estimated by splitting. Each repetition is unbiased; they are independent.
/// </summary>
/// <param name="Repetitions">The estimate of each repetition.</param>
/// <param name="Thresholds">The values of the level at which runs were split.</param>
/// <param name="Steps">How many steps were simulated, pilot runs included.</param>
internal sealed record SplittingEstimate(ValueList<double> Repetitions, ValueList<double> Thresholds, long Steps)
{
    /// <summary>The mean over the repetitions.</summary>
    public double Probability => Repetitions.Average();

    /// <summary>The standard error of the mean.</summary>
    public double StandardError
    {
        get
        {
            var mean = Probability;
            return Math.Sqrt(
                Repetitions.Sum(one => (one - mean) * (one - mean)) / (Repetitions.Count - 1) / Repetitions.Count
            );
        }
    }

    /// <summary>
    /// Student's interval from the spread of the repetitions: approximate, because their law is not normal.
    /// </summary>
    /// <param name="confidence">In (0, 1).</param>
    public Interval ApproximateInterval(double confidence)
    {
        if (!(confidence is > 0 and < 1))
            throw new ArgumentOutOfRangeException(nameof(confidence), confidence, "must be in (0, 1)");
        var half = StudentT.InvCDF(0, 1, Repetitions.Count - 1, (1 + confidence) / 2) * StandardError;
        return new(Math.Max(0, Probability - half), Math.Min(1, Probability + half));
    }
}
