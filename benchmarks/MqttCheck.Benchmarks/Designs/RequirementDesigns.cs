using MathNet.Numerics.Distributions;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Requirements;
using MqttCheck.Statistics;

namespace MqttCheck.Benchmarks.Designs;

/// <summary>
/// What was tried to make the default test of a requirement more robust against rare bad runs, on the same simulated
/// runs: <c>requirement-designs</c>, the table in docs/reference/method.md. Each design adds a condition to Student's
/// t and the likelihood of correlated runs.
/// </summary>
internal static class RequirementDesigns
{
    private const int Measurements = 2000,
        MoreRuns = 4;

    private const double SmallestShare = .3;

    private delegate bool Condition(ReadOnlySpan<RunCount> runs, double rejected, bool isMet, double error);

    private static readonly (string Name, Condition Adds)[] s_designs =
    [
        ("nothing (kept)", (_, _, _, _) => true),
        (
            "Student's t with one more run like the worst",
            (runs, rejected, isMet, error) => WithOneMore(runs, rejected, isMet, error)
        ),
        ("Student's t of the logits", (runs, rejected, isMet, error) => OfLogits(runs, rejected, isMet, error)),
        (
            "as many runs as see a state in 30 %",
            (runs, _, _, error) => Math.Pow(1 - SmallestShare, runs.Length) <= error
        ),
        ("a likelihood with a bad state in 30 % or more", OfMixture),
    ];

    /// <summary>Prints the table, in a minute.</summary>
    public static int Run()
    {
        foreach (var required in new[] { .9, .95 })
        {
            var options = new RequirementOptions { Probability = required };
            var plan = RequirementPlan.For(options, 60, 1);
            var samples = plan.Rounds * 60;
            var low = required - options.EffectiveIndifference;
            RunLaw[] laws =
            [
                RunLaw.BetaBinomial(1.2),
                RunLaw.BetaBinomial(8),
                RunLaw.RareRuns(.1, .2),
                RunLaw.RareRuns(.1, .5),
                RunLaw.RareRuns(.15, .5),
                RunLaw.RareRuns(.22, .4),
                RunLaw.RareRuns(.3, .4),
                RunLaw.RareRuns(.3, .6),
                RunLaw.LogNormalMisses(.8),
            ];
            Console.WriteLine(FormattableString.Invariant($"required {required}: {plan}"));
            foreach (var (name, adds) in s_designs)
            {
                var line = $"{name}: ";
                var perfect = Enumerable
                    .Range(3, 60)
                    .FirstOrDefault(runs =>
                        Decide(
                            options,
                            plan,
                            adds,
                            [.. Enumerable.Repeat(new RunCount(samples, samples), runs)],
                            anyLook: true
                        ).Verdict == RequirementVerdict.Met
                    );
                line +=
                    perfect == 0
                        ? "always in time more than 62 runs"
                        : FormattableString.Invariant($"always in time {perfect} runs");
                foreach (var law in laws.Where(law => law.CanHave(low)))
                {
                    var most = plan.Runs + MoreRuns;
                    var share = Share(options, plan, adds, law, low, samples, most, RequirementVerdict.Met);
                    line += FormattableString.Invariant($"; {law} passes at p - d {share:0.000}");
                }
                foreach (
                    var (truth, right) in new[]
                    {
                        (required, RequirementVerdict.Met),
                        (low, RequirementVerdict.Violated),
                    }
                )
                    line +=
                        FormattableString.Invariant($"; power at {truth:0.##} ")
                        + FormattableString.Invariant(
                            $"{Share(options, plan, adds, laws[0], truth, samples, plan.Runs, right):0.000}"
                        );
                Console.WriteLine(line);
            }
        }
        return 0;
    }

    private static double Share(
        RequirementOptions options,
        RequirementPlan plan,
        Condition adds,
        RunLaw law,
        double truth,
        int samples,
        int most,
        RequirementVerdict verdict
    )
    {
        var fill = law.Runs(truth, samples);
        var runs = new RunCount[most];
        var found = 0;
        for (ulong number = 0; number < Measurements; number++)
        {
            var random = RandomStream.For(58, number);
            fill(runs, ref random);
            if (Decide(options, plan, adds, runs, anyLook: false).Verdict == verdict)
                found++;
        }
        return (double)found / Measurements;
    }

