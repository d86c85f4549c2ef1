using MqttCheck.Sequential.Runs;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

public sealed class VerdictPathTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5 };

    // 120 points in all: five runs of 24 sequences have one for each sequence.
    [Test]
    public void The_path_has_a_point_for_each_piece_of_a_run_and_counts_what_came_before()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 0; run < 5; run++)
            test.AddRun([.. Enumerable.Range(0, 24).Select(i => SimulatedBroker.Of(run, i, i % 4 != 0))]);
        var path = test.Conclude().Path;
        using var _ = Assert.EnterMultipleScope();
        Assert.That(path.Select(point => point.Samples), Is.EqualTo(Enumerable.Range(1, 120).Select(n => (long)n)));
        Assert.That(path.Select(point => point.Run), Is.EqualTo(Enumerable.Range(0, 120).Select(i => 1 + i / 24)));
        Assert.That(
            path.Select(point => point.Successes),
            Is.EqualTo(Enumerable.Range(1, 120).Select(n => (long)(n - (n + 3) / 4)))
        );
        Assert.That(
            path[36].Lower,
            Is.EqualTo(RunEvidence.Of([new(18, 24), new(9, 13)], .75, Guarantee.Model)).Within(1e-12)
        );
        Assert.That(
            path[36].Upper,
            Is.EqualTo(RunEvidence.Of([new(18, 24), new(9, 13)], .95, Guarantee.Model)).Within(1e-12)
        );
    }

    [Test]
    public void Runs_with_fewer_sequences_than_pieces_have_a_point_for_each()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        for (var run = 0; run < 2; run++)
            test.AddRun([.. Enumerable.Range(0, 3).Select(i => SimulatedBroker.Of(run, i, true))]);
        Assert.That(test.Conclude().Path.Select(point => point.Samples), Is.EqualTo(new long[] { 1, 2, 3, 4, 5, 6 }));
    }

    [Test]
    public void While_the_test_goes_on_the_path_has_the_ends_of_runs()
    {
        var test = new PredictionTest(SimulatedBroker.Predicted(.85), s_five);
        test.AddRun([.. Enumerable.Range(0, 30).Select(i => SimulatedBroker.Of(0, i, true))]);
        var path = test.AddRun([.. Enumerable.Range(0, 20).Select(i => SimulatedBroker.Of(1, i, true))]).Path;
        Assert.That(path.Select(point => (point.Run, point.Samples)), Is.EqualTo(new[] { (1, 30L), (2, 50L) }));
    }

    [Test]
    public void Without_a_run_there_is_no_path() =>
        Assert.That(new PredictionTest(SimulatedBroker.Predicted(.85), s_five).Conclude().Path, Is.Empty);
}
