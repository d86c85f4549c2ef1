using System.Globalization;
using MathNet.Numerics.Distributions;
using MqttCheck.Statistics;

namespace MqttCheck.Checking;

/// <summary>
/// Compares what statistical rules promise with what they keep: the true error of each is computed exactly, by dynamic programming over (samples, successes), for a grid of true probabilities.
/// </summary>
public static class Audit
{
    private static readonly double[] s_ends = [.0005, .001, .002, .005, .01, .02];

    private static readonly (double P0, double P1)[] s_hypotheses = [(.0005, .005), (.45, .55), (.85, .95), (.99, .999)];

    /// <summary>True probabilities, in ascending order: both ends closely, and steps of .05 between.</summary>
    public static IReadOnlyList<double> CoarseGrid { get; } =
        [.. s_ends.Concat(Enumerable.Range(1, 19).Select(i => Math.Round(i * .05, 2))).Concat(s_ends.Select(end => 1 - end)).Order()];

    /// <summary>True probabilities in steps of .0005, without 0 and 1.</summary>
    public static IReadOnlyList<double> FineGrid { get; } = [.. Enumerable.Range(1, 1999).Select(i => Math.Round(i * .0005, 4))];

    /// <summary>Audits every rule, one line as soon as it is computed.</summary>
    /// <param name="grid">True probabilities, each in (0, 1); at least one.</param>
    /// <param name="epsilon">Half width of the estimation rules, in (0, .5).</param>
    /// <param name="delta">Error promised by every rule, in (0, .5).</param>
    /// <param name="cancellation">Stops between two probabilities.</param>
    public static IEnumerable<AuditLine> Run(
        IReadOnlyList<double> grid, double epsilon = .05, double delta = .01, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(grid);
        EstimationPromise.Check(epsilon, delta);
        return Lines();

        IEnumerable<AuditLine> Lines()
        {
            foreach (var rule in new IEstimationRule[] { new OkamotoRule(epsilon, delta), new ChenRule(epsilon, delta), new SequentialClopperPearsonRule(epsilon, delta), new AnytimeMixtureRule(epsilon, delta) })
            {
                yield return Worst(Text($"estimate, {rule.Name}, +-{epsilon}"), "estimate off by more", rule.IsGuarantee, delta, grid, p =>
                {
                    var (error, samples) = EstimationAudit.Compute(rule, p);
                    return (error, samples);
                }, cancellation);
            }
            foreach (var n in new[] { 20, 100, 1000 })
            {
                yield return Interval("Clopper-Pearson", true, n, BinomialIntervals.ClopperPearson);
                yield return Interval("Wilson, approximate", false, n, BinomialIntervals.WilsonApproximate);
            }
            yield return Worst("interval, anytime mixture, up to n = 1000", "not covered at some time", true, delta, grid, p =>
                (SprtAudit.Compute((successes, n) => BinomialIntervals.MixtureLogEvidence(successes, n, p) > -Math.Log(delta) ? SprtDecision.AcceptH0 : SprtDecision.Undecided, p, 1000).AcceptH0, 1000), cancellation);
            foreach (var (p0, p1) in s_hypotheses)
            {
                var strict = new SprtPlan(p0, p1, delta, delta);
                yield return Test("SPRT, strict bounds", true, p0, p1, p => SprtAudit.Compute(strict, p));
                var wald = new SprtPlan(p0, p1, delta, delta, SprtBounds.Wald);
                yield return Test("SPRT, Wald's bounds", false, p0, p1, p => SprtAudit.Compute(wald, p));
                var truncated = new TruncatedSprt(p0, p1, delta, delta);
                yield return Test("SPRT, truncated", true, p0, p1, p => SprtAudit.Compute(truncated.Decide, p, truncated.Last.Samples));
                yield return Test("single sampling plan", true, p0, p1, SingleSamplingPlan.For(p0, p1, delta, delta).Characteristics);
            }
            var mixture = new MixtureTest(.85, delta);
            yield return Test("mixture test, up to n = 2000", true, .85, .85, p => SprtAudit.Compute(mixture.Decide, p, 2000));
            var bet = new BoundedMeanTest(.85, delta);
            yield return Test("bounded-mean test, up to n = 2000", true, .85, .85, p => SprtAudit.Compute(bet.Decide, p, 2000));
            var bayes = new BayesFactorTest(.85, 1 / delta);
            yield return Test("Bayes factor test, up to n = 2000", false, .85, .85, p => SprtAudit.Compute(bayes.Decide, p, 2000));
            var twoSided = new TwoSidedPlan(.85, .1, delta);
            yield return Worst("two-sided test, .85 +- .1", "wrong verdict", true, delta, grid, p => OfTwoSided(twoSided, p), cancellation);
        }

        AuditLine Interval(string name, bool guarantee, int n, Func<long, long, double, Interval> interval)
        {
            var intervals = Enumerable.Range(0, n + 1).Select(k => interval(k, n, delta)).ToArray();
            return Worst(Text($"interval, {name}, n = {n}"), "not covered", guarantee, delta, grid, p =>
            {
                var error = 0.0;
                for (var k = 0; k <= n; k++)
                    if (!intervals[k].Contains(p)) error += Binomial.PMF(p, n, k);
                return (error, n);
            }, cancellation);
        }

        // The hypotheses belong to the grid of their test: there its error is largest.
        AuditLine Test(string name, bool guarantee, double p0, double p1, Func<double, TestCharacteristics> characteristics)
        {
            double[] all = [.. grid, p0, p1];
            return Worst(Text($"test, {name}, {p0} against {p1}"), "wrong hypothesis accepted", guarantee, delta, all, p =>
            {
                var at = characteristics(p);
                if (p > p0 && p < p1) return (0, at.ExpectedSamples);
                return (p <= p0 && p >= p1 ? Math.Max(at.AcceptH0, at.AcceptH1) : p <= p0 ? at.AcceptH1 : at.AcceptH0, at.ExpectedSamples);
            }, cancellation);
        }
    }

    private static (double Error, double Samples) OfTwoSided(TwoSidedPlan plan, double probability)
    {
        double low = plan.Lower!.P0, high = plan.Upper!.P1;
        var at = SprtAudit.Compute(plan, probability);
        var error = probability <= low ? at.Confirmed + at.Better : probability >= high ? at.Confirmed + at.Worse
            : Math.Abs(probability - plan.Tested) < 1e-12 ? at.Worse + at.Better : 0;
        return (error, at.ExpectedSamples);
    }

    private static AuditLine Worst(
        string rule, string error, bool guarantee, double promised, IReadOnlyList<double> grid, Func<double, (double Error, double Samples)> compute, CancellationToken cancellation)
    {
        double worst = 0, at = grid[0], samples = 0;
        foreach (var probability in grid)
        {
            cancellation.ThrowIfCancellationRequested();
            var here = compute(probability);
            if (here.Error > worst) (worst, at) = (here.Error, probability);
            samples = Math.Max(samples, here.Samples);
        }
        return new(rule, error, guarantee, promised, worst, at, samples);
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
