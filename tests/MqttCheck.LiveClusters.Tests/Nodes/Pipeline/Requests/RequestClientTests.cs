using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Requests;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.LiveClusters.Tests.Nodes.Pipeline.Requests;

/// <summary>Requests of a broker to its log or store.</summary>
[TestFixture]
internal sealed class RequestClientTests : DirectoryFixture
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(50);

    private StoreNode _node = null!;

    [SetUp]
    public void Begin() =>
        _node = new StoreNode(In("store"), new StoreOptions(), new IPEndPoint(IPAddress.Loopback, 0));

    [TearDown]
    public async Task End() => await _node.DisposeAsync();

    [Test, CancelAfter(60_000)]
    public async Task Who_asks_on_a_wire_is_answered_on_its_thread()
    {
        await using var runner = new WireRunner("test");
        await using var store = new StoreNodeClient(_node.Address, s_patience, runner.Wire);
        runner.Start();
        var threads = new TaskCompletionSource<(int Asks, int Goes)>(
            TaskCreationOptions.RunContinuationsAsynchronously
        );
        runner.Wire.Post(async () =>
        {
            var asks = Environment.CurrentManagedThreadId;
            await store.OpenAsync("a", 0, isPersistent: true);
            threads.SetResult((asks, Environment.CurrentManagedThreadId));
        });
        var (asked, went) = await threads.Task;
        Assert.That(went, Is.EqualTo(asked));
    }

    [Test, CancelAfter(60_000)]
    public async Task A_thread_that_waits_for_an_answer_does_not_keep_it_away()
    {
        await using var store = new StoreNodeClient(_node.Address, s_patience);
        await store.OpenAsync("a", 0, isPersistent: true);
        Assert.That(store.OpenAsync("b", 0, isPersistent: true).Wait(s_patience), Is.True);
    }

    [Test, CancelAfter(60_000)]
    public async Task A_connection_ends_with_what_is_no_frame()
    {
        using var client = new TcpClient();
        await client.ConnectAsync(_node.Address);
        // Too short for the number of a request.
        await client.GetStream().WriteAsync(new byte[] { 0, 0, 0, 1, 0 });
        Assert.That(async () => await client.GetStream().ReadAsync(new byte[1]), Throws.InstanceOf<IOException>());
        Assert.That(_node.Failure, Is.Null);
    }
}
