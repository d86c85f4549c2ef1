using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Spoiled;

/// <summary>Faults that are not of the embedded broker's core: each is found under its statement.</summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class SpoiledBrokerTests
{
    // Seed 1, in the time of wires in memory: 1.5 ms each way, and each packet goes two ways. All of them take ten
    // minutes of two processors, so the others run when they are asked for by name.
    [TestCaseSource(nameof(EverySixteenth))]
    [Category("Whole")]
    public void Each_fault_is_found_first_under_its_statement(string name) => FindsFirst(name);

    [TestCaseSource(nameof(Others))]
    [Explicit]
    public void Each_other_fault_is_found_first_under_its_statement(string name) => FindsFirst(name);

    [Test]
    public void What_passes_as_it_is_shows_no_fault() =>
        Assert.That(Causes(new Spoiling("Nothing"), TimeSpan.FromHours(1), 300), Is.Empty);

    private static IEnumerable<string> EverySixteenth =>
        Spoilings.All.Except(LaterSpoilings.All).Where((_, place) => place % 16 == 0).Select(spoiling => spoiling.Name);

    private static IEnumerable<string> Others => Names.Except(EverySixteenth);

    private static IEnumerable<string> Names => Spoilings.All.Select(spoiling => spoiling.Name);

    private static void FindsFirst(string name)
    {
        var spoiling = Spoilings.All.Single(spoiling => spoiling.Name == name);
        var causes = Causes(spoiling, TimeSpan.FromSeconds(60), long.MaxValue);
        Assert.That(causes, Is.Not.Empty);
        Assert.That(spoiling.Statements, Does.Contain(causes[0].Split('|')[0]), string.Join("\n", causes));
    }

    private static List<string> Causes(Spoiling spoiling, TimeSpan budget, long scenarios)
    {
        using var broker = new VirtualBroker(through: spoiling.Through, latency: TimeSpan.FromMilliseconds(1.5));
        var check = new ConformanceCheck(
            broker.Wire,
            broker.Target,
            "m",
            new CheckOptions
            {
                Generator = new GeneratorOptions
                {
                    Versions = [ProtocolVersion.V311, ProtocolVersion.V5],
                    Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                    Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
                },
            }
        );
        var causes = check
            .Explore(budget, scenarios, CancellationToken.None)
            .Findings.Where(finding => finding.ExplainedBy is null && finding.Statement.Class != StatementClass.Option)
            .ToList();
        foreach (var cause in causes)
            TestContext.Out.WriteLine($"{spoiling.Name} [{causes.Count}]: {cause.Key} in {cause.Scenario}");
        return [.. causes.Select(cause => cause.Key)];
    }
}
