using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>What every wire promises, whatever moves its bytes.</summary>
[TestFixture(TestWire.Epoll)]
[TestFixture(TestWire.EpollWithTimerDescriptor)]
[TestFixture(TestWire.Portable)]
[TestFixture(TestWire.Memory)]
public sealed class WireContractTests(TestWire kind)
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);

    private WireThread _thread = null!;

    private IWire Wire => _thread.Wire;

    [SetUp]
    public void Start() => Start(new WireOptions());

    [TearDown]
    public void End() => _thread?.Dispose();

    [Test]
    public void Bytes_come_back_whole_and_in_order_whatever_part_each_call_consumes()
    {
        var sent = RandomNumberGenerator.GetBytes(200_000);
        var calls = 0;
        var server = Serve(() => new ScriptedHandler
        {
            // Consumes nothing, a part, or all, in turn; the rest has to come again.
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                var share = (calls++ % 3) * bytes.Length / 2;
                var consumed = bytes.Length > 20_000 || share > 0 ? Math.Max(share, bytes.Length / 2 + 1) : 0;
                consumed = Math.Min(consumed, bytes.Length);
                connection.Send(bytes[..consumed]);
                return consumed;
            },
        });
        // Ends with zeros that flush the last unconsumed part through; only the first 200 000 bytes count.
        var client = new ScriptedHandler { Expected = sent.Length };
        var connection = Connect(server, client);
        for (var at = 0; at < sent.Length;)
        {
            var length = Math.Min(1 + at % 3777, sent.Length - at);
            var (from, to) = (at, at + length);
            _thread.Invoke(() => connection.Send(sent.AsSpan(from, to - from)));
            at += length;
        }
        var padding = new byte[1];
        while (!client.WhenComplete.IsCompleted) _thread.Invoke(() => connection.Send(padding));
        Assert.That(client.Received.Take(sent.Length).SequenceEqual(sent), Is.True);
    }

    [Test]
    public void A_large_packet_is_offered_whole_however_it_arrives()
    {
        var packet = RandomNumberGenerator.GetBytes(3_000_000);
        var whole = new TaskCompletionSource<byte[]>();
        var server = Serve(() => new ScriptedHandler
        {
            Bytes = (WireConnection _, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                if (bytes.Length < packet.Length) return 0;
                whole.SetResult(bytes.ToArray());
                return bytes.Length;
            },
        });
        var connection = Connect(server, new ScriptedHandler());
        _thread.Invoke(() => connection.Send(packet));
        Assert.That(_thread.Wait(whole.Task).AsSpan().SequenceEqual(packet), Is.True);
    }

    [Test]
    public void A_reader_that_pauses_holds_the_sender_back_and_loses_nothing()
    {
        var total = 12_000_000;
        var served = new TaskCompletionSource<WireConnection>();
        var receiver = new ScriptedHandler
        {
            Expected = total,
            Connected = connection =>
            {
                connection.ReadingPaused = true;
                served.SetResult(connection);
            },
        };
        var server = Serve(() => receiver);
        var connection = Connect(server, new ScriptedHandler());
        var accepted = _thread.Wait(served.Task);
        var block = RandomNumberGenerator.GetBytes(1_000_000);
        for (var i = 0; i < 12; i++) _thread.Invoke(() => connection.Send(block));
        Assert.That(_thread.Invoke(() => connection.PendingBytes), Is.Positive, "the system's buffers are smaller than what was sent");
        Assert.That(receiver.Received, Is.Empty);
        _thread.Invoke(() => accepted.ReadingPaused = false);
        _thread.Wait(receiver.WhenComplete);
        Assert.That(receiver.Received.TakeLast(block.Length).SequenceEqual(block), Is.True);
        Assert.That(_thread.Invoke(() => connection.PendingBytes), Is.Zero);
    }

    [Test]
    public void Bytes_left_before_a_pause_come_again_after_it()
    {
        var first = true;
        var accepted = new TaskCompletionSource<WireConnection>();
        var again = new TaskCompletionSource<int>();
        var server = Serve(() => new ScriptedHandler
        {
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                if (bytes.Length < 100 && first) return 0;
                if (!first)
                {
                    again.TrySetResult(bytes.Length);
                    return bytes.Length;
                }
                first = false;
                connection.ReadingPaused = true;
                accepted.SetResult(connection);
                return 1;
            },
        });
        var client = Connect(server, new ScriptedHandler());
        _thread.Invoke(() => client.Send(new byte[100]));
        var paused = _thread.Wait(accepted.Task);
        Assert.That(again.Task.IsCompleted, Is.False);
        _thread.Invoke(() => paused.ReadingPaused = false);
        Assert.That(_thread.Wait(again.Task), Is.EqualTo(99));
    }

    [Test]
    public void A_connection_that_holds_too_many_unsent_bytes_is_closed()
    {
        Restart(new WireOptions { MaximumPendingBytes = 1 << 20 });
        var server = Serve(() => new ScriptedHandler { Connected = connection => connection.ReadingPaused = true });
        var client = new ScriptedHandler();
        var connection = Connect(server, client);
        var block = new byte[1 << 19];
        for (var i = 0; i < 100 && !client.WhenClosed.IsCompleted; i++) _thread.Invoke(() => connection.Send(block));
        Assert.That(_thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.SendBufferFull));
        Assert.That(client.Detail, Does.Contain("1048576"));
    }

    [Test]
    public void A_port_where_nobody_listens_refuses()
    {
        var client = new ScriptedHandler();
        _thread.Invoke(() => Wire.Connect(new WireEndpoint(UnusedAddress()), client));
        Assert.That(_thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.Refused));
        Assert.That(client.Detail, Is.Not.Empty);
        Assert.That(client.WhenConnected.IsCompleted, Is.False);
    }

    [Test]
    public void A_connection_that_nobody_completes_times_out()
    {
        Assume.That(kind.HasSockets());
        // A listener with a full queue leaves connection requests unanswered.
        using var deaf = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        deaf.Bind(AnyPort);
        deaf.Listen(0);
        var address = (IPEndPoint)deaf.LocalEndPoint!;
        var clients = Enumerable.Range(0, 8).Select(_ => new ScriptedHandler()).ToArray();
        _thread.Invoke(() =>
        {
            foreach (var client in clients) Wire.Connect(new WireEndpoint(address) { ConnectTimeout = TimeSpan.FromMilliseconds(200) }, client);
        });
        var last = clients[^1];
        Assert.That(_thread.Wait(last.WhenClosed), Is.EqualTo(CloseReason.ConnectTimeout));
    }

    [Test]
    public void When_the_peer_closes_what_it_sent_comes_before_the_end()
    {
        var server = Serve(() => new ScriptedHandler
        {
            Connected = connection =>
            {
                connection.Send(new byte[1000]);
                connection.Close();
                connection.Send(new byte[5]);
            },
        });
        var client = new ScriptedHandler();
        Connect(server, client);
        Assert.That(_thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.ClosedByPeer));
        Assert.That(client.Received, Has.Count.EqualTo(1000), "what is sent after Close is dropped");
    }

    [Test]
    public void Closing_here_is_told_when_the_peer_has_closed_too()
    {
        var peer = new ScriptedHandler();
        var server = Serve(() => peer);
        var client = new ScriptedHandler();
        var connection = Connect(server, client);
        _thread.Wait(peer.WhenConnected);
        _thread.Invoke(connection.Close);
        Assert.That(_thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.ClosedHere));
        Assert.That(_thread.Wait(peer.WhenClosed), Is.EqualTo(CloseReason.ClosedByPeer));
    }

    [Test]
    public void Closing_here_ends_even_when_the_peer_does_not()
    {
        Assume.That(kind.HasSockets());
        using var listener = new TcpListener(AnyPort);
        listener.Start();
        var client = new ScriptedHandler();
        var connection = Connect((IPEndPoint)listener.LocalEndpoint, client);
        using var peer = listener.AcceptSocket();
        _thread.Invoke(connection.Close);
        Assert.That(peer.Receive(new byte[1]), Is.Zero, "the peer sees the end of the stream");
        Assert.That(_thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.ClosedHere));
    }

    [Test]
    public void Aborting_resets_the_peer_and_is_told_once()
    {
        var peer = new ScriptedHandler();
        var server = Serve(() => peer);
        var client = new ScriptedHandler();
        var connection = Connect(server, client);
        _thread.Wait(peer.WhenConnected);
        _thread.Invoke(() =>
        {
            connection.Abort();
            Assert.That(client.ClosedCalls, Is.Zero, "never from within the call");
            connection.Abort();
            connection.Close();
            connection.Send(new byte[10]);
        });
        Assert.That(_thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.ClosedHere));
        Assert.That(_thread.Wait(peer.WhenClosed), Is.EqualTo(CloseReason.Reset));
        AssertClosedOnce(client, peer);
    }

    [Test]
    public void A_handler_may_abort_itself_and_connect_again_while_it_is_called()
    {
        var server = Serve(() => new ScriptedHandler { Connected = connection => connection.Send(new byte[64]) });
        var rounds = 0;
        var done = new TaskCompletionSource<bool>();
        ScriptedHandler Next() => new()
        {
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                connection.Abort();
                return 0;
            },
            Closed = (_, reason) =>
            {
                Assert.That(reason, Is.EqualTo(CloseReason.ClosedHere));
                if (++rounds == 200) done.SetResult(true);
                else Wire.Connect(new WireEndpoint(server), Next());
            },
        };
        _thread.Invoke(() => Wire.Connect(new WireEndpoint(server), Next()));
        Assert.That(_thread.Wait(done.Task), Is.True);
    }

    [Test]
    public void Connections_that_close_each_other_in_one_batch_are_each_told_once()
    {
        // Every byte closes all other connections, whose own events may be in the same batch, while their descriptors go to new connections.
        var server = Serve(() => new ScriptedHandler { Connected = connection => connection.Send(new byte[1]) });
        const int waves = 20, width = 50;
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
                    foreach (var other in open.ToArray()) other.Abort();
                    open.Clear();
                    for (var i = 0; i < width && started < waves * width; i++) ConnectOne();
                    return bytes.Length;
                },
                Closed = (connection, _) =>
                {
                    open.Remove(connection);
                    if (++ended == waves * width) done.SetResult(true);
                },
            };
            handlers.Add(handler);
            open.Add(Wire.Connect(new WireEndpoint(server), handler));
        }
        _thread.Invoke(() =>
        {
            for (var i = 0; i < width; i++) ConnectOne();
        });
        Assert.That(_thread.Wait(done.Task), Is.True);
        AssertClosedOnce([.. handlers]);
    }

    [Test]
    public void A_thousand_connections_echo()
    {
        const int connections = 1000;
        var server = Serve(Echo);
        var clients = Enumerable.Range(0, connections).Select(_ => new ScriptedHandler
        {
            Expected = 100,
            Connected = connection => connection.Send(new byte[100]),
        }).ToArray();
        _thread.Invoke(() =>
        {
            foreach (var client in clients) Wire.Connect(new WireEndpoint(server), client);
        });
        foreach (var client in clients) _thread.Wait(client.WhenComplete);
        Assert.That(clients.Select(client => client.Received.Count), Is.All.EqualTo(100));
    }

    [Test]
    public void Everything_sent_in_one_batch_is_told_once_and_a_send_before_the_connection_waits_for_it()
    {
        var server = Serve(Echo);
        var client = new ScriptedHandler { Expected = 30 };
        _thread.Invoke(() =>
        {
            var connection = Wire.Connect(new WireEndpoint(server), client);
            for (var i = 0; i < 3; i++) connection.Send(new byte[10]);
        });
        _thread.Wait(client.WhenComplete);
        Assert.That(client.Sends, Has.Count.EqualTo(1));
    }

    [Test]
    public void Stamps_lie_between_sending_and_handling_and_never_go_back()
    {
        var server = Serve(Echo);
        const int rounds = 300;
        var handled = new List<(long Sent, long Bound, ArrivalStamp Arrival, long Now)>();
        var done = new TaskCompletionSource<bool>();
        var stamp = default(SendStamp);
        var client = new ScriptedHandler
        {
            Connected = connection => connection.Send(new byte[20]),
            Sent = (_, sent) => stamp = sent,
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp arrival) =>
            {
                if (bytes.Length < 20) return 0;
                handled.Add((stamp.Nanoseconds, stamp.BoundNanoseconds, arrival, Wire.NowNanoseconds));
                if (handled.Count < rounds) connection.Send(new byte[20]);
                else done.SetResult(true);
                return bytes.Length;
            },
        };
        Connect(server, client);
        _thread.Wait(done.Task);
        Assert.That(handled.Select(round => round.Bound), Is.All.GreaterThanOrEqualTo(0));
        Assert.That(handled.Where(round => round.Sent - round.Bound > round.Arrival.Nanoseconds), Is.Empty, "no answer arrives before its request was sent");
        Assert.That(handled.Where(round => round.Arrival.Nanoseconds > round.Now), Is.Empty, "no answer is handled before it arrives");
        Assert.That(handled.Select(round => round.Arrival.Nanoseconds), Is.Ordered);
        if (kind.HasKernelStamps()) Assert.That(handled.Select(round => round.Arrival.FromKernel), Is.All.True);
    }

    [Test]
    public void Timers_fire_in_order_not_early_and_not_when_cancelled()
    {
        var fired = new List<(int Tag, long Due, long Now)>();
        var done = new TaskCompletionSource<bool>();
        var handler = new ScriptedHandler
        {
            Timer = (due, now, tag) =>
            {
                fired.Add((tag, due, now));
                if (tag == 99) done.SetResult(true);
            },
        };
        _thread.Invoke(() =>
        {
            var now = Wire.NowNanoseconds;
            Wire.Schedule(handler, now + 60_000_000, 99);
            for (var tag = 40; tag > 0; tag--) Wire.Schedule(handler, now + tag * 1_000_000L, tag);
            Wire.Schedule(handler, now - 1, 0);
            var tickets = Enumerable.Range(200, 50).Select(tag => Wire.Schedule(handler, now + tag * 100_000, tag)).ToArray();
            Assert.That(tickets, Has.None.Zero);
            foreach (var ticket in tickets) Wire.Cancel(ticket);
            Wire.Cancel(tickets[0]);
        });
        _thread.Wait(done.Task);
        Assert.That(fired.Select(timer => timer.Tag), Is.EqualTo([.. Enumerable.Range(0, 41), 99]));
        Assert.That(fired.Where(timer => timer.Now < timer.Due), Is.Empty, "no timer fires early");
    }

    [Test]
    public void Coalesced_timers_all_fire_and_none_early()
    {
        Restart(new WireOptions { TimerCoalescing = TimeSpan.FromMilliseconds(5) });
        var early = 0;
        var left = 100;
        var done = new TaskCompletionSource<bool>();
        var handler = new ScriptedHandler
        {
            Timer = (due, now, _) =>
            {
                if (now < due) early++;
                if (--left == 0) done.SetResult(true);
            },
        };
        _thread.Invoke(() =>
        {
            var now = Wire.NowNanoseconds;
            for (var i = 0; i < 100; i++) Wire.Schedule(handler, now + i * 300_000, i);
        });
        _thread.Wait(done.Task);
        Assert.That(early, Is.Zero);
    }

    [Test]
    public void A_timer_that_is_always_due_does_not_keep_others_from_their_turn()
    {
        Assume.That(kind.HasSockets(), "in virtual time it keeps the clock from going on");
        var rounds = 0;
        ScriptedHandler? busy = null;
        busy = new ScriptedHandler
        {
            Timer = (_, now, _) =>
            {
                rounds++;
                Wire.Schedule(busy!, now - 1, 0);
            },
        };
        _thread.Invoke(() => Wire.Schedule(busy, 0, 0));
        var server = Serve(Echo);
        var client = new ScriptedHandler { Expected = 10 };
        var connection = Connect(server, client);
        _thread.Invoke(() => connection.Send(new byte[10]));
        Assert.That(_thread.Wait(client.WhenComplete), Is.True);
        Assert.That(rounds, Is.Positive);
    }

    [Test]
    public void Actions_posted_by_many_threads_all_run_on_the_wires_thread()
    {
        const int threads = 4, each = 2000;
        var ids = new HashSet<int>();
        var count = 0;
        var done = new TaskCompletionSource<bool>();
        Parallel.For(0, threads, new ParallelOptions { MaxDegreeOfParallelism = threads }, _ =>
        {
            for (var i = 0; i < each; i++)
            {
                Wire.Post(() =>
                {
                    ids.Add(Environment.CurrentManagedThreadId);
                    if (++count == threads * each) done.SetResult(true);
                });
            }
        });
        Assert.That(_thread.Wait(done.Task), Is.True);
        Assert.That(ids, Has.Count.EqualTo(1));
    }

    [Test]
    public void A_port_in_use_is_refused_with_a_message()
    {
        var address = Serve(Echo);
        var failure = Assert.Throws<WireException>(() => _thread.Invoke(() => Wire.Listen(address, Echo)));
        Assert.That(failure!.Message, Does.Contain(address.ToString()).And.Contain("in use"));
    }

    [Test]
    public void A_wire_stopped_before_it_runs_returns_at_once_and_may_be_disposed_twice()
    {
        var wire = kind.Create(new WireOptions());
        wire.Stop();
        wire.Run();
        wire.Dispose();
        wire.Dispose();
        wire.Stop();
        wire.Post(() => { });
    }

    private static ScriptedHandler Echo() => new()
    {
        Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
        {
            connection.Send(bytes);
            return bytes.Length;
        },
    };

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

    private void Start(WireOptions options) => _thread = new WireThread(kind.Create(options));

    private void Restart(WireOptions options)
    {
        _thread.Dispose();
        Start(options);
    }

    private IPEndPoint Serve(Func<IWireHandler> accept) => _thread.Invoke(() => Wire.Listen(AnyPort, accept));

    private WireConnection Connect(IPEndPoint address, ScriptedHandler handler)
    {
        _thread.Invoke(() => Wire.Connect(new WireEndpoint(address), handler));
        return _thread.Wait(handler.WhenConnected);
    }
}
