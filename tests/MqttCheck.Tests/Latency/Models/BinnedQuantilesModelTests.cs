using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency.Models;

public sealed class BinnedQuantilesModelTests
{
    [Test]
    public void Bins_begin_at_their_edges_and_the_last_one_is_open()
    {
        for (var bin = 0; bin < FeatureBins.ActiveBins; bin++)
        {
            Assert.That(Bins(active: FeatureBins.ActiveEdges[bin]).Active, Is.EqualTo(bin));
            if (bin > 0)
                Assert.That(Bins(active: FeatureBins.ActiveEdges[bin] - 1).Active, Is.EqualTo(bin - 1));
        }
        for (var bin = 0; bin < FeatureBins.SubscriberBins; bin++)
            Assert.That(Bins(subscribers: FeatureBins.SubscriberEdges[bin]).Subscribers, Is.EqualTo(bin));
        for (var bin = 1; bin < FeatureBins.RecentActivityBins; bin++)
        {
            Assert.That(Bins(recent: FeatureBins.RecentActivityEdges[bin - 1]).Recent, Is.EqualTo(bin));
            Assert.That(
                Bins(recent: Math.BitDecrement(FeatureBins.RecentActivityEdges[bin - 1])).Recent,
                Is.EqualTo(bin - 1)
            );
        }
        Assert.That(
            Bins(active: 100_000, subscribers: 100_000, withheld: 100_000, recent: 1000),
            Is.EqualTo((2, 17, 7, 1, 18))
        );
    }

    [Test]
    public void Cell_that_was_not_seen_takes_the_nearest_of_its_kind()
    {
        var model = Model(
            new(1, new(1, 4, 1), null),
            (MessageKind.Publish, 1, 0, [10]),
            (MessageKind.Publish, 22, 0, [20]),
            (MessageKind.Publish, 1, 3, [30]),
            (MessageKind.Connect, 1, 0, [40])
        );
        foreach (
            var (kind, active, subscribers, latency) in ((MessageKind, int, int, double)[])
                [
                    (MessageKind.Publish, 1, 0, 10),
                    (MessageKind.Publish, 3, 0, 10),
                    (MessageKind.Publish, 17, 0, 20),
                    (MessageKind.Publish, 500, 0, 20),
                    (MessageKind.Publish, 1, 5, 30),
                    (MessageKind.Connect, 500, 0, 40),
                ]
        )
            Assert.That(Draws(model, kind, active, subscribers), Is.All.EqualTo(latency), $"{kind} {active}");
        Assert.That(
            () => Draws(model, MessageKind.Disconnect, 1, 0),
            Throws.InvalidOperationException.With.Message.EqualTo(
                "The latency model was learned without a disconnect message, so it cannot predict one."
            )
        );
    }

    [Test]
    public void Cell_that_was_seldom_seen_takes_its_own_latencies_and_those_of_both_neighbours()
    {
        var model = Model(
            new(3, new(1, 4, 1), null),
            (MessageKind.Connect, 1, 0, [1, 1, 1]),
            (MessageKind.Connect, 2, 0, [2, 2]),
            (MessageKind.Connect, 3, 0, [3]),
            (MessageKind.Connect, 4, 0, [4, 4, 4, 4])
        );
        Assert.That(Draws(model, MessageKind.Connect, 1, 0), Is.All.EqualTo(1), "enough of its own");
        Assert.That(
            Draws(model, MessageKind.Connect, 2, 0),
            Has.Some.InRange(1, 1.9).And.Some.InRange(2.1, 3).And.None.GreaterThan(3),
            "neighbours at the same distance come together"
        );
        Assert.That(
            Draws(model, MessageKind.Connect, 3, 0),
            Has.Some.InRange(2, 2.9).And.Some.InRange(3.1, 4).And.None.LessThan(2)
        );
    }

