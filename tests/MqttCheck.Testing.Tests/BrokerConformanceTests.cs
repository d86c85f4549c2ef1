using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Conformance;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Testing.Tests;

/// <summary>Checks against the standard, on live embedded brokers that do right and wrong.</summary>
[TestFixture, NonParallelizable]
public sealed class BrokerConformanceTests
{
    private static readonly ConformanceOptions s_short = new() { Scenarios = 100 };

    [Test]
    public async Task A_broker_that_does_right_conforms_and_has_a_report()
    {
        await using var broker = EmbeddedBroker.Start(new());
        using var recording = new RecordingHost();
        var found = await broker.Check(20.Seconds(), s_short);
        var decision = Requirement.Conformance().IncludingShould().Decide(found, recording.Host);
        Assert.That((decision.IsMet, decision.Actual), Is.EqualTo((true, "no violation")));
        Assert.That(
            File.ReadAllText(recording.Attached.Single()),
            Does.Contain("No violation found").And.Contain("offline-queue")
        );
    }

    // Every second delivery has the wrong quality of service, so it is found within the first scenarios.
    [Test]
    [Category("Whole")]
    public async Task A_finding_is_a_violation_with_its_shrunk_transcript()
    {
        await using var broker = EmbeddedBroker.Start(
            new() { Broker = new() { Faults = FaultPlan.Parse("wrong-qos:0.5", "test") } }
        );
        var checkedBroker = await broker.Check(30.Seconds(), s_short);
        using var recording = new RecordingHost();
        var decision = Requirement.Conformance().Decide(checkedBroker, recording.Host);
        Assert.That(decision.IsMet, Is.False);
        var message = decision.Message;
        Assert.That(message, Does.Match(@"But was:  \d+ violations?: .*MQTT-3\.8\.4-"));
        Assert.That(
            message,
            Does.Match(@"MQTT-3\.8\.4-[68] \(MUST, MQTT (3\.1\.1|5)\)")
                .And.Contain("expected: ")
                .And.Contain("observed: ")
                .And.Contain("-->")
                .And.Contain("<==")
        );
        Assert.That(
            message,
            Does.Match(@"shrunk to [1-6]\b")
                .And.Match(@"Broker:   embedded .* at 127\.0\.0\.1:\d+")
                .And.Match(@"Report:   .*\.html")
        );
    }

    // Every delivery has the wrong quality of service; the replay seed fixes the scenarios.
    [Test]
    public async Task FsCheck_finds_and_shrinks_a_scenario_by_itself()
    {
        await using var broker = EmbeddedBroker.Start(
            new() { Broker = new() { Faults = FaultPlan.Parse("wrong-qos:1", "test") } }
        );
        var scenarios = new ScenarioGenerator(new GeneratorOptions()).ToArbitrary();
        Scenario? last = null;
        Assert.That(
            () =>
                Check.One(
                    Config.QuickThrowOnFailure.WithReplay(7, 9).WithMaxTest(50),
                    Prop.ForAll(
                        scenarios,
                        scenario =>
                        {
                            var conforms = broker.Run(scenario).Deviations.Count == 0;
                            if (!conforms)
                                last = scenario;
                            return conforms;
                        }
                    )
                ),
            Throws.Exception.With.Message.Contains("Falsifiable")
        );
        Assert.That(last!.Steps, Has.Count.LessThanOrEqualTo(4));
    }

    [Test]
    public async Task Known_deviations_can_be_accepted()
    {
        await using var broker = EmbeddedBroker.Start(
            new() { Broker = new() { Faults = FaultPlan.Parse("ignore-unsubscribe:1", "test") } }
        );
        Assert.That(
            (await broker.Check(20.Seconds(), s_short)).Report.Findings.Select(finding => finding.Statement.Name),
            Does.Contain("unsubscribed")
        );
        // What the broker goes on delivering may still break other statements.
        var accepted = await broker.Check(20.Seconds(), s_short with { Except = ["unsubscribed"] });
        Assert.That(
            accepted.Report.Findings.Select(finding => finding.Statement.Name),
            Does.Not.Contain("unsubscribed")
        );
    }

    [Test]
    public async Task Wrong_values_and_a_cancelled_check_are_named()
    {
        await using var broker = EmbeddedBroker.Start(new());
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        Assert.That(
            () => broker.Check(1.Seconds(), s_short, cancelled.Token),
            Throws.InstanceOf<OperationCanceledException>()
        );
        Assert.That(() => broker.Check(TimeSpan.Zero), Throws.TypeOf<InputException>());
        Assert.That(
            () => broker.Check(1.Seconds(), new() { Except = ["nosuch"] }),
            Throws.TypeOf<InputException>().With.Message.Contains("nosuch").And.Message.Contains("resend")
        );
        Assert.That(() => broker.Check(1.Seconds(), new() { Versions = [] }), Throws.TypeOf<InputException>());
    }
}
