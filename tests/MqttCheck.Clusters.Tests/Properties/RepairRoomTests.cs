using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Properties;

[TestFixture]
internal sealed class RepairRoomTests
{
    private static IEnumerable<string> Files => TopologyFile.BuiltInNames;

    private static IEnumerable<string> Scenarios => ScenarioFile.BuiltInNames;

    // A node that comes back after the end of its run cannot fulfil what the file expects of it.
    [TestCaseSource(nameof(Files))]
    public void Every_built_in_file_lets_its_runs_see_the_repair_that_it_asks_for(string name) =>
        Assert.That(Findings(TopologyFile.Read(name)), Is.Empty);

    [TestCaseSource(nameof(Scenarios))]
    public void Every_built_in_scenario_lets_its_runs_see_the_repair_that_it_asks_for(string name) =>
        Assert.That(
            Findings(ScenarioFile.Apply(TopologyFile.Read("bridge-pair"), ScenarioFile.Read(name), name)),
            Is.Empty
        );

    [TestCase("kill any at 5s for 30s", 46, true)]
    [TestCase("kill any at 5s for 30s", 47, false)]
    [TestCase("kill any at U(1s,9s)", 20, true)]
    [TestCase("kill any at U(1s,9s)", 21, false)]
    public void A_repair_needs_its_time_and_two_seconds_of_work_after_the_end_of_a_fault(
        string fault,
        int seconds,
        bool isTooShort
    )
    {
        var read = TopologyFile.Read("rabbitmq-3");
        var topology = read with
        {
            Scenario = read.Scenario with
            {
                Faults = [FaultText.Parse(fault, "test")],
                Duration = TimeSpan.FromSeconds(seconds),
            },
        };
        Assert.That(
            RepairRoom.Findings(topology, [ClusterProperty.Parse("P>=0.9[ lost = 0 & repair < 10s ]", "test")]),
            isTooShort ? Has.One.Contains(fault).And.Contains("--for") : Is.Empty
        );
        Assert.That(RepairRoom.Findings(topology, [ClusterProperty.Parse("P[ lost = 0 ]", "test")]), Is.Empty);
    }

    private static IEnumerable<string> Findings(Topology topology) =>
        RepairRoom.Findings(topology, ClusterProperty.Parse(topology.Scenario.Properties));
}