    [Test]
    public void Publications_with_and_without_subscribers_are_never_mixed()
    {
        var model = Model(
            new(80, new(1, 4, 1), null),
            (MessageKind.Publish, 1, 0, [10, 10, 10]),
            (MessageKind.Publish, 1, 1, [30])
        );
        Assert.That(Draws(model, MessageKind.Publish, 1, 0), Is.All.EqualTo(10));
        Assert.That(Draws(model, MessageKind.Publish, 50, 9), Is.All.EqualTo(30));
        var without = Model(new(80, new(1, 4, 1), null), (MessageKind.Publish, 1, 0, [10, 10, 10]));
        Assert.That(Draws(without, MessageKind.Publish, 1, 5), Is.All.EqualTo(10), "better than nothing");
    }

    [Test]
    public void Trend_scales_the_latencies_of_a_neighbour()
    {
        var model = Model(new(1, new(1, 4, 1), new(1, 2, 0, 0, 0.1)), (MessageKind.Connect, 1, 0, [3]));
        Assert.That(Draws(model, MessageKind.Connect, 1, 0), Is.All.EqualTo(3));
        Assert.That(
            Draws(model, MessageKind.Connect, 3, 0),
            Is.All.EqualTo(7).Within(1e-5),
            "(1 + 2 x 3) / (1 + 2 x 1) times as long"
        );
        Assert.That(
            Draws(model, MessageKind.Connect, 1000, 0),
            Is.All.EqualTo(9).Within(1e-5),
            "never more than three times as long"
        );
    }

    [Test]
    public void Publication_to_two_subscribers_that_was_never_seen_is_as_slow_as_the_slower_of_two_deliveries()
    {
        double[] stalls = [.. Enumerable.Repeat(1.0, 90), .. Enumerable.Repeat(40.0, 10)];
        var model = Model(
            new(80, new(1, 1, 1), null, Maxima: true),
            (MessageKind.Publish, 1, 1, stalls),
            (MessageKind.Publish, 1, 0, [7])
        );
        // 1 - .9^2 = .19; the table interpolates over one of its intervals.
        Assert.That(
            Draws(model, MessageKind.Publish, 1, 2).Count(milliseconds => milliseconds > 20),
            Is.EqualTo(0.19 * 200).Within(14),
            "two and a half standard deviations of 200 draws"
        );
        Assert.That(
            Draws(model, MessageKind.Publish, 1, 0),
            Is.All.EqualTo(7),
            "without subscribers only the acknowledgement is awaited"
        );
    }

    [Test]
    public void One_draw_takes_one_number_of_the_stream()
    {
        var model = Model(new(1, new(1, 1, 1), null), (MessageKind.Connect, 1, 0, [40]));
        var random = RandomStream.For(1);
        var expected = random;
        model.Draw(ref random);
        expected.NextDouble();
        Assert.That(random.NextUInt64(), Is.EqualTo(expected.NextUInt64()));
    }

    private static double[] Draws(BinnedQuantilesModel model, MessageKind kind, int active, int subscribers)
    {
        var random = RandomStream.For(1);
        var features = new ExchangeFeatures
        {
            Kind = kind,
            Active = active,
            Subscribers = subscribers,
        };
        return [.. Enumerable.Range(0, 200).Select(_ => Math.Round(model.Draw(features, ref random), 9))];
    }

    private static BinnedQuantilesModel Model(
        PoolingRule rule,
        params (MessageKind Kind, int Active, int Subscribers, double[] Milliseconds)[] cells
    ) =>
        new(
            [
                .. cells.Select(cell =>
                {
                    var (kind, active, subscribers, milliseconds) = cell;
                    var features = new ExchangeFeatures
                    {
                        Kind = kind,
                        Active = active,
                        Subscribers = subscribers,
                    };
                    return new PlacedTable(FeatureBins.CellOf(features), QuantileTable.From(milliseconds));
                }),
            ],
            [.. Enum.GetValues<MessageKind>().Select(kind => cells.Any(cell => cell.Kind == kind) ? rule : null)]
        );

    private static (int Kind, int Active, int Subscribers, int Withheld, int Recent) Bins(
        int active = 1,
        int subscribers = 0,
        int withheld = 0,
        double recent = 0
    ) =>
        FeatureBins.BinsOf(
            FeatureBins.CellOf(
                new ExchangeFeatures
                {
                    Kind = MessageKind.Publish,
                    Active = active,
                    Subscribers = subscribers,
                    Withheld = withheld,
                    RecentActivity = recent,
                }
            )
        );
}
