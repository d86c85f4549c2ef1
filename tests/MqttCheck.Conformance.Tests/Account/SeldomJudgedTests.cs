using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Account;

internal sealed class SeldomJudgedTests
{
    // Seed 1. Whatever scenarios exercise was judged five times in its version, or is named.
    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void Each_exercised_statement_was_judged_five_times_or_is_named(ProtocolVersion version)
    {
        using var broker = new VirtualBroker();
        var report = broker.Check(version).Explore(TimeSpan.FromHours(10), 300, CancellationToken.None);
        var names = new SeldomJudged(report.Tally, report.Exercised, [version], _ => true, withMalformed: true).Names();
        foreach (var statement in StandardAccount.All.Where(s => s.Version == version))
        foreach (var judge in statement.JudgedBy)
            if (statement.Standing == Standing.Exercised && judge.Statement.WhyNotExercised is null)
                Assert.That(
                    report.Tally.Times(version, judge) >= 5
                        || names.Contains(judge.ToString())
                        || names.Any(name =>
                            name.EndsWith($"defects of {judge.Statement.Name}", StringComparison.Ordinal)
                        ),
                    $"{statement.Id}: {judge}"
                );
        Assert.That(names, Does.Not.Contain(Statements.Delivered.Name));
        // 300 scenarios are few, so that some are seldom judged.
        Assert.That(names, Is.Not.Empty);
    }

    [Test]
    public void A_statement_that_does_not_count_is_not_named()
    {
        using var broker = new VirtualBroker();
        var report = broker.Check(ProtocolVersion.V5).Explore(TimeSpan.FromHours(10), 1, CancellationToken.None);
        Predicate<Statement> counts = statement =>
            statement == Statements.KeepAlive || statement == Statements.Detected;
        Assert.That(
            new SeldomJudged(
                report.Tally,
                report.Exercised,
                [ProtocolVersion.V5],
                counts,
                withMalformed: false
            ).Names(),
            Is.EqualTo([Statements.KeepAlive.Name])
        );
    }

    // What is judged in one version only is named with the version, where both are checked.
    [Test]
    public void The_version_is_named_in_which_a_statement_was_not_judged()
    {
        using var broker = new VirtualBroker();
        var report = broker.Check(ProtocolVersion.V5).Explore(TimeSpan.FromHours(10), 300, CancellationToken.None);
        var names = new SeldomJudged(
            report.Tally,
            report.Exercised,
            [ProtocolVersion.V311, ProtocolVersion.V5],
            statement => statement == Statements.Delivered,
            withMalformed: true
        ).Names();
        Assert.That(names, Does.Contain("delivered (MQTT 3.1.1)").And.Not.Contain("delivered (MQTT 5)"));
        Assert.That(names, Does.Not.Contain("delivered"));
    }
}
