using MqttCheck.Latency.Models;
using MqttCheck.Latency.Nagle;
using MqttCheck.Profiles;
using MqttCheck.Properties.Traces;
using MqttCheck.Shards;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Shards;

[TestFixture]
internal sealed class LocalShardRunnerTests
{
    [TestCase(1)]
    [TestCase(2)]
    [TestCase(7)]
    public void Outcomes_come_in_order_for_any_number_of_threads(int threads) =>
        Assert.That(
            new LocalShardRunner(threads).Run(new Squares(), 1000, default),
            Is.EqualTo(Enumerable.Range(0, 1000).Select(number => (long)number * number))
        );

    [TestCase(1)]
    [TestCase(3)]
    public void Without_an_end_the_caller_says_when_it_is_enough(int threads) =>
        Assert.That(
            new LocalShardRunner(threads).Run(new Squares(), null, default).Take(100).Last(),
            Is.EqualTo(99 * 99)
        );

    [TestCase(1)]
    [TestCase(3)]
    public void Of_several_failures_the_first_in_order_is_told(int threads)
    {
        var outcomes = new List<long>();
        Assert.That(
            () =>
            {
                foreach (var outcome in new LocalShardRunner(threads).Run(new Squares(failsFrom: 57), 1000, default))
                    outcomes.Add(outcome);
            },
            Throws.TypeOf<InputException>().With.Message.EqualTo("replication 57")
        );
        Assert.That(outcomes, Has.Count.LessThanOrEqualTo(57));
    }

    [TestCase(1)]
    [TestCase(3)]
    public void It_stops_when_it_is_told_to(int threads)
    {
        using var stop = new CancellationTokenSource();
        Assert.That(
            () =>
            {
                foreach (var outcome in new LocalShardRunner(threads).Run(new Squares(), null, stop.Token))
                    if (outcome == 100)
                        stop.Cancel();
            },
            Throws.InstanceOf<OperationCanceledException>()
        );
    }

    [Test]
    public void A_shard_that_travelled_as_bytes_is_the_same_to_the_bit()
    {
        var model = new NagleModel(
            new PaperRegressionModel(
                [4, 1, 3, .5, .25, .8, .01, .4],
                [1, .5, .2, .1, .1, .2, .005, .1],
                [true, true, true, true, true]
            ),
            new(1, QuantileTable.From([40, 44.123456789]))
        );
        var setup = new SimulatedFleet
        {
            Population = Population.Of(TestProfiles.Up2),
            Clients = 7,
            Sequences = 2,
            Seed = ulong.MaxValue - 3,
            TimerGridMilliseconds = .1,
        };
        var catalogue = new JobCatalogue().Add(FleetJob.Kind, FleetJob.Parse).Add(TraceJob.Kind, TraceJob.Parse);
        var fleet = new FleetJob(model, setup, detailed: true);
        var far = Travelled(catalogue, fleet, new(5, 9));
        var near = new LocalShardRunner(1).Run(fleet, 14, default).Skip(5).ToArray();
        for (var i = 0; i < 9; i++)
        {
            Assert.That(
                (far[i].WorstMilliseconds.ToArray(), far[i].IssueIndex.ToArray()),
                Is.EqualTo((near[i].WorstMilliseconds.ToArray(), near[i].IssueIndex.ToArray()))
            );
            Assert.That(
                (far[i].Events, far[i].Exchanges, far[i].MeanActive, far[i].MaximumActive),
                Is.EqualTo((near[i].Events, near[i].Exchanges, near[i].MeanActive, near[i].MaximumActive))
            );
        }
        var traces = new TraceJob(model, setup, TraceProperty.Parse("P[ G<=10msg latency(publish) < 12.5ms ]"));
        var farTraces = Travelled(catalogue, traces, new(0, 6));
        var nearTraces = new LocalShardRunner(2).Run(traces, 6, default).ToArray();
        Assert.That(
            farTraces.Select(one => (one.Values, one.Groups, one.CutShort)),
            Is.EqualTo(nearTraces.Select(one => (one.Values, one.Groups, one.CutShort)))
        );
    }

    private static TOutcome[] Travelled<TOutcome>(JobCatalogue catalogue, ReplicationJob<TOutcome> job, Shard shard)
    {
        var description = job.Describe();
        var elsewhere = catalogue.Read(description.Kind, description.Parts);
        return job.Read(shard, elsewhere.StartShards()(shard, default));
    }

    [Test]
    public void A_job_is_named_by_its_content()
    {
        JobDescription one = new("a", "x"u8.ToArray(), "y"u8.ToArray()),
            same = new("a", "x"u8.ToArray(), "y"u8.ToArray()),
            otherPart = new("a", "x"u8.ToArray(), "z"u8.ToArray()),
            otherKind = new("b", "x"u8.ToArray(), "y"u8.ToArray());
        Assert.That(same.Hash, Is.EqualTo(one.Hash));
        Assert.That(new[] { otherPart.Hash, otherKind.Hash }, Has.None.EqualTo(one.Hash));
    }

    [Test]
    public void A_model_that_no_file_can_hold_cannot_travel() =>
        Assert.That(
            () =>
                new FleetJob(
                    new LawLatencyModel(new ConstantLaw(1)),
                    new() { Population = Population.Of(TestProfiles.Up1), Clients = 1 }
                ).Describe(),
            Throws.TypeOf<InputException>().With.Message.Contains("kind of model is laws; allowed: binned-quantiles")
        );

    [Test]
    public void Bytes_that_do_not_fit_the_shard_are_refused()
    {
        var job = new Squares();
        Assert.That(() => job.Read(new(0, 2), new byte[12]), Throws.TypeOf<InvalidDataException>());
        Assert.That(() => job.Read(new(0, 1), new byte[12]), Throws.TypeOf<InvalidDataException>());
    }

    private sealed class Squares(int failsFrom = int.MaxValue) : ReplicationJob<long>
    {
        public override Func<int, CancellationToken, long> Start() =>
            (number, cancellation) =>
            {
                cancellation.ThrowIfCancellationRequested();
                return number < failsFrom ? (long)number * number : throw new InputException($"replication {number}");
            };

        public override JobDescription Describe() => new("squares");

        protected override void Write(BinaryWriter writer, long outcome) => writer.Write(outcome);

        protected override long Read(BinaryReader reader) => reader.ReadInt64();
    }
}
