using MqttCheck.Clients;

namespace MqttCheck.Tests.Clients;

public sealed class RunCountTests
{
    // In the order of issue: 5 ms, 20 ms, failed, 7 ms, unfinished, 6 ms.
    private static readonly Outcome[] s_outcomes =
    [
        Of(5, 6, OutcomeStatus.Completed),
        Of(0, 5, OutcomeStatus.Completed),
        Of(4, 0, OutcomeStatus.Unfinished),
        Of(2, 1, OutcomeStatus.Failed),
        Of(1, 20, OutcomeStatus.Completed),
        Of(3, 7, OutcomeStatus.Completed),
    ];

    [Test]
    public void Outcomes_count_in_issue_order_up_to_the_first_unfinished_one() =>
        Assert.That(
            RunCount.Counted(s_outcomes).Select(outcome => outcome.IssueIndex),
            Is.EqualTo(new long[] { 0, 1, 2, 3 })
        );

    [TestCase(7.1, 2)]
    [TestCase(7, 1)]
    [TestCase(100, 3)]
    public void Successes_are_the_counted_ones_that_completed_below_the_threshold(double threshold, int successes) =>
        Assert.That(RunCount.Of(s_outcomes, threshold), Is.EqualTo(new RunCount(successes, 4)));

    private static Outcome Of(long index, double worst, OutcomeStatus status) =>
        new(1, 0, 0, index, new(worst, 0, 0), status);
}
