using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.ClusterProtocols.Tests.Pipeline;

/// <summary>The expected identifiers and scores are those of the published rules, worked out by hand.</summary>
[TestFixture]
internal sealed class SessionStoreModelTests
{
    private const int Client = 7;
    private const long Second = 1_000_000_000;

    [TestCase(false)]
    [TestCase(true)]
    public void Identifiers_start_again_behind_65535_and_scores_go_on(bool reconnects)
    {
        var store = Near(65_533, new StoreOptions());
        store.Add(Client, Messages(0, 2), 0);
        if (reconnects)
            store.Get(Client, 0);
        store.Add(Client, Messages(2, 1), 0);
        Assert.That(
            store.Get(Client, 0).Select(stored => (stored.PacketId, stored.Score, stored.Message.Id)),
            Is.EqualTo(new[] { ((ushort)65_534, 65_534L, 0L), ((ushort)65_535, 65_535L, 1L), ((ushort)1, 65_536L, 2L) })
        );
    }

    [Test]
    public void The_oldest_go_first_above_the_limit()
    {
        var store = Near(65_533, new StoreOptions { Limit = 2 });
        store.Add(Client, Messages(0, 3), 0);
        Assert.That(store.Get(Client, 0).Select(stored => stored.PacketId), Is.EqualTo(new ushort[] { 65_535, 1 }));
    }

    [Test]
    public void What_has_outlived_its_time_is_neither_sent_nor_kept()
    {
        var store = Near(65_533, new StoreOptions { LifetimeNanoseconds = 10 * Second });
        store.Add(Client, Messages(0, 2), 0);
        store.Add(Client, Messages(2, 1), 5 * Second);
        Assert.That(store.Count(Client), Is.EqualTo(3));
        Assert.That(store.Get(Client, 10 * Second).Select(stored => stored.PacketId), Is.EqualTo(new ushort[] { 1 }));
        Assert.That(store.Count(Client), Is.EqualTo(1));
    }

    [Test]
    public void An_empty_session_goes_on_with_its_last_identifier()
    {
        var store = Near(65_533, new StoreOptions());
        foreach (var stored in store.Add(Client, Messages(0, 3), 0))
            Assert.That(store.Remove(Client, stored.PacketId), Is.True);
        Assert.That(store.Remove(Client, 1), Is.False);
        var next = store.Add(Client, Messages(3, 1), 0)[0];
        Assert.That((next.PacketId, next.Score), Is.EqualTo(((ushort)2, 2L)));
    }

    [Test]
    public void An_identifier_that_comes_round_replaces_the_message_that_still_has_it()
    {
        var store = new SessionStoreModel(new StoreOptions());
        store.Add(Client, Messages(0, 1), 0);
        store.SetLast(Client, 65_535);
        store.Add(Client, Messages(1, 1), 0);
        Assert.That(store.Get(Client, 0).Select(stored => stored.Message.Id), Is.EqualTo(new[] { 1L }));
    }

    [Test]
    public void What_a_stage_hands_on_twice_is_stored_once_and_handed_out_until_its_client_has_it()
    {
        var store = new SessionStoreModel(new StoreOptions());
        var message = new PipelineMessage(18, "t", 2) { Place = new LogPlace(3, 7) };
        var first = store.Add(Client, [message], 0).Single();
        Assert.That(store.Add(Client, [message], 0), Is.EqualTo([first]));
        store.Receive(Client, first.PacketId);
        Assert.That(store.Add(Client, [message], 0), Is.Empty);
        Assert.That(store.Read(Client, 0).Messages, Is.EqualTo([first with { IsReceived = true }]));
        Assert.That(store.Remove(Client, first.PacketId), Is.True);
        Assert.That(store.Add(Client, [message], 0), Is.Empty);
        Assert.That(store.Read(Client, 0).Last, Is.EqualTo(new Dictionary<int, long> { [3] = 7 }));
        Assert.That(store.Add(Client, [message with { Place = new LogPlace(4, 7) }], 0), Has.Count.EqualTo(1));
    }

    private static SessionStoreModel Near(ushort last, StoreOptions options)
    {
        var store = new SessionStoreModel(options);
        store.SetLast(Client, last);
        return store;
    }

    private static PipelineMessage[] Messages(long first, int count) =>
        [.. Enumerable.Range(0, count).Select(i => new PipelineMessage(first + i, "t", 1))];
}
