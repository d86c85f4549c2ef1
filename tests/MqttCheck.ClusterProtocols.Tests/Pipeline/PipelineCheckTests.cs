using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.ClusterProtocols.Tests.Pipeline;

/// <summary>What one crash may do to messages that were acknowledged, and what broken rules do.</summary>
[TestFixture]
internal sealed class PipelineCheckTests
{
    private static readonly Topology s_topology = TopologyFile.Read("pipeline-p2p", ClusterSystem.Pipeline) with
    {
        // Cases say themselves what fails; clients wait for their broker, so messages wait for them.
        Scenario = new ClusterScenario(),
    };

    [TestCase(500)]
    [TestCase(10_000, Category = "Whole")]
    public void After_any_single_crash_what_was_acknowledged_arrives_in_order(int cases)
    {
        var check = new PipelineCheck(s_topology, 1, PipelineMutant.None);
        for (var number = 0; number < cases; number++)
            Assert.That(check.Next()?.ToString(), Is.Null);
    }

    // This seed takes fewer than a hundred cases for each.
    [TestCase(PipelineMutant.ScoreIsPacketId, "order")]
    [TestCase(PipelineMutant.IdFromScore, "durability")]
    [TestCase(PipelineMutant.AcknowledgeBeforeAppend, "durability")]
    [TestCase(PipelineMutant.CommitBeforeStore, "durability")]
    [TestCase(PipelineMutant.StoreAgain, "exactly once")]
    [TestCase(PipelineMutant.ReleaseBeforeStore, "exactly once")]
    public void A_broken_rule_is_found_and_shrunk(object mutant, string invariant)
    {
        var check = new PipelineCheck(s_topology, 1, (PipelineMutant)mutant);
        ClusterFinding? finding = null;
        for (var number = 0; number < 1000 && finding is null; number++)
            finding = check.Next();
        Assert.That(finding, Is.Not.Null);
        TestContext.Out.WriteLine($"case {finding!.Number}: {finding.Violation}\n{finding.Shrunk}");
        var read = CaseText.Parse(finding.Shrunk.ToString(), s_topology, "test");
        Assert.Multiple(() =>
        {
            Assert.That(finding.Violation.Invariant, Is.EqualTo(invariant));
            Assert.That(finding.Shrunk.OperationCount, Is.LessThanOrEqualTo(7));
            Assert.That(
                PipelineCaseRun.Of(s_topology, read, finding.Seed, (PipelineMutant)mutant).Violations,
                Does.Contain(finding.Violation)
            );
            Assert.That(PipelineCaseRun.Of(s_topology, read, finding.Seed, PipelineMutant.None).Violations, Is.Empty);
        });
    }

    [Test]
    public void A_crash_between_any_two_steps_loses_nothing_and_repeats_QoS_1_alone()
    {
        var (once, points) = Crashes(2);
        Assert.That(points, Is.GreaterThan(50));
        Assert.That(once, Is.Empty);
        // A client of QoS 1 has a message whose acknowledgement did not come.
        var (often, _) = Crashes(1);
        Assert.That(often, Is.Not.Empty);
    }

    // The processes whose crash repeats a message, and at how many places they were ended.
    private static (IReadOnlySet<string> Repeating, int Points) Crashes(int qos)
    {
        var publish = $"b1 publish t/1 qos={qos} at ";
        var calm = Case($"b2 subscribe t/1 qos=2 at 0s; {publish}2s; {publish}2001ms");
        var run = PipelineCaseRun.Of(s_topology, calm, 5, PipelineMutant.None);
        Assert.That((run.Violations.Count, Repeats(calm)), Is.EqualTo((0, false)));
        var points = run.StepTimes.Where(step => step.Nanoseconds >= 2_000_000_000).Distinct().ToList();
        var repeating = new HashSet<string>();
        foreach (var point in points)
        {
            var crashed = PipelineCheck.WithCrash(s_topology, calm, point);
            Assert.That(
                PipelineCaseRun.Of(s_topology, crashed, 5, PipelineMutant.None).Violations,
                Is.Empty,
                crashed.ToString()
            );
            if (Repeats(crashed))
                repeating.Add(s_topology.Nodes[point.Node].Name);
        }
        return (repeating, points.Count);
    }

    [Test]
    public void A_store_that_is_away_for_longer_than_the_retries_take_loses_messages()
    {
        var text = "b2 subscribe t/1 qos=1 at 0s; b1 publish t/1 qos=1 at 2s; kill store at 1s for ";
        Assert.That(Judge(text + "3s"), Is.Empty);
        Assert.That(Judge(text + "5s").Select(violation => violation.Invariant), Is.EqualTo(new[] { "durability" }));

        static IReadOnlyList<Clusters.Monitors.ClusterViolation> Judge(string text) =>
            PipelineCaseRun.Of(s_topology, Case(text), 5, PipelineMutant.None).Violations;
    }

    [Test]
    public void Messages_reach_a_session_whose_client_has_moved_to_the_next_broker()
    {
        var moving = s_topology with { Scenario = new ClusterScenario { Return = ClientReturn.Next } };
        var text = "b2 subscribe t/1 qos=1 at 0s; b1 publish t/1 qos=1 at 2s; kill b2 at 1s for 30s";
        var run = PipelineCaseRun.Of(moving, Case(text), 5, PipelineMutant.None);
        Assert.That(run.Violations, Is.Empty);
    }

    // Whether a subscriber gets a message again.
    private static bool Repeats(ClusterCase tested)
    {
        var log = new EventLog();
        PipelineSimulation.Run(PipelineCaseRun.PlanOf(s_topology, tested, PipelineMutant.None), 5, 0, log);
        var deliveries = log.Events.Where(e => e.Kind == ClusterEventKind.Delivered).ToList();
        return deliveries.DistinctBy(e => (e.Message, e.Client)).Count() < deliveries.Count;
    }

    private static ClusterCase Case(string text) => CaseText.Parse(text, s_topology, "test");
}
