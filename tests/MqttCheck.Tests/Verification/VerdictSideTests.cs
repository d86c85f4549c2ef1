using MqttCheck.Sequential;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Verification;

public sealed class VerdictSideTests
{
    [TestCase(3, true, SprtDecision.AcceptH1)]
    [TestCase(2.999, true, SprtDecision.Undecided)]
    [TestCase(0, true, SprtDecision.Undecided)]
    [TestCase(-1.999, true, SprtDecision.Undecided)]
    [TestCase(-2, true, SprtDecision.AcceptH0)]
    [TestCase(5, false, SprtDecision.Undecided)]
    [TestCase(-5, false, SprtDecision.Undecided)]
    public void A_side_is_decided_from_its_bound_on_unless_rare_states_may_be_the_cause(
        double evidence,
        bool areExcluded,
        SprtDecision expected
    ) => Assert.That(new VerdictSide(.75, evidence, 3, 2, areExcluded).Decision, Is.EqualTo(expected));

    [TestCase(.1, 3)]
    [TestCase(-.1, 2)]
    public void Its_bound_is_that_of_the_side_where_the_runs_lie(double evidence, double bound) =>
        Assert.That(new VerdictSide(.75, evidence, 3, 2).Bound, Is.EqualTo(bound));
}
