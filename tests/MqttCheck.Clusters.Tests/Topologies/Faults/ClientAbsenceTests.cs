using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies.Faults;

[TestFixture]
internal sealed class ClientAbsenceTests
{
    private const long Millisecond = 1_000_000;

    // Attempts 50, 150, 350, 750 and 1550 ms after the kill, then one each second.
    [TestCase("kill n2 at 5s for 700ms", 5750)]
    [TestCase("kill n2 at 5s for 750ms", 5750)]
    [TestCase("stop n2 at 5s for 3s", 8550)]
    public void Clients_are_back_with_their_first_attempt_after_the_restart(string fault, long back)
    {
        var absence = Of(fault).Single();
        Assert.That(absence, Is.EqualTo(new ClientAbsence(1, 5000 * Millisecond, back * Millisecond)));
    }

    [Test]
    public void Clients_of_a_node_that_stays_down_do_not_come_back() =>
        Assert.That(Of("kill n2 at 5s").Single().UntilNanoseconds, Is.Null);

    [TestCase("freeze n2 at 5s for 2s")]
    [TestCase("cut n1-n2 at 5s for 2s")]
    public void Clients_keep_their_connections_where_no_process_ends(string fault) => Assert.That(Of(fault), Is.Empty);

    // 50 ms after the first message, then 100, 200, 400 and 800 ms later.
    [Test]
    public void Clients_of_a_node_that_joins_are_away_until_their_first_attempt_after_that() =>
        Assert.That(Of("join n2 at 800ms"), Is.EqualTo((ClientAbsence[])[new(1, 0, 1550 * Millisecond)]));

    private static IReadOnlyList<ClientAbsence> Of(string fault)
    {
        var topology = TopologyFile.Read("mesh:3");
        return ClientAbsence.Of(
            ScheduledFault.Of(
                topology with
                {
                    Scenario = topology.Scenario with { Faults = [FaultText.Parse(fault, "test")] },
                },
                seed: 1,
                run: 0
            )
        );
    }
}
