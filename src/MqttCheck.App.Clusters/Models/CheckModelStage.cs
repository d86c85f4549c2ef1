using MathNet.Numerics.Distributions;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Sequential;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Models;

/// <summary>
/// Estimates properties of a network by simulation. Runs count in the order of their numbers, so results do not depend
/// on the number of threads.
/// </summary>
/// <param name="options">How choices are made and when a run is given up.</param>
internal sealed class CheckModelStage(AutomataNetwork network, ulong seed, NetworkOptions options)
{
    private const int Block = 2048;

    private bool _isInterrupted;

    /// <summary>Estimates a probability.</summary>
    /// <exception cref="InputException">
    /// The property or a run makes no sense, or a run does not end within its bound.
    /// </exception>
    public ModelEstimate Estimate(
        NetworkProperty.Probability property,
        IEstimationRule rule,
        CancellationToken cancellation
    )
    {
        long runs = 0,
            successes = 0;
        foreach (var outcome in Outcomes(property, cancellation))
        {
            runs++;
            successes += (long)outcome;
            if (rule.IsEnough(successes, runs))
                break;
        }
        var share = (double)successes / runs;
        if (_isInterrupted)
            return new(
                Title(property),
                share,
                BinomialIntervals.ClopperPearson(successes, runs, rule.Delta),
                Words(1 - rule.Delta, "Clopper-Pearson, interrupted", runs)
            );
        return new(
            Title(property),
            share,
            new(Math.Max(0, share - rule.Epsilon), Math.Min(1, share + rule.Epsilon)),
            Words(1 - rule.Delta, rule.Name, runs)
        );
    }

    /// <summary>Estimates an expectation by a mean.</summary>
    /// <param name="runs">How many runs, 2 or more.</param>
    /// <exception cref="InputException">
    /// The property or a run makes no sense, or in some run its condition never holds.
    /// </exception>
    public ModelEstimate Estimate(
        NetworkProperty.Expectation property,
        int runs,
        double confidence,
        CancellationToken cancellation
    )
    {
        var (count, mean, squares) = (0, 0.0, 0.0);
        foreach (var outcome in Outcomes(property, cancellation).Take(runs))
        {
            if (double.IsNaN(outcome))
                throw new InputException(
                    $"property {property.Name}: in run {count} the condition {property.Reach} "
                        + "never holds; allowed: a condition that holds in every run"
                );
            var distance = outcome - mean;
            mean += distance / ++count;
            squares += distance * (outcome - mean);
        }
        var half = StudentT.InvCDF(0, 1, count - 1, (1 + confidence) / 2) * Math.Sqrt(squares / (count - 1) / count);
        return new(
            Title(property),
            mean,
            new(mean - half, mean + half),
            Words(confidence, _isInterrupted ? "Student, approximate, interrupted" : "Student, approximate", count)
        );
    }

    private static string Title(NetworkProperty property) => $"{property.Name}: {property}";

    private static string Words(double confidence, string rule, long runs) =>
        Invariant($"{confidence:0.####%}, {rule}, {runs} runs");

    private IEnumerable<double> Outcomes(NetworkProperty property, CancellationToken cancellation)
    {
        var simulator = new NetworkSimulator(
            network,
            options with
            {
                Observed = PropertyMonitor.Reads(property, network),
            }
        );
        var outcomes = new double[Block];
        // No more than the processors: a long run would otherwise make the thread pool start one thread after the
        // other.
        var threads = new ParallelOptions
        {
            MaxDegreeOfParallelism = Environment.ProcessorCount,
            CancellationToken = cancellation,
        };
        for (ulong first = 0; ; first += Block)
        {
            var from = first;
            try
            {
                cancellation.ThrowIfCancellationRequested();
                Parallel.For(
                    0,
                    Block,
                    threads,
                    () => new PropertyMonitor(simulator, property),
                    (i, _, monitor) =>
                    {
                        outcomes[i] = monitor.Replicate(seed, from + (ulong)i);
                        return monitor;
                    },
                    _ => { }
                );
            }
            catch (OperationCanceledException) when (first > 0)
            {
                // Runs until then give an estimate too.
                _isInterrupted = true;
                yield break;
            }
            catch (AggregateException several)
            {
                throw several.InnerExceptions[0] is InputException wrong
                    ? wrong
                    : new InvalidOperationException("A simulation failed.", several);
            }
            foreach (var outcome in outcomes)
                yield return outcome;
        }
    }
}
