using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>What every wire promises about the life of a connection.</summary>
[TestFixtureSource(typeof(TestWires), nameof(TestWires.WithTransports))]
public sealed class WireConnectionTests(TestWire kind, TestTransport transport) : WireFixture(kind, transport)
{
    [Test]
    public void Connections_run_over_IPv6_too()
    {
        if (!Socket.OSSupportsIPv6)
            Assert.Ignore("This machine has no IPv6.");
        var server = Thread.Invoke(() => Wire.Listen(Listener(new IPEndPoint(IPAddress.IPv6Loopback, 0)), Echo));
        var client = new ScriptedHandler { Expected = 10, Connected = connection => connection.Send(new byte[10]) };
        Connect(server, client);
        Assert.That(Thread.Wait(client.WhenComplete), Is.True);
        Assert.That(server.Address, Is.EqualTo(IPAddress.IPv6Loopback));
    }

    [Test]
    public void A_port_where_nobody_listens_refuses()
    {
        var client = new ScriptedHandler();
        Thread.Invoke(() => Wire.Connect(Endpoint(UnusedAddress()), client));
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.Refused));
        Assert.That(client.Detail, Is.Not.Empty);
        Assert.That(client.WhenConnected.IsCompleted, Is.False);
    }

    [Test]
    public void A_connection_that_nobody_completes_times_out()
    {
        Assume.That(Kind.HasSockets() && Transport == TestTransport.Tcp);
        // A listener with a full queue leaves connection requests unanswered.
        using var deaf = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        deaf.Bind(AnyPort);
        deaf.Listen(0);
        var address = (IPEndPoint)deaf.LocalEndPoint!;
        var clients = Enumerable.Range(0, 8).Select(_ => new ScriptedHandler()).ToArray();
        Thread.Invoke(() =>
        {
            foreach (var client in clients)
                Wire.Connect(Endpoint(address) with { ConnectTimeout = TimeSpan.FromMilliseconds(200) }, client);
        });
        var last = clients[^1];
        Assert.That(Thread.Wait(last.WhenClosed), Is.EqualTo(CloseReason.ConnectTimeout));
    }

    [Test]
    public void When_the_peer_closes_what_it_sent_comes_before_the_end()
    {
        var server = Serve(() =>
            new ScriptedHandler
            {
                Connected = connection =>
                {
                    connection.Send(new byte[1000]);
                    connection.Close();
                    connection.Send(new byte[5]);
                },
            }
        );
        var client = new ScriptedHandler();
        Connect(server, client);
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.ClosedByPeer));
        Assert.That(client.Received, Has.Count.EqualTo(1000), "what is sent after Close is dropped");
    }

    [Test]
    public void Closing_here_is_told_when_the_peer_has_closed_too()
    {
        var peer = new ScriptedHandler();
        var server = Serve(() => peer);
        var client = new ScriptedHandler();
        var connection = Connect(server, client);
        Thread.Wait(peer.WhenConnected);
        Thread.Invoke(connection.Close);
        Assert.That(
            (Thread.Wait(client.WhenClosed), Thread.Wait(peer.WhenClosed)),
            Is.EqualTo((CloseReason.ClosedHere, CloseReason.ClosedByPeer))
        );
    }

    [Test]
    [Category("Whole")]
    public void Closing_here_ends_even_when_the_peer_does_not()
    {
        Assume.That(Kind.HasSockets() && Transport == TestTransport.Tcp);
        using var listener = new TcpListener(AnyPort);
        listener.Start();
        var client = new ScriptedHandler();
        var connection = Connect((IPEndPoint)listener.LocalEndpoint, client);
        using var peer = listener.AcceptSocket();
        Thread.Invoke(connection.Close);
        Assert.That(peer.Receive(new byte[1]), Is.Zero, "the peer sees the end of the stream");
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.ClosedHere));
    }

    [Test]
    public void Aborting_resets_the_peer_and_is_told_once()
    {
        var peer = new ScriptedHandler();
        var server = Serve(() => peer);
        var client = new ScriptedHandler();
        var connection = Connect(server, client);
        Thread.Wait(peer.WhenConnected);
        Thread.Invoke(() =>
        {
            connection.Abort();
            Assert.That(client.ClosedCalls, Is.Zero, "never from within the call");
            connection.Abort();
            connection.Close();
            connection.Send(new byte[10]);
        });
        Assert.That(
            (Thread.Wait(client.WhenClosed), Thread.Wait(peer.WhenClosed)),
            Is.EqualTo((CloseReason.ClosedHere, CloseReason.Reset))
        );
        AssertClosedOnce(client, peer);
    }

    [Test]
    public void A_handler_may_abort_itself_and_connect_again_while_it_is_called()
    {
        var server = Serve(() => new ScriptedHandler { Connected = connection => connection.Send(new byte[64]) });
        var rounds = 0;
        var done = new TaskCompletionSource<bool>();
        ScriptedHandler Next() =>
            new()
            {
                Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
                {
                    connection.Abort();
                    return 0;
                },
                Closed = (_, reason) =>
                {
                    Assert.That(reason, Is.EqualTo(CloseReason.ClosedHere));
                    if (++rounds == (IsTls ? 50 : 200))
                        done.SetResult(true);
                    else
                        Wire.Connect(Endpoint(server), Next());
                },
            };
        Thread.Invoke(() => Wire.Connect(Endpoint(server), Next()));
        Assert.That(Thread.Wait(done.Task), Is.True);
    }

    [Test]
    [Category("Whole")]
    public void Connections_that_close_each_other_in_one_batch_are_each_told_once()
    {
        // Every byte closes all other connections, whose own events may be in the same batch, while their descriptors
        // go to new connections.
        var server = Serve(() => new ScriptedHandler { Connected = connection => connection.Send(new byte[1]) });
        const int width = 50;
        var waves = IsTls ? 4 : 20;
        var handlers = new List<ScriptedHandler>();
        var open = new HashSet<WireConnection>();
        var started = 0;
        var ended = 0;
        var done = new TaskCompletionSource<bool>();
        void ConnectOne()
        {
            started++;
            var handler = new ScriptedHandler
            {
                Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
                {
                    Assert.That(open, Does.Contain(connection), "an event reached a connection that had ended");
                    foreach (var other in open.ToArray())
                        other.Abort();
                    open.Clear();
                    for (var i = 0; i < width && started < waves * width; i++)
                        ConnectOne();
                    return bytes.Length;
                },
                Closed = (connection, _) =>
                {
                    open.Remove(connection);
                    if (++ended == waves * width)
                        done.SetResult(true);
                },
            };
            handlers.Add(handler);
            open.Add(Wire.Connect(Endpoint(server), handler));
        }
        Thread.Invoke(() =>
        {
            for (var i = 0; i < width; i++)
                ConnectOne();
        });
        Assert.That(Thread.Wait(done.Task), Is.True);
        AssertClosedOnce([.. handlers]);
    }

    [Test]
    public void A_port_in_use_is_refused_with_a_message()
    {
        var address = Serve(Echo);
        var failure = Assert.Throws<WireException>(() => Thread.Invoke(() => Wire.Listen(address, Echo)));
        Assert.That(failure!.Message, Does.Contain(address.ToString()).And.Contain("in use"));
    }

    private static IPEndPoint UnusedAddress()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(AnyPort);
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    private static void AssertClosedOnce(params ScriptedHandler[] handlers)
    {
        Assert.That(handlers.Select(handler => handler.ClosedCalls), Is.All.EqualTo(1));
        Assert.That(handlers.Select(handler => handler.CallsAfterClosed), Is.All.Zero);
    }
}
