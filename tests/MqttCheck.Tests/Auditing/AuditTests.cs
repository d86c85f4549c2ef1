using MqttCheck.Auditing;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;

namespace MqttCheck.Tests.Auditing;

[TestFixture]
public sealed class AuditTests
{
    private static readonly Lazy<AuditLine[]> s_coarse = new(() => [.. Lines(RuleAudit.CoarseGrid, threads: 2)]);

    [Test]
    public void No_rule_offered_as_a_guarantee_exceeds_its_promise()
    {
        Assert.That(RuleAudit.CoarseGrid, Does.Contain(.0005).And.Contain(.999));
        foreach (var line in s_coarse.Value)
            if (line.IsGuarantee)
                Assert.That(line.IsKept, line.ToString());
    }

    [Test]
    public void The_audit_finds_rules_that_break_their_promise()
    {
        var broken = s_coarse.Value.Where(line => !line.IsKept).Select(line => line.Rule).ToArray();
        Assert.That(broken, Has.Some.Contains("Wilson"));
        Assert.That(broken, Has.Some.Contains("Wald's bounds, 0.99 against 0.999"));
        Assert.That(broken, Has.Some.Contains("Bayes"));
    }

    [Test]
    public void The_number_of_threads_does_not_matter()
    {
        double[] grid = [.3, .85, .999];
        Assert.That(Lines(grid, .2, .1, threads: 3), Is.EqualTo(Lines(grid, .2, .1)));
    }

    [Test]
    public void A_test_without_indifference_region_decides_rightly_or_not_at_all()
    {
        var test = new MixtureTest(.85, .01);
        var at = SprtAudit.Compute(test.Decide, .95, 1000);
        Assert.That(at.AcceptH1, Is.GreaterThan(.99));
        Assert.That(at.AcceptH0, Is.LessThan(.01));
        Assert.That(SprtAudit.Compute(test.Decide, .85, 1000).Undecided, Is.GreaterThan(.99));
    }

    [Test]
    public void A_truncated_test_always_decides()
    {
        var test = new TruncatedSprt(.8, .9, .01, .01);
        var hardest = SprtAudit.Compute(test.Decide, .8556, test.Last.Samples);
        Assert.That(hardest.Undecided, Is.LessThan(1e-13));
        Assert.That(hardest.AcceptH0 + hardest.AcceptH1, Is.EqualTo(1).Within(1e-12));
    }

    private static IEnumerable<AuditLine> Lines(
        IReadOnlyList<double> grid,
        double epsilon = .05,
        double delta = .01,
        int threads = 1
    ) => RuleAudit.Rules(epsilon, delta).Select(rule => rule.On(grid, threads));
}
