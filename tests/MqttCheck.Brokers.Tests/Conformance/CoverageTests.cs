using MqttCheck.Brokers.Conformance;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Conformance;

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
    public void Hardly_a_MUST_is_judged_seldom_after_half_a_minute()
    {
        var report = Explore(TimeSpan.FromSeconds(30), lanes: 4);
        var seldom = Statements
            .All.Where(statement =>
                statement is { Class: StatementClass.Must, WhyNotExercised: null }
                && report.Exercised.GetValueOrDefault(statement) < 5
            )
            .Select(statement => statement.Name)
            .Except(["available", "no-flood", "will-within-limits", "refused-ignored"]);
        Assert.That(seldom.Count(), Is.LessThanOrEqualTo(3), string.Join(", ", seldom));
    }

    private static CheckReport Explore(TimeSpan budget, int lanes)
    {
        using var broker = new VirtualBroker(latency: TimeSpan.FromMilliseconds(3));
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
