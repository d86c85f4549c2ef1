using MqttCheck.Cli.Cluster.Pages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Tests.Cluster.Pages;

/// <summary>The answer of live runs in one sentence.</summary>
[TestFixture]
internal sealed class ClusterRunSentenceTests
{
    private static readonly Topology s_pair = TopologyFile.Read("bridge-pair") with
    {
        Scenario = ClusterInput.Scenario("node-dies"),
    };

    private static RunTape Tape => new(s_pair);

    [Test]
    public void Nothing_lost_under_a_fault_is_a_yes_that_names_the_fault() =>
        Assert.That(
            Say([Tape.Fault(5000, 9000, 0).Sent(1000, came: 1010).Sent(6000, came: 6010).Record()], holds: true),
            Is.EqualTo("Yes: when node a dies, none of 2 acknowledged messages is lost")
        );

    [Test]
    public void Losses_during_a_fault_are_a_no_that_says_so() =>
        Assert.That(
            Say([Tape.Fault(5000, 9000, 0).Sent(1000, came: 1010).Sent(6000).Sent(7000).Sent(8000).Record()]),
            Is.EqualTo(
                "No: when node a dies, 3 of 4 acknowledged messages are lost; all of them were published while node a "
                    + "was away"
            )
        );

    [Test]
    public void One_loss_and_two_are_said_in_the_singular_and_as_both()
    {
        Assert.That(
            Say([Tape.Fault(5000, 9000, 0).Sent(6000).Sent(1000, came: 1010).Record()]),
            Is.EqualTo(
                "No: when node a dies, 1 of 2 acknowledged messages is lost; it was published while node a was away"
            )
        );
        Assert.That(
            Say([Tape.Fault(5000, 9000, 0).Sent(6000).Sent(6500).Record()]),
            Does.EndWith("are lost; both were published while node a was away")
        );
    }

    [Test]
    public void Losses_before_bridges_work_again_and_shortly_after_are_told_apart()
    {
        var tape = Tape.Fault(5000, 9000, 0).Restored(12_000, 0).Sent(6000).Sent(10_000).Sent(4500).Sent(11_000);
        Assert.That(
            Say([tape.Record()]),
            Is.EqualTo(
                "No: when node a dies, 4 of 4 acknowledged messages are lost; of these, 1 was published while node a "
                    + "was away, 2 after the fault, before bridges worked again, 1 shortly before or after the fault"
            )
        );
    }

    [Test]
    public void Only_the_fault_that_explains_a_loss_is_named()
    {
        var tape = Tape.Fault(5000, 9000, 0).Fault(20_000, 24_000, 0, peer: 1, kind: FaultKind.Cut).Sent(21_000);
        Assert.That(
            Say([tape.Record()]),
            Is.EqualTo(
                "No: when link a-b is cut, 1 of 1 acknowledged messages is lost; it was published while link a-b was "
                    + "cut"
            )
        );
    }

    [Test]
    public void A_loss_away_from_every_fault_is_not_put_down_to_one()
    {
        var run = Tape.Fault(5000, 9000, 0).Sent(30_000).Sent(1000, came: 1010).Record();
        Assert.That(Say([run]), Is.EqualTo("No: away from any fault, 1 of 2 acknowledged messages is lost"));
    }

    [Test]
    public void A_loss_without_a_fault_says_that_there_was_none() =>
        Assert.That(
            Say([Tape.Sent(1000).Sent(2000, came: 2010).Record()]),
            Is.EqualTo("No: without a fault, 1 of 2 acknowledged messages is lost")
        );

    [Test]
    public void A_loss_while_its_reader_was_away_says_so()
    {
        var tape = Tape.Reader(-3000, 0, node: 0, comes: true).Reader(5000, 0, node: 0, comes: false).Sent(5500);
        Assert.That(
            Say([tape.Reader(7000, 0, node: 1, comes: true).Record()]),
            Is.EqualTo(
                "No: without a fault, 1 of 1 acknowledged messages is lost; it was published while its reader was away"
            )
        );
        Assert.That(
            Say([tape.Sent(9000).Sent(6000).Record()]),
            Does.EndWith("lost; of these, 2 were published while their reader was away, 1 while its reader was there")
        );
    }

