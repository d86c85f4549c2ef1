using MathNet.Numerics;
using MathNet.Numerics.Distributions;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Designs;

/// <summary>
/// Ways to reject a threshold from a handful of runs, tried beside each other at the same number of runs: why the test
/// of a verdict is what it is: <c>verdict-designs</c>.
/// </summary>
internal static class VerdictDesigns
{
    /// <summary>The predicted probability, and how far from it a threshold is.</summary>
    public const double Predicted = .85,
        Indifference = .1;

    private const double Error = .01;

    private static readonly (string Name, Func<Look, bool> Rejects)[] s_designs =
    [
        ("likelihood", look => look.Likelihood),
        ("Student's t", look => look.StudentOfShares),
        ("t of logits", look => look.StudentOfLogits),
        ("sign flips", look => look.SignFlips),
        ("likelihood and t of logits", look => look.Likelihood && look.StudentOfLogits),
        ("likelihood and sign flips", look => look.Likelihood && look.SignFlips),
        ("likelihood with a bad-run component", look => look.Likelihood && look.Mixture),
        ("likelihood and runs that stand apart", look => look.Likelihood && look.Apart),
    ];

    /// <summary>Prints the table, in minutes.</summary>
    public static int Run()
    {
        Console.WriteLine(
            "| law | truth | runs | cannot be seen | "
                + string.Join(" | ", s_designs.Select(design => design.Name))
                + " |"
        );
        foreach (var (runs, sequences) in new[] { (8, 350), (12, 150) })
        foreach (var law in RunLaw.All)
        foreach (var truth in new[] { Predicted - Indifference, Predicted }.Where(law.CanHave))
        {
            var shares = Shares(law, truth, runs, sequences, 2000, s_designs);
            Console.WriteLine(
                Invariant($"| {law.Name} | {truth} | {runs} x {Math.Max(sequences, law.FewestSequences)} | ")
                    + Invariant($"{law.Silence(runs):0.000} | ")
                    + string.Join(" | ", shares.Select(share => Invariant($"{share:0.000}")))
                    + " |"
            );
        }
        return 0;
    }

    /// <summary>The shares of the likelihood alone, and of the design that was kept.</summary>
    public static (double Likelihood, double Kept) Chosen(
        RunLaw law,
        double truth,
        int runs,
        int sequences,
        int simulations
    )
    {
        var shares = Shares(law, truth, runs, sequences, simulations, s_designs[0], s_designs[^1]);
        return (shares[0], shares[1]);
    }

    // The share of simulations with a verdict, of each design: all of them are wrong where the truth is the threshold,
    // and nearly all confirm where it is the prediction.
    private static double[] Shares(
        RunLaw law,
        double truth,
        int runs,
        int sequences,
        int simulations,
        params (string Name, Func<Look, bool> Rejects)[] designs
    )
    {
        var fill = law.Runs(Math.Round(truth, 9), Math.Max(sequences, law.FewestSequences));
        var counts = new int[designs.Length];
        Parallel.For(
            0,
            simulations,
            number =>
            {
                var random = RandomStream.For(71, (ulong)number);
                var drawn = new RunCount[runs];
                fill(drawn, ref random);
                var mean = drawn.Average(run => (double)run.Successes / run.Samples);
                Look below = new(drawn, Predicted - Indifference),
                    above = new(drawn, Predicted + Indifference);
                var (isWorse, isBetter) = (mean < Predicted - Indifference, mean > Predicted + Indifference);
                for (var design = 0; design < designs.Length; design++)
                    if ((isBetter || designs[design].Rejects(below)) && (isWorse || designs[design].Rejects(above)))
                        Interlocked.Increment(ref counts[design]);
            }
        );
        return Array.ConvertAll(counts, count => (double)count / simulations);
    }

    private sealed class Look
    {
        private readonly RunCount[] _runs;
        private readonly double _threshold,
            _sign,
            _bound,
            _t;
        private readonly double[] _shares;

        public Look(RunCount[] runs, double threshold)
        {
            (_runs, _threshold) = (runs, threshold);
            _shares = Array.ConvertAll(runs, run => (double)run.Successes / run.Samples);
            _sign = Math.Sign(_shares.Average() - threshold);
            _bound = RunLikelihood.DevianceBound(runs.Length, Error / 2, threshold, areAbove: _sign >= 0);
            _t = StudentT.InvCDF(0, 1, runs.Length - 1, 1 - Error / 2);
        }

