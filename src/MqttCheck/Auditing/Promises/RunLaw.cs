using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// A law by which the runs of a simulated broker vary, for finding out what a test of runs is worth. A law is named
/// without its mean: the same law is tried at every truth. Inside a run outcomes are independent of each other, given
/// the run's own probability, unless the law says otherwise.
/// </summary>
internal abstract class RunLaw
{
    private RunLaw(string name) => Name = name;

    /// <summary>A name for tables.</summary>
    public string Name { get; }

    /// <summary>
    /// Whether runs are independent of each other; what is distribution-free promises something for such laws only.
    /// </summary>
    public virtual bool AreRunsIndependent => true;

    /// <summary>
    /// Whether a model-based verdict promises its error: beta-binomial runs, and those that vary as evenly around one
    /// level because outcomes depend on each other inside of them only.
    /// </summary>
    public virtual bool IsModelled => false;

    /// <summary>
    /// The share of runs in the rare state; 0 without one. R runs see nothing of it with probability (1 - share)^R,
    /// whatever the test.
    /// </summary>
    public virtual double RareShare => 0;

    /// <summary>The probability that so many runs see nothing of the rare state; 0 without one.</summary>
    /// <param name="runs">At least 1.</param>
    public double Silence(int runs) => RareShare == 0 ? 0 : Math.Pow(1 - RareShare, runs);

    /// <summary>Fewer sequences in a run cannot vary as the law says.</summary>
    public virtual int FewestSequences => 1;

    /// <summary>Independent outcomes.</summary>
    public static RunLaw Independent { get; } = new BetaBinomialLaw("independent", 1);

    /// <summary>
    /// The laws of an audit: four that a beta law fits, one inside runs, rare bad runs, skewed misses, and two in which
    /// runs depend on each other.
    /// </summary>
    public static IReadOnlyList<RunLaw> All { get; } =
    [
        Independent,
        BetaBinomial(1.2),
        BetaBinomial(8),
        BetaBinomial(180),
        AutoregressiveInside(.5),
        RareRuns(.1, .2),
        RareRuns(.15, .2),
        RareRuns(.22, .4),
        RareRuns(.3, .5),
        RareRuns(.4, .6),
        LogNormalMisses(.8),
        LogNormalMisses(1.5),
        AutoregressiveBetween(.5),
        AutoregressiveBetween(.8),
    ];

    /// <summary>Each run draws its probability from a beta law.</summary>
    /// <param name="inflation">The variance of a run's successes relative to the binomial one, at least 1.</param>
    public static RunLaw BetaBinomial(double inflation) =>
        inflation >= 1
            ? new BetaBinomialLaw(Invariant($"beta-binomial, {inflation} x variance"), inflation)
            : throw new ArgumentOutOfRangeException(nameof(inflation), inflation, "must be at least 1");

    /// <summary>Each run draws its probability from a beta law that is given by the correlation inside a run.</summary>
    /// <param name="rho">
    /// The correlation of two outcomes of one run, in 0 .. 1 without 1. Beyond
    /// <see cref="RunLikelihood.LargestCorrelation"/> the model promises nothing.
    /// </param>
    public static RunLaw Correlated(double rho) =>
        rho is >= 0 and < 1
            ? new CorrelatedLaw(rho)
            : throw new ArgumentOutOfRangeException(nameof(rho), rho, "must be in 0 .. 1 without 1");

    /// <summary>
    /// Inside a run an outcome repeats its predecessor with some probability and is new otherwise; runs are alike.
    /// </summary>
    /// <param name="correlation">That probability, in 0 .. 1 without 1.</param>
    public static RunLaw AutoregressiveInside(double correlation) =>
        correlation is >= 0 and < 1
            ? new InsideLaw(correlation)
            : throw new ArgumentOutOfRangeException(nameof(correlation), correlation, "must be in 0 .. 1 without 1");

    /// <summary>
    /// Now and then a run of another level, mostly a bad one; all others share the level that makes the mean right.
    /// </summary>
    /// <param name="share">The share of such runs, in (0, 1).</param>
    /// <param name="level">Their probability of success, in 0 .. 1.</param>
    public static RunLaw RareRuns(double share, double level) =>
        share is > 0 and < 1 && level is >= 0 and <= 1
            ? new RareLaw(share, level)
            : throw new ArgumentOutOfRangeException(nameof(share), share, "must be in (0, 1), and the level in 0 .. 1");

    /// <summary>
    /// The share of misses of a run is log-normal, cut off at 1: most runs are better than the mean, some are far
    /// worse.
    /// </summary>
    /// <param name="deviation">The standard deviation of its logarithm, positive.</param>
    public static RunLaw LogNormalMisses(double deviation) =>
        deviation > 0
            ? new LogNormalLaw(deviation)
            : throw new ArgumentOutOfRangeException(nameof(deviation), deviation, "must be positive");

    /// <summary>
    /// The probability of a run depends on that of the one before: an autoregression of order 1 with normal steps, cut
    /// off on both sides alike so that the mean is kept.
    /// </summary>
    /// <param name="correlation">The correlation of neighbouring runs, in 0 .. 1 without 1.</param>
    /// <param name="deviation">The standard deviation of the probabilities, in (0, .5).</param>
    public static RunLaw AutoregressiveBetween(double correlation, double deviation = .05) =>
        correlation is >= 0 and < 1 && deviation is > 0 and < .5
            ? new BetweenLaw(correlation, deviation)
            : throw new ArgumentOutOfRangeException(
                nameof(correlation),
                correlation,
                "must be in 0 .. 1 without 1, and the deviation in (0, .5)"
            );

    /// <summary>
    /// Whether the law can have a mean: rare runs of a given level leave the others only so much room.
    /// </summary>
    /// <param name="mean">In 0 .. 1.</param>
    public virtual bool CanHave(double mean) => mean is >= 0 and <= 1;