    [Test]
    public void Several_runs_are_counted_and_their_places_named()
    {
        var runs = new[]
        {
            Tape.Fault(5000, 9000, 0).Sent(6000).Record(),
            Tape.Fault(5000, 9000, 1).Sent(6000).Record(),
            Tape.Fault(5000, 9000, 1).Sent(6000, came: 6010).Record(),
        };
        Assert.That(
            Say(runs),
            Is.EqualTo(
                "No: when node a or node b dies, 2 of 3 acknowledged messages are lost in 2 of 3 runs; both were "
                    + "published while node a or node b was away"
            )
        );
        Assert.That(
            Say([runs[2], runs[2]], holds: true),
            Does.EndWith("none of 2 acknowledged messages is lost in 2 runs")
        );
    }

    [Test]
    public void Too_few_runs_are_undecided_and_say_what_came() =>
        Assert.That(
            Say([Tape.Fault(5000, 9000, 0).Sent(6000, came: 6010).Record()], holds: null),
            Is.EqualTo(
                "Undecided: when node a dies, none of 1 acknowledged messages is lost; a verdict takes more than 1 run"
            )
        );

    [Test]
    public void An_interruption_says_what_is_known_until_then()
    {
        Assert.That(
            ClusterRunSentence.Of(s_pair, new([], [], IsInterrupted: true)),
            Is.EqualTo("Interrupted: no run was complete, so nothing is known")
        );
        Assert.That(
            Say([Tape.Sent(1000, came: 1010).Sent(2000, came: 2010).Record()], holds: null, isInterrupted: true),
            Is.EqualTo(
                "Interrupted: without a fault, none of 2 acknowledged messages is lost; more runs were asked for than "
                    + "1 run"
            )
        );
    }

    [Test]
    public void A_run_that_failed_without_a_fault_is_counted() =>
        Assert.That(
            Say([Tape.Sent(1000, came: 1010).Sent(2000, came: 2010).Record("node b ended")], holds: true),
            Does.EndWith("none of 2 acknowledged messages is lost; 1 of 1 run failed without a fault, see the note")
        );

    [Test]
    public void A_node_that_did_not_come_back_and_an_early_end_are_said()
    {
        var run = Tape.Fault(5000, null, 0).Sent(1000, came: 1010).Sent(2000, came: 2010).Record() with
        {
            NotBack = "node a: its file is damaged",
            Failure = "node a: its file is damaged",
        };
        Assert.That(
            ClusterRunSentence.Of(s_pair, new([run], [], IsInterrupted: false) { EndedBy = "node a is gone" }),
            Is.EqualTo(
                "Yes: when node a dies, none of 2 acknowledged messages is lost; in 1 of 1 run a node did not come "
                    + "back, see the note; no more runs could be made, see the note"
            )
        );
    }

    [TestCase(FaultKind.Power, "when the power of node a fails, ", "while node a was without power")]
    [TestCase(FaultKind.Fill, "when the disk of node a is full, ", "while the disk of node a was full")]
    [TestCase(FaultKind.Partition, "when node a is cut from its clients, ", "while node a was cut from its clients")]
    public void A_fault_of_a_node_has_its_own_words(FaultKind kind, string condition, string meanwhile)
    {
        var said = Say([Tape.Fault(5000, 9000, 0, kind: kind).Sent(6000).Record()]);
        Assert.That(said, Does.StartWith("No: " + condition).And.EndWith(meanwhile));
    }

    [Test]
    public void A_no_for_another_reason_begins_with_that_reason() =>
        Assert.That(
            Say(
                [Tape.Sent(1000, came: 1010).Sent(2000, came: 2010).Record()],
                "P>=0.9[ duplicates = 0 ]",
                holds: false
            ),
            Is.EqualTo(
                "No: P>=0.9[ duplicates = 0 ] does not hold, as 0 of 1 runs fulfil it; without a fault, none of 2 "
                    + "acknowledged messages is lost"
            )
        );

