using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Replay;
using MqttCheck.Statistics;

namespace MqttCheck.Learning.Data;

/// <summary>
/// How much the server's work for a connection differs from run to run: processors are not equally fast at all times.
/// Each training case is simulated with the fitted demand and with a larger one; that tells which factor of the demand
/// would explain its mean logarithm of set-up times, and how exactly. The variance of the factors beyond that is the
/// random effect of DerSimonian and Laird (1986).
/// </summary>
internal static class SetUpVariation
{
    private const int Replications = 8;
    private const int FewestSetUps = 10;
    private const int FewestCases = 6;
    private static readonly double Larger = Math.Log(1.1);

    // A case whose set-ups hardly depend on the demand says nothing about it.
    private const double LeastSensitivity = 0.2;

    // The deviation of the logarithm of the demand.
    private const double Most = 0.5;

    /// <summary>Estimates it.</summary>
    /// <param name="data">The training data.</param>
    /// <param name="model">The fitted model, with connections that are set up.</param>
    /// <param name="cases">The training cases.</param>
    /// <param name="seed">The seed.</param>
    /// <returns>The deviation of the logarithm of the demand; 0 where too few cases tell.</returns>
    public static double Of(TrainingData data, QueueModel model, ObservedCase[] cases, ulong seed)
    {
        var setUp = model.SetUp!;
        var (fitted, larger) = (
            data.WithHolds(model),
            data.WithHolds(
                model.With(model.Demands, setUp with { Milliseconds = setUp.Milliseconds * Math.Exp(Larger) })
            )
        );
        var factors = new (double Factor, double Variance)?[cases.Length];
        Parallel.For(0, cases.Length, i => factors[i] = Factor(fitted, larger, cases[i], seed));
        var known = factors.OfType<(double Factor, double Variance)>().ToArray();
        if (known.Length < FewestCases)
            return 0;
        var sum = known.Sum(one => 1 / one.Variance);
        var squares = known.Sum(one => 1 / (one.Variance * one.Variance));
        var mean = known.Sum(one => one.Factor / one.Variance) / sum;
        var distance = known.Sum(one => (one.Factor - mean) * (one.Factor - mean) / one.Variance);
        return Math.Round(
            Math.Min(Most, Math.Sqrt(Math.Max(0, (distance - (known.Length - 1)) / (sum - squares / sum)))),
            4
        );
    }

    // Estimates the logarithm of the factor by which the demand of a case would have to differ, with its variance. Null
    // where the case does not tell.
    private static (double Factor, double Variance)? Factor(
        LatencyModel fitted,
        LatencyModel larger,
        ObservedCase observed,
        ulong seed
    )
    {
        var setUps = observed.SortedSetUps.Where(milliseconds => milliseconds > 0).ToArray();
        if (setUps.Length < FewestSetUps)
            return null;
        var here = new double[Replications];
        var there = 0.0;
        for (var replication = 0; replication < Replications; replication++)
        {
            here[replication] = MeanLogarithm(fitted, observed, seed, replication);
            there += MeanLogarithm(larger, observed, seed, replication) / Replications;
        }
        var (mean, scatter) = SampleMoments.Of(here);
        var sensitivity = (there - mean) / Larger;
        // Also where a simulation has run away, which leaves no number.
        if (!(sensitivity >= LeastSensitivity))
            return null;
        var variance = scatter * (1 + 1.0 / Replications);
        // Without any scatter in the simulation there is no weight to give.
        if (variance == 0)
            return null;
        return ((setUps.Average(Math.Log) - mean) / sensitivity, variance / (sensitivity * sensitivity));
    }

    private static double MeanLogarithm(LatencyModel model, ObservedCase observed, ulong seed, int replication)
    {
        var setUps = new List<double>();
        var observer = new ReplayObserver(
            observed.Run.WindowMilliseconds * observed.Share,
            ReplayObserver.ByKind(),
            setUps
        );
        return CaseReplay.Simulate(model, observed, observed.Share, seed, replication, ref observer) && setUps.Count > 0
            ? setUps.Average(Math.Log)
            : double.NaN;
    }
}
