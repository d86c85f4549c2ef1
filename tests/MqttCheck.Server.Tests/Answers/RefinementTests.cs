using MqttCheck.Server.Answers;

namespace MqttCheck.Server.Tests.Answers;

/// <summary>How much is simulated, and where.</summary>
[TestFixture]
internal sealed class RefinementTests
{
    [TestCase(1)]
    [TestCase(130)]
    [TestCase(20_000)]
    public void Answers_get_better_and_stay_within_memory(int clients)
    {
        var steps = Refinement.Steps(clients);
        Assert.That(steps, Is.Ordered.Ascending.And.Unique.And.All.Positive);
        Assert.That((long)steps[^1] * clients, Is.LessThanOrEqualTo(2_000_000));
    }

    [Test]
    public void A_usual_answer_ends_as_the_command_does() => Assert.That(Refinement.Steps(130)[^1], Is.EqualTo(1060));

    [TestCase(1, 100)]
    [TestCase(130, 100)]
    [TestCase(310, null)]
    [TestCase(20_000, 100)]
    public void A_curve_has_the_number_asked_for_and_the_edge_of_training(int clients, int? trained)
    {
        var counts = Refinement.CurveCounts(clients, trained, 20_000);
        Assert.That(counts, Does.Contain(clients).And.Ordered.Ascending.And.Unique.And.All.InRange(1, 20_000));
        if (trained < 3 * clients)
            Assert.That(counts, Does.Contain(trained));
    }
}
