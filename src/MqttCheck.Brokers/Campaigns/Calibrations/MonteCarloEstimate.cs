using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>A probability that was measured with a fixed number of sequences.</summary>
/// <param name="Point">The point.</param>
/// <param name="Runs">The runs with their counted sequences.</param>
/// <param name="Interval">
/// The interval with confidence <see cref="MonteCarlo.Confidence"/>, the run being the sampling unit; [0, 1] with fewer
/// than two runs.
/// </param>
public sealed record MonteCarloEstimate(PredictedPoint Point, IReadOnlyList<RunCount> Runs, Interval Interval)
{
    /// <summary>Sequences counted.</summary>
    public long Samples => Runs.Sum(run => (long)run.Samples);

    /// <summary>The share in time; null without a sequence.</summary>
    public double? Share => Samples == 0 ? null : Runs.Sum(run => (double)run.Successes) / Samples;

    /// <summary>The estimate from the outcomes of runs.</summary>
    /// <param name="point">The point.</param>
    /// <param name="runs">The outcomes of each run.</param>
    public static MonteCarloEstimate Of(PredictedPoint point, IEnumerable<IReadOnlyList<Outcome>> runs)
    {
        RunCount[] counts =
        [
            .. runs.Select(run => RunCount.Of(run, point.ThresholdMilliseconds)).Where(run => run.Samples > 0),
        ];
        return new(
            point,
            counts,
            counts.Length < 2 ? new(0, 1) : RunLikelihood.Interval(counts, (1 - MonteCarlo.Confidence) / 2)
        );
    }

    /// <summary>
    /// Whether the estimate confirms a verdict, which it does when the share lies on the verdict's side of the
    /// hypotheses that the verdict rejects.
    /// </summary>
    /// <param name="verdict">The verdict on the same point.</param>
    /// <returns>
    /// Null without a verdict or a sequence, and where the verdict is contradicted but the interval reaches its side,
    /// so that chance may be the reason.
    /// </returns>
    public bool? Confirms(Verdict verdict)
    {
        if (Share is not { } share)
            return null;
        var (worse, better) = (
            verdict.Plan.Worse ?? double.NegativeInfinity,
            verdict.Plan.Better ?? double.PositiveInfinity
        );
        return verdict.Kind switch
        {
            VerdictKind.Confirmed or VerdictKind.NotWorse => Lies(
                share > worse && share < better,
                Interval.Upper > worse && Interval.Lower < better
            ),
            VerdictKind.Worse => Lies(share < worse, Interval.Lower < worse),
            VerdictKind.Better => Lies(share > better, Interval.Upper > better),
            VerdictKind.Withheld or VerdictKind.Partial => null,
            _ => throw new UnreachableException(),
        };

        static bool? Lies(bool surely, bool perhaps) =>
            surely ? true
            : perhaps ? null
            : false;
    }
}
