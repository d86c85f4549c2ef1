using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>
/// The embedded broker goes wrong in known ways: the check finds each of them, and takes no disturbance for one.
/// </summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
public sealed class FaultTests
{
    private static readonly ProtocolVersion[] s_versions = [ProtocolVersion.V311, ProtocolVersion.V5];

    private static IEnumerable<TestCaseData> Faults() =>
        from description in FaultCatalogue.All
        where !description.IsDisturbance
        from version in s_versions
        select new TestCaseData(description.Name, version)
        {
            TestName = $"Every_fault_is_found_and_shrunk({description.Name}, {version})",
        };

    private static IEnumerable<TestCaseData> Disturbances() =>
        from description in FaultCatalogue.All
        where description.IsDisturbance
        from version in s_versions
        select new TestCaseData(description.Name, version)
        {
            TestName = $"No_disturbance_is_taken_for_a_fault({description.Name}, {version})",
        };

    [TestCaseSource(nameof(Faults))]
    [Category("Whole")]
    public void Every_fault_is_found_and_shrunk(string fault, ProtocolVersion version)
    {
        using var broker = new VirtualBroker($"{fault}:0.2");
        using var enough = new CancellationTokenSource();
        var report = broker
            .Check(
                version,
                // A fault may be seen first by a deviation that takes more commands.
                found: finding =>
                {
                    if (IsSmall(finding))
                        enough.Cancel();
                }
            )
            .Explore(TimeSpan.FromHours(10), 3000, enough.Token);
        foreach (var finding in report.Findings)
            TestContext.Out.WriteLine(
                $"{finding.Id} {finding.Circumstances}: {finding.Scenario} ({finding.Hits}/{finding.Replays}, "
                    + $"{finding.Scenario.Steps.Count} of {finding.FoundWith})"
            );
        Assert.That(report.Findings.Where(IsSmall), Is.Not.Empty);
    }

    private static bool IsSmall(Finding finding) =>
        finding.Statement.Class == StatementClass.Must && finding.Scenario.Steps.Count <= 6;

    // Markers get lost as well: every step waits for its deadline, so replays have to be few. On the virtual clock.
    [Test]
    [Category("Whole")]
    public void A_broker_that_delivers_nothing_is_found_within_ten_seconds(
        [ValueSource(nameof(s_versions))] ProtocolVersion version,
        [Values(1UL, 2UL, 3UL)] ulong seed
    )
    {
        using var broker = new VirtualBroker("lose:1");
        using var enough = new CancellationTokenSource();
        var began = broker.Wire.NowNanoseconds;
        var report = broker
            .Check(version, seed, found: _ => enough.Cancel(), lanes: 16)
            .Explore(TimeSpan.FromHours(1), enough.Token);
        TestContext.Out.WriteLine(
            $"{(broker.Wire.NowNanoseconds - began) / 1e9:0.00} s: {report.Findings[0].Scenario}"
        );
        Assert.That((broker.Wire.NowNanoseconds - began) / 1e9, Is.LessThan(10));
        Assert.That(report.Findings[0].Scenario.Steps, Has.Count.LessThanOrEqualTo(6));
    }

    [TestCaseSource(nameof(Disturbances))]
    [Category("Whole")]
    public void No_disturbance_is_taken_for_a_fault(string disturbance, ProtocolVersion version)
    {
        using var broker = new VirtualBroker($"{disturbance}:0.2");
        var report = broker.Check(version, seed: 3).Explore(TimeSpan.FromHours(10), 500, CancellationToken.None);
        Assert.That(
            report.Findings,
            Is.Empty,
            string.Join(
                "\n",
                report.Findings.Select(finding =>
                    $"{finding.Key}: {finding.Deviation.Explanation} in {finding.Scenario}"
                )
            )
        );
    }
}
