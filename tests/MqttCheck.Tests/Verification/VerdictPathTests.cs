using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;
using static MqttCheck.Tests.Requirements.SimulatedBroker;

namespace MqttCheck.Tests.Verification;

public sealed class VerdictPathTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5 };

    // 120 points in all: five runs of 24 sequences have one for each sequence.
    [Test]
    public void The_path_has_a_point_for_each_piece_of_a_run_and_counts_what_came_before()
    {
        var verdict = After(Predicted(.85), s_five, 5, run => Run(run, 24, i => i % 4 != 0)).Conclude();
        var path = verdict.Path;
        Assert.That(
            path.Select(point => (point.Samples, point.Run, point.Successes)),
            Is.EqualTo(Enumerable.Range(1, 120).Select(n => ((long)n, 1 + (n - 1) / 24, (long)(n - (n + 3) / 4))))
        );
        RunCount[] seen = [new(18, 24), new(9, 13)];
        Assert.That(
            (path[36].Lower, path[36].Upper),
            Is.EqualTo((RunEvidence.Of(seen, .75, Guarantee.Model), RunEvidence.Of(seen, .95, Guarantee.Model)))
                .Within(1e-12)
        );
        Assert.That(
            (path[^1].Lower, path[^1].Upper),
            Is.EqualTo((verdict.Lower?.Evidence, verdict.Upper?.Evidence)),
            "it ends where the verdict is"
        );
    }

    [Test]
    public void Runs_with_fewer_sequences_than_pieces_have_a_point_for_each() =>
        Assert.That(
            After(Predicted(.85), s_five, 2, run => Run(run, 3, _ => true))
                .Conclude()
                .Path.Select(point => point.Samples),
            Is.EqualTo(new long[] { 1, 2, 3, 4, 5, 6 })
        );

    [Test]
    public void While_the_test_goes_on_the_path_has_the_ends_of_runs()
    {
        var path = After(Predicted(.85), s_five, .85).AddRun(Run(1, 20, _ => true)).Path;
        Assert.That(path.Select(point => (point.Run, point.Samples)), Is.EqualTo(new[] { (1, 1000L), (2, 1020L) }));
    }

    [Test]
    public void Without_a_run_there_is_no_path() =>
        Assert.That(After(Predicted(.85), s_five).Conclude().Path, Is.Empty);
}
