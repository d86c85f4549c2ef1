using System.Text;
using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Shards;

namespace MqttCheck.ClusterProtocols.Tests.Predicting;

/// <summary>What is said of pairs agrees with what is said of the whole cluster, and with the paths.</summary>
[TestFixture]
internal sealed class PairPredictionsTests
{
    private const string Line = """
        { "name": "x", "system": "spanning-tree", "family": "line:3", "delay": "constant:10ms", "hop": "qos0",
          "durationSeconds": 8, "faults": ["kill n2 at 2s for 2s"], "properties": ["E[ lost ]"] }
        """;

    [Test]
    public void Times_are_those_of_the_paths_and_losses_add_up_to_those_of_the_cluster()
    {
        var prediction = Predict(Read(Line), pairs: true);
        var pairs = prediction.Pairs!;
        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            pairs.Answers.Select(pair => (pair.From, pair.To, pair.MedianMilliseconds)),
            Is.EqualTo(
                from publisher in (int[])[1, 2, 3]
                from subscriber in (int[])[1, 2, 3]
                select ($"n{publisher}", $"n{subscriber}", (double?)10 * Math.Abs(publisher - subscriber))
            )
        );
        Assert.That(pairs.Answers.Sum(pair => pair.Lost), Is.GreaterThan(0));
        Assert.That(
            (double)pairs.Answers.Sum(pair => pair.Lost) / pairs.Runs,
            Is.EqualTo(prediction.Tests[0].Answer.Estimate).Within(1e-9)
        );
        Assert.That(pairs.Answers.All(pair => pair.Lost <= pair.Missing && pair.Missing <= pair.Owed));
        // What goes through the node that dies is lost, and nothing within a node is.
        Assert.That(
            pairs.Answers.Where(pair => pair.Lost > 0).Select(pair => $"{pair.From}{pair.To}"),
            Does.Contain("n1n3")
        );
        Assert.That(pairs.Answers.Where(pair => pair.From == pair.To).Sum(pair => pair.Missing), Is.Zero);
    }

    // The law of a link has a spread, so the shards of two threads would be seen if their order counted.
    [Test]
    public void They_do_not_depend_on_who_simulates_and_change_nothing_else()
    {
        var topology = Read(Line.Replace("constant:10ms", "normal:10ms,3ms", StringComparison.Ordinal));
        var (one, two, without) = (Predict(topology, true), Predict(topology, true, 2), Predict(topology, false));
        Assert.That(two.Pairs!.Answers, Is.EqualTo(one.Pairs!.Answers));
        Assert.That(without.Pairs, Is.Null);
        Assert.That(without.Tests[0].Answer.Estimate, Is.EqualTo(one.Tests[0].Answer.Estimate));
    }

    // With sites the pairs of the usual load are within a site: all go to all here.
    [Test]
    public void Where_there_are_sites_the_pairs_are_those_of_sites_with_the_way_to_their_broker()
    {
        const string sites = """
            { "name": "x", "system": "spanning-tree", "family": "line:2", "delay": "constant:10ms", "properties": ["E[ lost ]"],
              "workload": { "name": "w", "shape": "fan-out", "publishers": 1, "subscribers": 1, "arrivals": { "constant": 20 },
                "durationSeconds": 5 },
              "sites": [{ "name": "hall", "at": "n1", "publishers": 1, "subscribers": 1, "delay": "constant:3ms" },
                { "name": "desk", "at": "n2", "subscribers": 1 }, { "name": "shed", "at": "n1", "subscribers": 1 }] }
            """;
        Assert.That(
            Predict(Read(sites), pairs: true)
                .Pairs!.Answers.Select(pair => (pair.From, pair.To, pair.MeanMilliseconds)),
            Is.EqualTo(((string, string, double?)[])[("hall", "hall", 6), ("hall", "desk", 13), ("hall", "shed", 3)])
        );
    }

    [Test]
    public void A_pipeline_has_pairs_and_a_transport_has_none()
    {
        Assert.That(Predict(TopologyFile.Read("pipeline-p2p"), pairs: true, runs: 2).Pairs!.Answers, Is.Not.Empty);
        Assert.That(ClientPlaces.Of(TopologyFile.Read("transport-capacity")), Is.Null);
    }

    // Made by hand: a hundred thousand runs would take minutes to simulate.
    [Test]
    public void What_is_kept_does_not_grow_with_the_runs()
    {
        var pairs = new PairPredictions(ClientPlaces.Of(TopologyFile.Read("mesh:2"))!);
        var run = new ClusterOutcome
        {
            Publications = 1,
            Deliveries = 1,
            DeliveryMilliseconds = [],
            Lost = 0,
            LostSettled = 0,
            Duplicates = 0,
            Reordered = 0,
            Racing = 0,
            Pairs = [new(0, 1, 1, 0, 0, [5_000_000, 9_000_000])],
        };
        pairs.Add(run);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var more = 0; more < 100_000; more++)
            pairs.Add(run);
        Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(16_000_000), "bytes, in all runs");
        var answer = pairs.Answers.Single();
        Assert.That((answer.From, answer.To, answer.Owed), Is.EqualTo(("n1", "n2", 100_001)));
        Assert.That(answer.MedianMilliseconds, Is.InRange(5, 5.05));
        Assert.That(answer.P99Milliseconds, Is.EqualTo(9));
    }

    private static Topology Read(string json) => TopologyFile.Parse(Encoding.UTF8.GetBytes(json), "test");

    private static ClusterPrediction Predict(Topology topology, bool pairs, int threads = 1, int runs = 10)
    {
        var prediction = new ClusterPrediction(topology, .01, .05, seed: 1, pairs);
        prediction.Run(new LocalShardRunner(threads), runs, _ => { }, CancellationToken.None);
        return prediction;
    }
}