    /// <summary>Prepares what is the same for all simulations.</summary>
    /// <param name="mean">The mean of all runs, the truth; one that <see cref="CanHave"/> allows.</param>
    /// <param name="sequences">Sequences in each run, at least <see cref="FewestSequences"/>.</param>
    /// <returns>Fills the runs of one simulation, in their order; may be called by several threads at once.</returns>
    public RunFiller Runs(double mean, int sequences)
    {
        if (!CanHave(mean))
            throw new ArgumentOutOfRangeException(nameof(mean), mean, $"is no mean of this law: {Name}");
        ArgumentOutOfRangeException.ThrowIfLessThan(sequences, FewestSequences);
        return Prepare(mean, sequences);
    }

    /// <inheritdoc/>
    public override string ToString() => Name;

    private protected abstract RunFiller Prepare(double mean, int sequences);

    private static RunFiller Each(int sequences, ShareDraw share) =>
        (Span<RunCount> runs, ref RandomStream random) =>
        {
            for (var i = 0; i < runs.Length; i++)
                runs[i] = new(BinomialDraw.Next(sequences, share(ref random), ref random), sequences);
        };

    private static RunFiller BetaRuns(double mean, double concentration, int sequences) =>
        Each(
            sequences,
            (ref random) => BinomialDraw.Beta(mean * concentration, (1 - mean) * concentration, ref random)
        );

    private delegate double ShareDraw(ref RandomStream random);

    private sealed class BetaBinomialLaw(string name, double inflation) : RunLaw(name)
    {
        // Shorter runs would be all hits or all misses.
        private const int SmallestInflatedRun = 500;

        public override bool IsModelled => true;

        public override int FewestSequences =>
            inflation > 8 ? Math.Max(SmallestInflatedRun, (int)inflation + 1) : (int)Math.Ceiling(inflation) + 1;

        private protected override RunFiller Prepare(double mean, int sequences)
        {
            if (inflation == 1 || mean is 0 or 1)
                return Each(sequences, (ref random) => mean);
            return BetaRuns(mean, (sequences - 1) / (inflation - 1) - 1, sequences);
        }
    }

    private sealed class CorrelatedLaw(double rho) : RunLaw(Invariant($"beta law, rho {rho}"))
    {
        public override bool IsModelled => rho <= RunLikelihood.LargestCorrelation;

        private protected override RunFiller Prepare(double mean, int sequences) =>
            rho == 0 || mean is 0 or 1 ? Each(sequences, (ref random) => mean) : BetaRuns(mean, 1 / rho - 1, sequences);
    }

    private sealed class InsideLaw(double correlation) : RunLaw(Invariant($"autoregressive inside runs, {correlation}"))
    {
        public override bool IsModelled => true;

        private protected override RunFiller Prepare(double mean, int sequences) =>
            (Span<RunCount> runs, ref RandomStream random) =>
            {
                for (var run = 0; run < runs.Length; run++)
                {
                    var hits = 0;
                    var hit = false;
                    for (var i = 0; i < sequences; i++)
                    {
                        if (i == 0 || random.NextDouble() >= correlation)
                            hit = random.NextDouble() < mean;
                        if (hit)
                            hits++;
                    }
                    runs[run] = new(hits, sequences);
                }
            };
    }

    private sealed class RareLaw(double share, double level)
        : RunLaw(Invariant($"{level} in {share:0.##%} of the runs").Replace(" %", "%", StringComparison.Ordinal))
    {
        public override double RareShare => share;

        public override bool CanHave(double mean) => Other(mean) is >= -1e-12 and <= 1 + 1e-12;

        private double Other(double mean) => (mean - share * level) / (1 - share);

        private protected override RunFiller Prepare(double mean, int sequences)
        {
            var other = Math.Clamp(Other(mean), 0, 1);
            return Each(sequences, (ref random) => random.NextDouble() < share ? level : other);
        }
    }

    private sealed class LogNormalLaw(double deviation) : RunLaw(Invariant($"log-normal misses, {deviation}"))
    {
        private protected override RunFiller Prepare(double mean, int sequences)
        {
            if (mean is 0 or 1)
                return Each(sequences, (ref random) => mean);
            var (location, _) = Bisection.Narrow(-60, 60, at => MeanOfMisses(at) < 1 - mean, _ => 1e-12);
            return Each(
                sequences,
                (ref random) => Math.Max(0, 1 - Math.Exp(location + deviation * BinomialDraw.Normal(ref random)))
            );
        }

        // E min(1, X) for a log-normal X.
        private double MeanOfMisses(double location) =>
            Math.Exp(Math.Min(700, location + deviation * deviation / 2))
                * Normal.CDF(0, 1, (-location - deviation * deviation) / deviation)
            + Normal.CDF(0, 1, location / deviation);
    }

    private sealed class BetweenLaw(double correlation, double deviation)
        : RunLaw(Invariant($"autoregressive between runs, {correlation}"))
    {
        public override bool AreRunsIndependent => false;

        private protected override RunFiller Prepare(double mean, int sequences)
        {
            var reach = Math.Min(mean, 1 - mean);
            var step = Math.Sqrt(1 - correlation * correlation);
            return (Span<RunCount> runs, ref RandomStream random) =>
            {
                var state = BinomialDraw.Normal(ref random);
                for (var run = 0; run < runs.Length; run++)
                {
                    runs[run] = new(
                        BinomialDraw.Next(sequences, mean + Math.Clamp(deviation * state, -reach, reach), ref random),
                        sequences
                    );
                    state = correlation * state + step * BinomialDraw.Normal(ref random);
                }
            };
        }
    }
}
