using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class CoverageTests
{
    private static readonly string[] s_aboutTime =
    [
        "keep-alive",
        "session-expiry",
        "will-delay",
        "message-expiry",
        "expired",
    ];

    // Seed 1, in the time of wires in memory. What waits runs beside the rest, so one lane for the rest is enough.
    [Test]
    [Category("Whole")]
    public void A_minute_judges_every_statement_about_time_20_times()
    {
        var report = Explore(TimeSpan.FromSeconds(60), lanes: 1);
        var judged = report.Exercised.ToDictionary(pair => pair.Key.Name, pair => pair.Value);
        Assert.That(report.Findings, Is.Empty);
        Assert.That(report.Suspicions, Is.Empty);
        Assert.That(
            s_aboutTime.ToDictionary(name => name, name => judged.GetValueOrDefault(name)).Values,
            Is.All.AtLeast(20)
        );
    }

    // Seed 1. What a correct broker with default settings gives no occasion for is left out.
    [Test]
    [Category("Whole")]
    public void Hardly_a_MUST_is_judged_seldom_after_the_default_minute()
    {
        var report = Explore(TimeSpan.FromSeconds(60), lanes: 4);
        var seldom = Statements
            .All.Where(statement =>
                statement is { Class: StatementClass.Must, WhyNotExercised: null }
                && report.Exercised.GetValueOrDefault(statement) < 5
            )
            .Select(statement => statement.Name)
            .Except([
                "available",
                "no-flood",
                "will-within-limits",
                "any-qos-subscribed",
                "refused-ignored",
                "refused-filter",
                "shared-discarded",
            ]);
        Assert.That(seldom.Count(), Is.LessThanOrEqualTo(3), string.Join(", ", seldom));
    }

    // Seed 1. Without the exploring beside, less than a fifth of the time is left for it.
    [Test]
    [Category("Whole")]
    public void Exploring_goes_on_while_what_does_not_come_is_shrunk()
    {
        var budget = TimeSpan.FromSeconds(20);
        var report = Explore(budget, lanes: 4, BrokerMutant.OverlapReplaces);
        Assert.That(report.Findings.Any(finding => finding.Deviation.IsAbsence));
        Assert.That(report.Exploring, Is.GreaterThan(budget * .5));
    }

    // Seed 1. Whatever the budget, what was seen is a finding or one of its kind, or was repeated before the end.
    [Test]
    [Category("Whole")]
    public void What_nobody_had_time_to_repeat_is_not_forgotten()
    {
        var unconfirmed = 0;
        for (var milliseconds = 100; milliseconds <= 2000; milliseconds += 100)
        {
            var budget = TimeSpan.FromMilliseconds(milliseconds);
            var report = Explore(budget, lanes: 4, faults: "lose:0.2,duplicate:0.2,wrong-qos:0.2");
            unconfirmed += report.Suspicions.Count;
            Assert.That(
                report.Deviations.Count == 0 || report.Findings.Count + report.Suspicions.Count > 0,
                $"after {milliseconds} ms"
            );
            Assert.That(report.NotLookedInto, Is.Empty);
            Assert.That(report.Suspicions.Select(suspicion => suspicion.Replays), Has.All.Positive);
        }
        Assert.That(unconfirmed, Is.Positive);
    }

    // Seed 1. On a slow machine every answer takes long, and the first deviation is seen when the time is nearly over.
    [TestCase(3, 600)]
    [TestCase(50, 4000, Category = "Whole")]
    public void However_late_a_first_violation_is_seen_it_becomes_a_finding(int latency, int step)
    {
        var seen = 0;
        for (var milliseconds = step; milliseconds <= 5 * step; milliseconds += step)
        {
            var budget = TimeSpan.FromMilliseconds(milliseconds);
            var report = Explore(budget, lanes: 4, BrokerMutant.OverlapReplaces, latency);
            if (report.Deviations.Count == 0)
                continue;
            seen++;
            Assert.That(report.Findings, Is.Not.Empty, $"after {milliseconds} ms");
        }
        Assert.That(seen, Is.GreaterThan(2));
    }

    private static CheckReport Explore(
        TimeSpan budget,
        int lanes,
        BrokerMutant mutant = BrokerMutant.None,
        int latency = 3,
        string faults = "none"
    )
    {
        using var broker = new VirtualBroker(faults, mutant: mutant, latency: TimeSpan.FromMilliseconds(latency));
        return new ConformanceCheck(
            broker.Wire,
            broker.Target,
            "t",
            new CheckOptions
            {
                Lanes = lanes,
                Generator = new GeneratorOptions
                {
                    Versions = [ProtocolVersion.V311, ProtocolVersion.V5],
                    Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                    Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
                },
            }
        ).Explore(budget, CancellationToken.None);
    }
}
