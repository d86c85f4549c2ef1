using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency;

public sealed class BinnedQuantilesModelTests
{
    [Test]
    public void Bins_begin_at_their_edges_and_the_last_one_is_open()
    {
        for (var bin = 0; bin < FeatureBins.ActiveBins; bin++)
        {
            Assert.That(Bins(active: FeatureBins.ActiveEdges[bin]).Active, Is.EqualTo(bin));
            if (bin > 0) Assert.That(Bins(active: FeatureBins.ActiveEdges[bin] - 1).Active, Is.EqualTo(bin - 1));
        }
        for (var bin = 0; bin < FeatureBins.SubscriberBins; bin++) Assert.That(Bins(subscribers: FeatureBins.SubscriberEdges[bin]).Subscribers, Is.EqualTo(bin));
        for (var bin = 1; bin < FeatureBins.RecentActivityBins; bin++)
        {
            Assert.That(Bins(recent: FeatureBins.RecentActivityEdges[bin - 1]).Recent, Is.EqualTo(bin));
            Assert.That(Bins(recent: Math.BitDecrement(FeatureBins.RecentActivityEdges[bin - 1])).Recent, Is.EqualTo(bin - 1));
        }
        Assert.That(Bins(active: 100_000, subscribers: 100_000, recent: 1000), Is.EqualTo((2, 17, 7, 6)));
    }

    [Test]
    public void Cell_that_was_not_seen_borrows_the_nearest_of_its_kind()
    {
        var model = Model((MessageKind.Publish, 1, 0, 0, 10), (MessageKind.Publish, 22, 0, 0, 20), (MessageKind.Publish, 1, 3, 0, 30), (MessageKind.Connect, 1, 0, 0, 40));
        var random = RandomStream.For(1);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(Draw(MessageKind.Publish, 1, 0), Is.EqualTo(10));
            Assert.That(Draw(MessageKind.Publish, 3, 0), Is.EqualTo(10));
            Assert.That(Draw(MessageKind.Publish, 17, 0), Is.EqualTo(20));
            Assert.That(Draw(MessageKind.Publish, 500, 0), Is.EqualTo(20));
            Assert.That(Draw(MessageKind.Publish, 1, 5), Is.EqualTo(30));
            Assert.That(Draw(MessageKind.Connect, 500, 0), Is.EqualTo(40));
            Assert.That(() => Draw(MessageKind.Disconnect, 1, 0), Throws.InvalidOperationException.With.Message.EqualTo(
                "The latency model was learned without a disconnect message, so it cannot predict one."));
            Assert.That(model.Kinds, Is.EqualTo(new[] { MessageKind.Connect, MessageKind.Publish }));
        }

        double Draw(MessageKind kind, int active, int subscribers) =>
            model.Draw(new ExchangeFeatures { Kind = kind, Active = active, Subscribers = subscribers }, ref random);
    }

    [Test]
    public void One_draw_takes_one_number_of_the_stream()
    {
        var model = Model((MessageKind.Connect, 1, 0, 0, 40));
        var random = RandomStream.For(1);
        var expected = random;
        model.Draw(ref random);
        expected.NextDouble();
        Assert.That(random.NextUInt64(), Is.EqualTo(expected.NextUInt64()));
    }

    private static BinnedQuantilesModel Model(params (MessageKind Kind, int Active, int Subscribers, double Recent, double Milliseconds)[] tables) =>
        new(tables.ToDictionary(
            table => FeatureBins.CellOf(new ExchangeFeatures { Kind = table.Kind, Active = table.Active, Subscribers = table.Subscribers, RecentActivity = table.Recent }),
            table => QuantileTable.From([table.Milliseconds])));

    private static (int Kind, int Active, int Subscribers, int Recent) Bins(int active = 1, int subscribers = 0, double recent = 0) =>
        FeatureBins.BinsOf(FeatureBins.CellOf(new ExchangeFeatures { Kind = MessageKind.Publish, Active = active, Subscribers = subscribers, RecentActivity = recent }));
}
