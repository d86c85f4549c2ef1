using MqttCheck.Auditing.Promises;
using MqttCheck.Health;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Testing.Sequences;
using MqttCheck.Verification;

namespace MqttCheck.Testing.Tests.Sequences;

/// <summary>
/// The stated error of a requirement on actions, by the rule of the audit: simulated outcomes, so without time.
/// </summary>
[TestFixture]
internal sealed class SequenceErrorTests
{
    private const int Clients = 60;

    // A thousand measurements of each cell at first, seed 31. The bounds are 99 % for all cells together.
    [Test]
    [Category("Whole")]
    public void A_verdict_on_actions_is_wrong_at_most_as_often_as_stated()
    {
        var cells = new[] { .9, .95, .99 }
            .SelectMany(required => new[] { Cell(required, isMet: false), Cell(required, isMet: true) })
            .ToArray();
        var results = PromiseTable.Run([new Audit(cells)], seed: 31, fewestTrials: 1000, threads: 2).ToArray();
        foreach (var result in results)
            TestContext.Out.WriteLine(
                $"{result.Cell.Subject}, {result.Cell.Situation}: wrong {result.Count.Wrong}, "
                    + $"withheld {result.Count.Withheld} of {result.Count.Trials}: {result.Status}"
            );
        Assert.That(results, Has.All.Matches<PromiseResult>(result => result.Status == PromiseStatus.Kept));
        Assert.That(
            results,
            Has.All.Matches<PromiseResult>(result => result.Count.WithheldShare < .2),
            "always withholding is no solution"
        );
    }

    private static PromiseCell Cell(double required, bool isMet)
    {
        var options = new RequirementOptions
        {
            Probability = required,
            LargestCorrelation = required > .97 ? .05 : RunLikelihood.LargestCorrelation,
        };
        var plan = RequirementPlan.For(options, Clients, 1);
        var truth = isMet ? required : required - options.EffectiveIndifference;
        return new()
        {
            Subject = FormattableString.Invariant($"{required} required"),
            Situation = FormattableString.Invariant($"{truth} true"),
            Law = RunLaw.BetaBinomial(VerificationPlan.QuietInflation),
            Guarantee = Guarantee.Model,
            Promise = options.Error,
            Trial = random =>
            {
                var test = new RequirementTest(options, plan);
                for (var run = 0; run < plan.Runs + 4; run++)
                {
                    var samples = Simulate(run, plan.Rounds, truth, ref random).Samples(MeasuredLatency.Any, false);
                    var verdict = test.Decide(new(samples.Count(sample => sample < 100), samples.Count));
                    if (verdict != RequirementVerdict.Withheld)
                        return (verdict == RequirementVerdict.Met) == isMet ? TrialOutcome.Right : TrialOutcome.Wrong;
                }
                return TrialOutcome.Withheld;
            },
        };
    }

    // What an action yields that is late, throws or takes too long with the rest of the probability; those that only
    // warm up all fail.
    private static SequenceRun Simulate(int run, int rounds, double truth, ref RandomStream random)
    {
        var sequences = new List<MeasuredSequence>();
        for (var index = 0; index < Clients * (rounds + 1); index++)
        {
            var isCounted = index >= Clients;
            var isGood = isCounted && random.NextDouble() < truth;
            sequences.Add(
                new()
                {
                    Run = run,
                    Client = index % Clients,
                    Sequence = index / Clients,
                    IssueIndex = index,
                    IsCounted = isCounted,
                    DurationMilliseconds = 1,
                    LagMilliseconds = 0,
                    Steps =
                        isGood ? [new("a", 10)]
                        : index % 3 == 0 ? [new("a", 10), new("a", 200)]
                        : [],
                    End =
                        isGood || index % 3 == 0 ? SequenceEnd.Succeeded
                        : index % 3 == 1 ? SequenceEnd.Threw
                        : SequenceEnd.TimedOut,
                }
            );
        }
        return new(sequences, new() { Loop = LoadLoop.Closed }, WarmUp.Unknown);
    }

    private sealed record Audit(IReadOnlyList<PromiseCell> Cells) : IPromiseAudit
    {
        public string Title => "Actions";

        public string Description => "Simulated actions.";
    }
}