        public bool Likelihood => RunLikelihood.Deviance(_runs, _threshold) >= _bound;

        public bool Apart => RareStateTest.Excludes(_runs, _threshold, Error / 2);

        public bool StudentOfShares =>
            Student([.. _shares.Select(share => share - _threshold)], _threshold * (1 - _threshold) / _runs[0].Samples);

        public bool StudentOfLogits =>
            Student(
                [
                    .. _runs.Select(run =>
                        Math.Log((run.Successes + .5) / (run.Samples - run.Successes + .5))
                        - Math.Log(_threshold / (1 - _threshold))
                    ),
                ],
                1 / (_runs[0].Samples * _threshold * (1 - _threshold))
            );

        // Exact for laws that are symmetric around the threshold.
        public bool SignFlips
        {
            get
            {
                double[] deviations = [.. _shares.Select(share => _sign * (share - _threshold))];
                double sum = deviations.Sum();
                var asLarge = 0;
                for (var flips = 0; flips < 1 << deviations.Length; flips++)
                {
                    var flipped = 0.0;
                    for (var i = 0; i < deviations.Length; i++)
                        flipped += (flips >> i & 1) == 0 ? deviations[i] : -deviations[i];
                    if (flipped >= sum - 1e-12)
                        asLarge++;
                }
                return asLarge <= Error / 2 * (1 << deviations.Length);
            }
        }

        // Each run belongs to one of two beta-binomial laws; under the threshold the rare one has at least the share
        // that so many runs show.
        public bool Mixture
        {
            get
            {
                double best = RunLikelihood.LogLikelihood(_runs, Math.Clamp(_shares.Average(), .001, .999)),
                    at = RunLikelihood.LogLikelihood(_runs, _threshold);
                var seen = UnseenShare.After(_runs.Length, Error / 2);
                foreach (var rho in new[] { .003, .02, .1 })
                {
                    foreach (
                        var good in Enumerable
                            .Range(0, 10)
                            .Select(i => _threshold + _sign * (_sign > 0 ? 1 - _threshold : _threshold) * (i + .5) / 10)
                            .Append(_shares.Average())
                    )
                    {
                        foreach (var bad in Enumerable.Range(0, 10).Select(i => (i + .5) / 10))
                        {
                            if ((good - _threshold) / (good - bad) is > 0 and < 1 and var share && share >= seen)
                                at = Math.Max(at, OfTwo(good, bad, share, rho));
                            foreach (var some in new[] { .05, .1, .2, .35, .5 })
                                best = Math.Max(best, OfTwo(good, bad, some, rho));
                        }
                    }
                }
                return Math.Max(best, at) - at >= _bound;
            }
        }

        private bool Student(double[] deviations, double least)
        {
            var mean = deviations.Average();
            var variance = Math.Max(
                deviations.Sum(value => (value - mean) * (value - mean)) / (deviations.Length - 1),
                least
            );
            return _sign * mean >= _t * Math.Sqrt(variance / deviations.Length);
        }

        private double OfTwo(double good, double bad, double share, double rho)
        {
            var sum = 0.0;
            foreach (var run in _runs)
            {
                double ofGood = BetaBinomial(run, good, rho),
                    ofBad = BetaBinomial(run, bad, rho),
                    larger = Math.Max(ofGood, ofBad);
                sum += larger + Math.Log((1 - share) * Math.Exp(ofGood - larger) + share * Math.Exp(ofBad - larger));
            }
            return sum;
        }

        private static double BetaBinomial(RunCount run, double probability, double rho)
        {
            double concentration = 1 / rho - 1,
                a = probability * concentration,
                b = (1 - probability) * concentration;
            return SpecialFunctions.GammaLn(run.Successes + a)
                + SpecialFunctions.GammaLn(run.Samples - run.Successes + b)
                - SpecialFunctions.GammaLn(run.Samples + concentration)
                - SpecialFunctions.GammaLn(a)
                - SpecialFunctions.GammaLn(b)
                + SpecialFunctions.GammaLn(concentration);
        }
    }
}
