using MathNet.Numerics.Distributions;
using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>What runs beside scenarios: loads, other scenarios, and how a finding depends on them.</summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class BackgroundTests
{
    // The broker loses every message above 500 publications per second. The check itself sends at most 200 commands per
    // second, so it takes the load to show.
    private const string AboveLoad = "lose:1,load=500";

    // Receive Maximum is ignored while a session is resumed (MQTT-3.3.4-9). The messages that show it are those of
    // others.
    private const string Resumes =
        "A connect resume expiry=1000; A subscribe #:2; A drop; B connect clean; B wait 50ms; "
        + "A connect resume expiry=1000 window=1";
    private const string Others = "A connect clean; A publish ~/a qos=2; A publish ~/a qos=2; A publish ~/a qos=2";

    [Test]
    [Category("Whole")]
    public void A_fault_above_a_load_is_found_under_it_and_not_without()
    {
        using var broker = new VirtualBroker(AboveLoad);
        Assert.That(Explore(broker, null).Findings, Is.Empty);
        using var busy = new VirtualBroker(AboveLoad);
        var load = new WireLoad(busy.Wire, busy.Target);
        var report = Explore(busy, load);
        Assert.That(report.Findings, Is.Not.Empty);
        Assert.That(report.Findings.Select(finding => finding.Load), Has.All.EqualTo("1000"));
        Assert.That(report.Findings.Min(finding => finding.Scenario.Steps.Count), Is.LessThanOrEqualTo(6));
        Assert.That(load.IsRunning, Is.False);
    }

    [Test]
    public void What_comes_without_the_load_is_repeated_without_it()
    {
        using var broker = new VirtualBroker("lose:1");
        var load = new WireLoad(broker.Wire, broker.Target);
        var findings = Explore(broker, load).Findings;
        Assert.That(findings, Is.Not.Empty);
        Assert.That(findings.Select(finding => finding.Load), Has.All.Null);
    }

    [Test]
    public void What_needs_the_messages_of_others_comes_beside_them_and_not_alone()
    {
        var scenario = ScenarioText.Parse(Resumes, ProtocolVersion.V5, "test");
        var other = ScenarioText.Parse(Others, ProtocolVersion.V5, "test");
        Assert.That(Keys(BrokerMutant.WindowIgnoredOnResume, []), Is.Empty);
        Assert.That(Keys(BrokerMutant.WindowIgnoredOnResume, [other, other]), Does.Contain("receive-maximum|window 1"));
        Assert.That(Keys(BrokerMutant.None, [other, other]), Is.Empty);

        List<string> Keys(BrokerMutant mutant, Scenario[] beside)
        {
            using var broker = new VirtualBroker(mutant: mutant);
            var check = new ConformanceCheck(broker.Wire, broker.Target, "t", new CheckOptions()) { Beside = beside };
            return
            [
                .. check
                    .Replay(scenario, 3, CancellationToken.None)
                    .SelectMany(result => result.Deviations.Select(deviation => deviation.Key))
                    .Distinct(),
            ];
        }
    }

    // A subscription to # gets no retained messages (MQTT-3.3.1-6). Others publish all the time meanwhile; their
    // messages come at once, so nothing of this run can stand behind them. What they leave retained is deleted by
    // messages without payload.
    [TestCase("A connect clean; A publish ~/a qos=0; A ping; A publish ~/a qos=0; A ping", Category = "Whole")]
    [TestCase("A connect clean; A publish ~/a qos=1 retain; A wait 600ms")]
    public void Messages_of_others_do_not_keep_a_deadline_from_deciding(string others)
    {
        using var broker = new VirtualBroker(mutant: BrokerMutant.HashWithoutRetained);
        var check = new ConformanceCheck(broker.Wire, broker.Target, "t", new CheckOptions())
        {
            Beside = [ScenarioText.Parse(others, ProtocolVersion.V5, "test")],
        };
        var results = check.Replay(
            ScenarioText.Parse(
                "A connect clean; A publish ~/a qos=1 retain; A subscribe #:1",
                ProtocolVersion.V5,
                "test"
            ),
            3,
            CancellationToken.None
        );
        Assert.That(
            results.Select(result => result.Deviations.Select(deviation => deviation.Statement.Name).FirstOrDefault()),
            Has.All.EqualTo("retained-sent")
        );
    }

    [Test]
    public void A_finding_is_repeated_on_a_broker_that_nobody_used_before()
    {
        using var broker = new VirtualBroker(mutant: BrokerMutant.SubackReversed);
        var check = broker.Check(ProtocolVersion.V5);
        var finding = check.Explore(TimeSpan.FromSeconds(20), 200, CancellationToken.None).Findings[0];
        using var right = new VirtualBroker();
        var other = right.Check(ProtocolVersion.V5);
        Assert.That(check.RepeatOn(finding, broker.Target, CancellationToken.None), Is.EqualTo((5, 5)));
        // Under whichever statement it is listed, it is the same deviation that comes.
        var refined = finding with
        {
            Statement = Statements.OneCopy,
            Circumstances = "not replaced",
        };
        Assert.That(check.RepeatOn(refined, broker.Target, CancellationToken.None), Is.EqualTo((5, 5)));
        Assert.That(other.RepeatOn(finding, right.Target, CancellationToken.None), Is.EqualTo((0, 5)));
        // Circumstances may vary from run to run. The command that is printed shows the statement.
        var varying = finding with
        {
            Deviation = finding.Deviation with { Circumstances = "of another run" },
        };
        Assert.That(check.RepeatOn(varying, broker.Target, CancellationToken.None), Is.EqualTo((5, 5)));
    }

    // With 95 % confidence 2 of 20 is a share of .0181 or more, and 1 - (1 - .0181)^165 is the first above .95.
    [TestCase(20, 20, 5)]
    [TestCase(2, 20, 165)]
    [TestCase(19, 20, 5)]
    public void A_flaky_finding_is_repeated_until_it_is_likely_to_come(int hits, int replays, int expected)
    {
        using var broker = new VirtualBroker(mutant: BrokerMutant.SubackReversed);
        var report = broker.Check(ProtocolVersion.V5).Explore(TimeSpan.FromSeconds(20), 200, CancellationToken.None);
        Assert.That((report.Findings[0] with { Hits = hits, Replays = replays }).Repetitions, Is.EqualTo(expected));
    }

    // The printed command repeats the scenario. Where the share is at the bound, so few hits come in one of a thousand
    // such tests. Seed 1.
    [TestCase("lose")]
    [TestCase("duplicate")]
    [TestCase("wrong-qos")]
    public void A_finding_comes_as_often_as_its_share_says(string fault)
    {
        const int times = 20;
        using var broker = new VirtualBroker($"{fault}:0.3");
        var check = broker.Check(ProtocolVersion.V5);
        var report = check.Explore(TimeSpan.FromMinutes(5), 200, CancellationToken.None);
        Assert.That(report.Findings, Is.Not.Empty);
        Assert.That(report.Findings.Select(finding => finding.Hits - finding.Replays), Has.Some.Negative);
        foreach (var finding in report.Findings)
        {
            var hits = check
                .Replay(finding.Scenario, times, CancellationToken.None)
                .Count(result => Replayer.Shows(result, finding.Deviation.Key));
            Assert.That(
                Binomial.CDF(finding.LeastShare, times, hits),
                Is.GreaterThan(.001),
                $"{finding.Key}: {finding.Repeated}, {finding.LeastShare}, then {hits} of {times}"
            );
        }
    }

    private static CheckReport Explore(VirtualBroker broker, IBackgroundLoad? load) =>
        new ConformanceCheck(
            broker.Wire,
            broker.Target,
            "t",
            new CheckOptions
            {
                MaximumCommandsPerSecond = 200,
                SlowLanes = 0,
                Generator = new GeneratorOptions { Versions = [ProtocolVersion.V5] },
                Counts = statement => statement.Name is "delivered" or "order" or "shared-delivered",
            }
        )
        {
            Load = load is null ? null : _ => load,
        }.Explore(TimeSpan.FromSeconds(30), 60, CancellationToken.None);
}
