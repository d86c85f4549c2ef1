using MqttCheck.Clients;
using MqttCheck.Sequential;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Sequential;

/// <summary>
/// 100 clients at once, whose misses take ten times longer than their hits: a test that counts results as they finish
/// sees the hits first.
/// </summary>
[TestFixture]
public sealed class IssueOrderTests
{
    private const int Clients = 100;

    // Truth .85 against the better hypothesis .95 with an error of .01. Seed 31; 300 tests: the nominal rate gives 12
    // or more wrong ones with probability 1e-4.
    [Test]
    public void Issue_order_keeps_the_nominal_error_and_completion_order_does_not()
    {
        const int tests = 300;
        var plan = new SprtPlan(.85, .95, .01, .01);
        int wrongByIssue = 0,
            wrongByCompletion = 0;
        for (ulong i = 0; i < tests; i++)
        {
            var random = RandomStream.For(31, i);
            var sequences = ClosedLoop(60, .85, ref random);
            if (Decide(plan, sequences.OrderBy(sequence => sequence.Issued)) == SprtDecision.AcceptH1)
                wrongByIssue++;
            if (Decide(plan, sequences.OrderBy(sequence => sequence.Finished)) == SprtDecision.AcceptH1)
                wrongByCompletion++;
        }
        Assert.That(wrongByIssue, Is.LessThan(12));
        Assert.That(wrongByCompletion, Is.GreaterThan(tests * 9 / 10));
    }

    // Runs that end while sequences are under way. The finished ones alone look much better than the truth; up to the
    // first unfinished one they do not. Seed 32.
    [Test]
    public void A_run_cut_short_does_not_favour_fast_outcomes()
    {
        var point = SimulatedBroker.Predicted(.85);
        PredictionTest sound = new(point, new()),
            naive = new(point, new());
        for (var run = 1; run <= 8; run++)
        {
            var random = RandomStream.For(32, (ulong)run);
            const double end = 30;
            Outcome[] outcomes =
            [
                .. ClosedLoop(60, .85, ref random)
                    .Where(sequence => sequence.Issued < end)
                    .OrderBy(sequence => sequence.Issued)
                    .Select(
                        (sequence, index) =>
                            SimulatedBroker.Of(run, index, sequence.Hit) with
                            {
                                Status = sequence.Finished < end ? OutcomeStatus.Completed : OutcomeStatus.Unfinished,
                            }
                    ),
            ];
            sound.AddRun(outcomes);
            naive.AddRun([.. outcomes.Where(outcome => outcome.Status == OutcomeStatus.Completed)]);
        }
        Assert.That(sound.Conclude().Observed, Is.EqualTo(.85).Within(.02));
        Assert.That(naive.Conclude().Observed, Is.GreaterThan(sound.Conclude().Observed!.Value + .02));
        Assert.That(sound.Conclude().NotCounted, Is.GreaterThan(0));
    }

    private static SprtDecision Decide(SprtPlan plan, IEnumerable<Sequence> sequences)
    {
        var test = new SequentialProbabilityRatioTest(plan);
        foreach (var sequence in sequences)
            if (test.Add(sequence.Hit) != SprtDecision.Undecided)
                break;
        return test.Decision;
    }

    // Every client begins a sequence when its last one is finished; a hit takes about 1, a miss about 10.
    private static List<Sequence> ClosedLoop(int sequencesPerClient, double probability, ref RandomStream random)
    {
        var all = new List<Sequence>();
        for (var client = 0; client < Clients; client++)
        {
            var now = random.NextDouble();
            for (var i = 0; i < sequencesPerClient; i++)
            {
                var hit = random.NextDouble() < probability;
                var finished = now + (hit ? 1 : 10) * (.5 + random.NextDouble());
                all.Add(new(now, finished, hit));
                now = finished;
            }
        }
        return all;
    }

    private readonly record struct Sequence(double Issued, double Finished, bool Hit);
}
