using MqttCheck.ClusterProtocols.Discovery;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.Tests.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Interest;

[TestFixture]
internal sealed class InterestCoreTests
{
    // Figure 5 of the paper: A is linked with B, D and E, and B with C. The first node is A.
    private const string FigureFive = "12:10 23:10 14:10 15:10";

    [TestCase(AdvertisementMode.Bare)]
    [TestCase(AdvertisementMode.Carry)]
    public void The_tables_and_counts_are_those_of_figure_five(AdvertisementMode advertisement)
    {
        var run = new Run(FigureFive, advertisement)
            .At(10, SimulationStepKind.Subscribe, node: 2, "t")
            .At(20, SimulationStepKind.Publish, node: 0, "t")
            .At(25, SimulationStepKind.Publish, node: 0, "t")
            .Simulate(30);
        Assert.Multiple(() =>
        {
            Assert.That(run.Advertised(), Is.EqualTo("B->A C->B D->A E->A"), "SRT");
            Assert.That(run.Wanted(), Is.EqualTo("A->B B->C"), "PRT");
            Assert.That(
                (run.Count(InterestMessage.Advertise), run.Count(InterestMessage.Subscribe)),
                Is.EqualTo((4, 2))
            );
            Assert.That(run.Count(InterestMessage.Withdraw) + run.Count(InterestMessage.Unsubscribe), Is.Zero);
            // The first one is flooded where it travels with the advertisement; the second takes two messages.
            Assert.That(
                run.Count(CountingOutput.Data),
                Is.EqualTo(advertisement == AdvertisementMode.Carry ? 4 + 2 : 2)
            );
            Assert.That(run.Deliveries(), Is.EqualTo(advertisement == AdvertisementMode.Carry ? 2 : 1));
        });
    }

    [Test]
    public void An_interest_that_begins_after_the_advertisement_is_told_towards_the_publisher_alone()
    {
        var run = new Run(FigureFive)
            .At(10, SimulationStepKind.Publish, 0, "plant/1/heat")
            .At(20, SimulationStepKind.Subscribe, 2, "plant/+/heat")
            .At(25, SimulationStepKind.Publish, 0, "plant/1/heat")
            .Simulate(30);
        Assert.That(
            (run.Count(InterestMessage.Subscribe), run.Wanted(), run.Deliveries()),
            Is.EqualTo((2, "A->B B->C", 1))
        );
    }

    [Test]
    public void The_last_interest_that_ends_takes_its_way_back_and_another_one_keeps_it()
    {
        var run = new Run(FigureFive)
            .At(10, SimulationStepKind.Publish, 0, "t")
            .At(11, SimulationStepKind.Subscribe, 2, "t")
            .At(12, SimulationStepKind.Subscribe, 1, "t")
            .At(15, SimulationStepKind.Unsubscribe, 2, "t")
            .Simulate(18);
        Assert.That((run.Count(InterestMessage.Unsubscribe), run.Wanted()), Is.EqualTo((1, "A->B")));
        run.At(20, SimulationStepKind.Unsubscribe, 1, "t").At(25, SimulationStepKind.Publish, 0, "t").Simulate(30);
        Assert.That((run.Count(InterestMessage.Unsubscribe), run.Wanted()), Is.EqualTo((2, "")));
        Assert.That(run.Count(CountingOutput.Data), Is.EqualTo(4), "the first publication alone");
    }

    [Test]
    public void A_topic_is_withdrawn_60_s_after_its_last_publication_and_nobody_knows_it_then()
    {
        var run = new Run(FigureFive)
            .At(10, SimulationStepKind.Subscribe, 2, "t")
            .At(20, SimulationStepKind.Publish, 0, "t")
            .At(50, SimulationStepKind.Publish, 0, "t")
            .Simulate(109);
        Assert.That((run.Count(InterestMessage.Withdraw), run.Wanted()), Is.EqualTo((0, "A->B B->C")));
        run.Simulate(111);
        Assert.That((run.Count(InterestMessage.Withdraw), run.Wanted(), run.Advertised()), Is.EqualTo((4, "", "")));
        Assert.That(run.Cores.SelectMany(core => core.Routes), Is.Empty);
    }

    // B dies. C has no other way in the figure's graph, so a link from C to D is added, which the tree left out.
    [Test]
    public void After_a_change_of_the_tree_new_neighbours_learn_all_and_messages_take_the_new_way()
    {
        var run = new Run(FigureFive + " 34:15")
            .At(10, SimulationStepKind.Subscribe, 2, "t")
            .At(20, SimulationStepKind.Publish, 0, "t")
            .At(25, SimulationStepKind.Publish, 0, "t")
            .Add(Graphs.Kill(1, 30))
            .At(40, SimulationStepKind.Publish, 0, "t")
            .Simulate(45);
        Assert.That((run.Wanted(), run.Deliveries()), Is.EqualTo(("A->D D->C", 3)));
    }

    private sealed class Run(string links, AdvertisementMode advertisement = AdvertisementMode.Carry)
    {
        private readonly List<SimulationStep> _steps = [];
        private Dictionary<int, int> _counts = [];
        private readonly EventLog _log = new();
        private TreeState? _tree;

        public List<InterestCore> Cores { get; } = [];

        public Run Add(SimulationStep step)
        {
            _steps.Add(step);
            return this;
        }

        public Run At(int seconds, SimulationStepKind kind, int node, string topic) =>
            Add(
                new SimulationStep
                {
                    AtNanoseconds = seconds * Graphs.Second,
                    Kind = kind,
                    Node = node,
                    Client = node,
                    Topic = topic,
                    Qos = QualityOfService.AtLeastOnce,
                }
            );

        public Run Simulate(int seconds)
        {
            var topology = Graphs.Of(links) with
            {
                System = ClusterSystem.SingleOverlay,
                Overlay = new OverlaySettings { Advertisement = advertisement },
            };
            Cores.Clear();
            _log.Events.Clear();
            _counts = [];
            var made = OverlayCores.Of(topology);
            var plan = new SimulationPlan
            {
                Topology = topology,
                Core = (node, neighbours, output) =>
                {
                    var core = (DiscoveringCore)made(node, neighbours, new CountingOutput(output, _counts));
                    Cores.Add((InterestCore)core.Inner);
                    return core;
                },
                Steps = [.. _steps.Where(step => step.AtNanoseconds < seconds * Graphs.Second)],
                DurationNanoseconds = seconds * Graphs.Second,
            };
            new ClusterSimulator(plan, _log).Run(1, 0);
            _tree = _log.Tree(topology);
            return this;
        }

        public int Count(int kind) => _counts.GetValueOrDefault(kind);

        public int Deliveries() => _log.Events.Count(e => e.Kind == ClusterEventKind.Delivered);

        public string Advertised() => Rows(RouteMarks.AdvertisedByPeer);

        public string Wanted() => Rows(RouteMarks.WantedByPeer);

        // A row for each node and neighbour, by their letters in the figure.
        private string Rows(RouteMarks mark) =>
            string.Join(
                ' ',
                from node in Enumerable.Range(0, Cores.Count)
                where _tree!.IsMember(node)
                from route in Cores[node].Routes
                from place in Enumerable.Range(0, Cores[node].Neighbours.Count)
                where Cores[node].IsTreeNeighbour(place) && (route.At(place) & mark) != 0
                select $"{(char)('A' + node)}->{(char)('A' + Cores[node].Neighbours[place])}"
            );
    }
}