    private static (RequirementVerdict Verdict, int Runs) Decide(
        RequirementOptions options,
        RequirementPlan plan,
        Condition adds,
        RunCount[] runs,
        bool anyLook
    )
    {
        for (var made = anyLook ? runs.Length : 3; made <= runs.Length; made++)
        {
            var seen = runs.AsSpan(0, made);
            var verdict = RequirementTest.Look(seen, options, side => anyLook ? .5 : plan.ErrorShare(made, side));
            if (verdict == RequirementVerdict.Withheld)
                continue;
            var isMet = verdict == RequirementVerdict.Met;
            var error = options.Error * (anyLook ? .5 : plan.ErrorShare(made, verdict));
            if (
                adds(
                    seen,
                    isMet ? options.Probability - options.EffectiveIndifference : options.Probability,
                    isMet,
                    error
                )
            )
                return (verdict, made);
        }
        return (RequirementVerdict.Withheld, runs.Length);
    }

    private static double Share(RunCount run) => (double)run.Successes / run.Samples;

    private static bool WithOneMore(ReadOnlySpan<RunCount> runs, double rejected, bool isMet, double error)
    {
        var shares = runs.ToArray().Select(Share).ToList();
        shares.Add(isMet ? shares.Min() : shares.Max());
        return Exceeds(
            [.. shares.Select(share => share - rejected)],
            rejected * (1 - rejected) / runs[0].Samples,
            isMet,
            error
        );
    }

    private static bool OfLogits(ReadOnlySpan<RunCount> runs, double rejected, bool isMet, double error)
    {
        var at = Math.Log(rejected / (1 - rejected));
        return Exceeds(
            [.. runs.ToArray().Select(run => Math.Log((run.Successes + .5) / (run.Samples - run.Successes + .5)) - at)],
            1 / (rejected * (1 - rejected) * runs[0].Samples),
            isMet,
            error
        );
    }

    private static bool Exceeds(double[] values, double leastVariance, bool isMet, double error)
    {
        var mean = values.Average();
        var variance = Math.Max(
            leastVariance,
            values.Sum(value => (value - mean) * (value - mean)) / (values.Length - 1)
        );
        return (isMet ? mean : -mean)
            >= StudentT.InvCDF(0, 1, values.Length - 1, 1 - error) * Math.Sqrt(variance / values.Length);
    }

    // Two normal components; the bad one has a share of at least three tenths. Its largest likelihood at the hypothesis
    // beside the largest anywhere.
    private static bool OfMixture(ReadOnlySpan<RunCount> runs, double rejected, bool isMet, double error)
    {
        var samples = runs[0].Samples;
        double[] shares = [.. runs.ToArray().Select(run => isMet ? Share(run) : 1 - Share(run))];
        var mean = isMet ? rejected : 1 - rejected;
        double here = double.NegativeInfinity,
            anywhere = double.NegativeInfinity;
        for (var share = SmallestShare; share < .95; share += .1)
        {
            for (var bad = .02; bad < 1; bad += .04)
            {
                if ((mean - share * bad) / (1 - share) is var good && good >= bad && good <= 1)
                    here = Math.Max(here, LogLikelihood(share, bad, good));
                for (good = bad; good <= 1; good += .02)
                    anywhere = Math.Max(anywhere, LogLikelihood(share, bad, good));
            }
        }
        return anywhere - here >= -Math.Log(error);

        double LogLikelihood(double share, double bad, double good)
        {
            double ofBad = 1.5 * Math.Max(bad * (1 - bad), .01) / samples,
                ofGood = 1.5 * Math.Max(good * (1 - good), 1.0 / samples) / samples,
                sum = 0;
            foreach (var x in shares)
                sum += Math.Log(share * Density(x - bad, ofBad) + (1 - share) * Density(x - good, ofGood) + 1e-30);
            return sum;
        }

        static double Density(double distance, double variance) =>
            Math.Exp(-distance * distance / (2 * variance)) / Math.Sqrt(variance);
    }
}