    [Test]
    public void A_loss_that_nobody_asked_about_stands_behind_the_reason()
    {
        // Without persistent sessions only losses away from faults violate anything.
        var topology = TopologyFile.Read("bridge-pair");
        var run = new RunTape(topology).Fault(5000, 9000, 0).Sent(6000).Sent(1000, came: 1010).Record();
        Assert.That(run.Outcome.Violations, Is.Empty);
        Assert.That(
            Say([run], "P>=0.9[ duplicates = 0 ]", holds: false, topology: topology),
            Does.StartWith("No: P>=0.9[ duplicates = 0 ] does not hold")
                .And.Contain("1 of 2 acknowledged messages is lost")
        );
        Assert.That(
            Say([run], "P>=0.9[ lost = 0 ]", holds: false, topology: topology),
            Does.StartWith("No: when node a dies, 1 of 2 acknowledged")
        );
    }

    [Test]
    public void Other_violations_are_named_in_plain_words()
    {
        var run = Tape.Sent(1000, came: 2020).Sent(1500, came: 2000).Record();
        Assert.That(Say([run]), Does.StartWith("No: a message came after a later one of the same publisher (once); "));
    }

    [TestCase(FaultKind.Cut, "when link a-b is cut, ", "while link a-b was cut")]
    [TestCase(FaultKind.Partition, "when the cluster is parted, ", "while the cluster was parted")]
    [TestCase(FaultKind.Slow, "when link a-b is slow, ", "while link a-b was slow")]
    public void A_fault_of_a_link_has_its_own_words(FaultKind kind, string condition, string meanwhile)
    {
        var said = Say([Tape.Fault(5000, 9000, 0, peer: 1, kind: kind).Sent(6000).Record()]);
        Assert.That(said, Does.StartWith("No: " + condition).And.EndWith(meanwhile));
    }

    [Test]
    public void Every_kind_of_fault_has_words_of_its_own() =>
        Assert.That(
            Enum.GetValues<FaultKind>()
                .Except([FaultKind.None, FaultKind.Mix])
                .Where(kind =>
                    Say([Tape.Fault(5000, 9000, 0, kind: kind).Sent(6000, came: 6010).Record()]).Contains("disturbed")
                ),
            Is.Empty
        );

    [Test]
    public void A_long_name_of_a_node_stands_for_itself()
    {
        var hub = s_pair with { Nodes = [s_pair.Nodes[0] with { Name = "hub" }, s_pair.Nodes[1]] };
        Assert.That(
            Say([new RunTape(hub).Fault(5000, 9000, 0).Sent(6000).Record()], topology: hub),
            Does.StartWith("No: when hub dies, 1 of 1 acknowledged messages is lost")
        );
    }

    [Test]
    public void Messages_without_an_acknowledgement_are_not_called_safe()
    {
        var topology = s_pair with
        {
            Scenario = s_pair.Scenario with
            {
                Workload = s_pair.Scenario.Workload! with { Qos = QualityOfService.AtMostOnce },
            },
        };
        var run = new RunTape(topology).Sent(1000, isAcknowledged: false).Record();
        Assert.That(
            Say([run], holds: true, topology: topology),
            Is.EqualTo(
                "Yes: without a fault, 1 message was sent with QoS 0 or without an answer, so that none counts as "
                    + "lost"
            )
        );
    }

    private static string Say(
        ClusterRunRecord[] runs,
        string property = "P>=0.9[ lost = 0 ]",
        bool? holds = true,
        bool isInterrupted = false,
        Topology? topology = null
    ) =>
        ClusterRunSentence.Of(
            topology ?? s_pair,
            new(
                runs,
                [
                    new ClusterAnswer
                    {
                        Property = ClusterProperty.Parse(property, "test"),
                        Runs = runs.Length,
                        Holds = holds,
                        Reason = "as counted",
                    },
                ],
                isInterrupted
            )
        );
}
