using MathNet.Numerics.Distributions;
using MqttCheck.Predictions;
using MqttCheck.Properties;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Auditing;

/// <summary>
/// Compares what statistical rules promise with what they keep: the true error of each is computed exactly, by dynamic
/// programming over (samples, successes), for a grid of true probabilities.
/// </summary>
internal static class RuleAudit
{
    private static readonly double[] s_ends = [.0005, .001, .002, .005, .01, .02];

    private static readonly (double P0, double P1)[] s_hypotheses =
    [
        (.0005, .005),
        (.45, .55),
        (.85, .95),
        (.99, .999),
    ];

    /// <summary>True probabilities, in ascending order: both ends closely, and steps of .05 between.</summary>
    public static IReadOnlyList<double> CoarseGrid { get; } =
    [
        .. s_ends
            .Concat(Enumerable.Range(1, 19).Select(i => Math.Round(i * .05, 2)))
            .Concat(s_ends.Select(end => 1 - end))
            .Order(),
    ];

    /// <summary>True probabilities in steps of .0005, without 0 and 1.</summary>
    public static IReadOnlyList<double> FineGrid { get; } =
    [.. Enumerable.Range(1, 1999).Select(i => Math.Round(i * .0005, 4))];

    /// <summary>Every rule whose error can be computed.</summary>
    /// <param name="epsilon">Half width of the estimation rules, in (0, .5).</param>
    /// <param name="delta">Error promised by every rule, in (0, .5).</param>
    public static IReadOnlyList<AuditedRule> Rules(double epsilon = .05, double delta = .01)
    {
        var rules = new RuleList(delta);
        rules.AddEstimations(epsilon);
        rules.AddIntervals();
        rules.AddTests();
        return rules.Rules;
    }

    private static (double Error, double Samples) OfTwoSided(TwoSidedPlan plan, double probability)
    {
        double low = plan.Lower!.P0,
            high = plan.Upper!.P1;
        var at = SprtAudit.Compute(plan, probability);
        var error =
            probability <= low ? at.Confirmed + at.Better
            : probability >= high ? at.Confirmed + at.Worse
            : Math.Abs(probability - plan.Tested) < 1e-12 ? at.Worse + at.Better
            : 0;
        return (error, at.ExpectedSamples);
    }

    private sealed class RuleList(double delta)
    {
        public List<AuditedRule> Rules { get; } = [];

        public void AddEstimations(double epsilon)
        {
            foreach (var rule in EstimationRules.All.Select(one => one.Create(epsilon, delta)))
            {
                var remembered = new RememberedRule<bool>(
                    rule.IsEnough,
                    enough => enough ? (byte)1 : (byte)0,
                    number => number == 1
                );
                Rules.Add(
                    new(
                        Invariant($"estimate, {rule.Name}, +-{epsilon}"),
                        "estimate off by more",
                        rule.IsGuarantee,
                        delta,
                        p =>
                        {
                            var (error, samples) = EstimationAudit.Compute(remembered.Answer, rule.Epsilon, p);
                            return (error, samples);
                        }
                    )
                );
            }
        }

        public void AddIntervals()
        {
            foreach (var n in new[] { 20, 100, 1000 })
            {
                Interval("Clopper-Pearson", true, n, BinomialIntervals.ClopperPearson);
                Interval("Wilson, approximate", false, n, BinomialIntervals.WilsonApproximate);
            }
            // Means of replications vary most where all clients of each agree.
            Interval(
                "empirical Bernstein and Hoeffding",
                true,
                1060,
                (k, n, error) => PredictionBounds.OfMeans(k, k, (int)n, error)
            );
            Rules.Add(
                new(
                    "interval, anytime mixture, up to n = 1000",
                    "not covered at some time",
                    true,
                    delta,
                    p =>
                        (
                            SprtAudit
                                .Compute(
                                    (successes, n) =>
                                        BinomialIntervals.MixtureLogEvidence(successes, n, p) > -Math.Log(delta)
                                            ? SprtDecision.AcceptH0
                                            : SprtDecision.Undecided,
                                    p,
                                    1000
                                )
                                .AcceptH0,
                            1000
                        )
                )
            );
        }

        public void AddTests()
        {
            foreach (var (p0, p1) in s_hypotheses)
            {
                var strict = new SprtPlan(p0, p1, delta, delta);
                Test("SPRT, strict bounds", true, p0, p1, p => SprtAudit.Compute(strict, p));
                var wald = new SprtPlan(p0, p1, delta, delta, SprtBounds.Wald);
                Test("SPRT, Wald's bounds", false, p0, p1, p => SprtAudit.Compute(wald, p));
                var truncated = new TruncatedSprt(p0, p1, delta, delta);
                Test(
                    "SPRT, truncated",
                    true,
                    p0,
                    p1,
                    p => SprtAudit.Compute(truncated.Decide, p, truncated.Last.Samples)
                );
                Test(
                    "single sampling plan",
                    true,
                    p0,
                    p1,
                    SingleSamplingPlan.For(p0, p1, delta, delta).Characteristics
                );
            }
            Threshold("mixture test", true, new MixtureTest(.85, delta).Decide);
            Threshold("bounded-mean test", true, new BoundedMeanTest(.85, delta).Decide);
            Threshold("Bayes factor test", false, new BayesFactorTest(.85, 1 / delta).Decide);
            var twoSided = new TwoSidedPlan(.85, .1, delta);
            Rules.Add(
                new(
                    "two-sided test, .85 +- .1",
                    "wrong verdict",
                    true,
                    delta,
                    p => OfTwoSided(twoSided, p),
                    twoSided.Lower!.P0,
                    twoSided.Upper!.P1
                )
            );
        }

        private void Interval(string name, bool guarantee, int n, Func<long, long, double, Interval> interval)
        {
            var intervals = Enumerable.Range(0, n + 1).Select(k => interval(k, n, delta)).ToArray();
            Rules.Add(
                new(
                    Invariant($"interval, {name}, n = {n}"),
                    "not covered",
                    guarantee,
                    delta,
                    p =>
                    {
                        var error = 0.0;
                        for (var k = 0; k <= n; k++)
                            if (!intervals[k].Contains(p))
                                error += Binomial.PMF(p, n, k);
                        return (error, n);
                    }
                )
            );
        }

        private void Test(
            string name,
            bool guarantee,
            double p0,
            double p1,
            Func<double, TestCharacteristics> characteristics
        ) =>
            Rules.Add(
                new(
                    Invariant($"test, {name}, {p0} against {p1}"),
                    "wrong hypothesis accepted",
                    guarantee,
                    delta,
                    p =>
                    {
                        var at = characteristics(p);
                        if (p > p0 && p < p1)
                            return (0, at.ExpectedSamples);
                        return (
                            p <= p0 && p >= p1 ? Math.Max(at.AcceptH0, at.AcceptH1)
                            : p <= p0 ? at.AcceptH1
                            : at.AcceptH0,
                            at.ExpectedSamples
                        );
                    },
                    p0,
                    p1
                )
            );

        // Without an indifference region a test may take for ever: it is followed up to a number of outcomes.
        private void Threshold(string name, bool guarantee, Func<long, long, SprtDecision> decide)
        {
            var remembered = new RememberedRule<SprtDecision>(
                decide,
                decision => (byte)decision,
                number => (SprtDecision)number
            );
            Test($"{name}, up to n = 2000", guarantee, .85, .85, p => SprtAudit.Compute(remembered.Answer, p, 2000));
        }
    }
}
