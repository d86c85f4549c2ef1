using System.Net;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.LiveClusters.Tests.Nodes.Pipeline.Stores;

/// <summary>The store of a pipeline as a node: what it has answered it knows after a restart.</summary>
[TestFixture]
internal sealed class StoreNodeTests : DirectoryFixture
{
    [Test, CancelAfter(60_000)]
    public async Task What_was_answered_is_there_after_a_restart()
    {
        IPEndPoint address;
        int client;
        await using (var node = Node(new IPEndPoint(IPAddress.Loopback, 0)))
        {
            address = node.Address;
            await using var store = Client(address);
            (client, _, _) = await store.OpenAsync("a", 1, isPersistent: true);
            await store.SubscribeAsync(client, "t", 1);
            var added = await store.AddAndFindAsync(client, Messages(3));
            Assert.That(added.Node, Is.EqualTo(1));
            Assert.That(added.Messages.Select(one => (int)one.PacketId), Is.EqualTo(new[] { 1, 2, 3 }));
            Assert.That(await store.RemoveAsync(client, 1), Is.True);
            Assert.That(await store.ReceiveAsync(client, 2), Is.True);
        }
        await using var again = Node(address);
        await using var later = Client(address);
        var kept = await later.GetAsync(client);
        Assert.That(kept.Messages.Select(one => (int)one.PacketId), Is.EqualTo(new[] { 2, 3 }));
        Assert.That(kept.Messages.Select(one => one.IsReceived), Is.EqualTo(new[] { true, false }));
        Assert.That(kept.Messages[0].Message.Payload.ToArray(), Is.EqualTo(new byte[] { 1 }));
        var changes = await later.WatchAsync(0);
        Assert.That(
            changes.Select(change => change.Kind),
            Is.EqualTo(new[] { SessionChangeKind.Opened, SessionChangeKind.Subscribed })
        );
        var reopened = await later.OpenAsync("a", 2, isPersistent: true);
        Assert.That((reopened.Client, reopened.IsPresent), Is.EqualTo((client, true)));
        // Identifiers go on behind the last one.
        Assert.That((await later.AddAndFindAsync(client, Messages(1))).Messages[0].PacketId, Is.EqualTo(4));
    }

    [Test, CancelAfter(60_000)]
    public async Task Who_watches_hears_of_a_change_of_another_broker()
    {
        await using var node = Node(new IPEndPoint(IPAddress.Loopback, 0));
        await using var one = Client(node.Address);
        await using var other = Client(node.Address);
        var watching = one.WatchAsync(0);
        var session = await other.OpenAsync("a", 1, isPersistent: false);
        Assert.That(
            (await watching).Single(),
            Is.EqualTo(new SessionChange(SessionChangeKind.Opened, session.Client) { Node = 1 })
        );
    }

    [Test, CancelAfter(60_000)]
    public async Task A_session_that_is_over_gets_nothing_that_was_in_the_log_for_it()
    {
        await using var node = Node(new IPEndPoint(IPAddress.Loopback, 0));
        await using var store = Client(node.Address);
        var session = await store.OpenAsync("a", 0, isPersistent: false);
        await store.CloseAsync(session);
        var added = await store.AddAndFindAsync(session.Client, Messages(1));
        Assert.That((added.Node, added.Messages.Count), Is.EqualTo((-1, 0)));
    }

    [Test, CancelAfter(60_000)]
    public async Task A_request_fails_when_the_node_stays_away()
    {
        IPEndPoint address;
        await using (var node = Node(new IPEndPoint(IPAddress.Loopback, 0)))
            address = node.Address;
        await using var store = new StoreNodeClient(address, TimeSpan.FromMilliseconds(50));
        Assert.That(async () => await store.GetAsync(1), Throws.InstanceOf<OperationCanceledException>());
    }

    [Test, CancelAfter(60_000)]
    public async Task A_request_waits_for_a_node_that_comes_back()
    {
        IPEndPoint address;
        await using (var node = Node(new IPEndPoint(IPAddress.Loopback, 0)))
            address = node.Address;
        await using var store = Client(address);
        var opening = store.OpenAsync("a", 0, isPersistent: true);
        await using var again = Node(address);
        Assert.That((await opening).IsPresent, Is.False);
    }

    private StoreNode Node(IPEndPoint address) => new(In("store"), new StoreOptions(), address);

    private static StoreNodeClient Client(IPEndPoint address) => new(address, TimeSpan.FromSeconds(50));

    private static PipelineMessage[] Messages(int count) =>
        [.. Enumerable.Range(0, count).Select(i => new PipelineMessage(i, "t", 1) { Payload = new[] { (byte)i } })];
}
