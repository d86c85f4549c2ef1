using System.Security.Cryptography;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>What every wire promises about bytes: all of them, once, in order, within bounds.</summary>
[TestFixtureSource(typeof(TestWires), nameof(TestWires.WithTransports))]
public sealed class WireBytesTests(TestWire kind, TestTransport transport) : WireFixture(kind, transport)
{
    [Test]
    public void Bytes_come_back_whole_and_in_order_whatever_part_each_call_consumes()
    {
        var sent = RandomNumberGenerator.GetBytes(200_000);
        var calls = 0;
        var server = Serve(() =>
            new ScriptedHandler
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
            }
        );
        // Ends with zeros that flush the last unconsumed part through; only the first 200 000 bytes count.
        var client = new ScriptedHandler { Expected = sent.Length };
        var connection = Connect(server, client);
        for (var at = 0; at < sent.Length; )
        {
            var length = Math.Min(1 + at % 3777, sent.Length - at);
            var (from, to) = (at, at + length);
            Thread.Invoke(() => connection.Send(sent.AsSpan(from, to - from)));
            at += length;
        }
        var padding = new byte[1];
        while (!client.WhenComplete.IsCompleted)
            Thread.Invoke(() => connection.Send(padding));
        Assert.That(client.Received.Take(sent.Length).SequenceEqual(sent), Is.True);
    }

    [Test]
    public void A_large_packet_is_offered_whole_however_it_arrives()
    {
        var packet = RandomNumberGenerator.GetBytes(3_000_000);
        var whole = new TaskCompletionSource<byte[]>();
        var server = Serve(() =>
            new ScriptedHandler
            {
                Bytes = (WireConnection _, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
                {
                    if (bytes.Length < packet.Length)
                        return 0;
                    whole.SetResult(bytes.ToArray());
                    return bytes.Length;
                },
            }
        );
        var connection = Connect(server, new ScriptedHandler());
        Thread.Invoke(() => connection.Send(packet));
        Assert.That(Thread.Wait(whole.Task).AsSpan().SequenceEqual(packet), Is.True);
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
        var accepted = Thread.Wait(served.Task);
        var block = RandomNumberGenerator.GetBytes(1_000_000);
        for (var i = 0; i < 12; i++)
            Thread.Invoke(() => connection.Send(block));
        Assert.That(
            Thread.Invoke(() => connection.PendingBytes),
            Is.Positive,
            "the system's buffers are smaller than what was sent"
        );
        Assert.That(receiver.Received, Is.Empty);
        Thread.Invoke(() => accepted.ReadingPaused = false);
        Thread.Wait(receiver.WhenComplete);
        Assert.That(receiver.Received.TakeLast(block.Length).SequenceEqual(block), Is.True);
        Assert.That(Thread.Invoke(() => connection.PendingBytes), Is.Zero);
    }

    [Test]
    public void Bytes_left_before_a_pause_come_again_after_it()
    {
        var first = true;
        var accepted = new TaskCompletionSource<WireConnection>();
        var again = new TaskCompletionSource<int>();
        var server = Serve(() =>
            new ScriptedHandler
            {
                Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
                {
                    if (bytes.Length < 100 && first)
                        return 0;
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
            }
        );
        var client = Connect(server, new ScriptedHandler());
        Thread.Invoke(() => client.Send(new byte[100]));
        var paused = Thread.Wait(accepted.Task);
        Assert.That(again.Task.IsCompleted, Is.False);
        Thread.Invoke(() => paused.ReadingPaused = false);
        Assert.That(Thread.Wait(again.Task), Is.EqualTo(99));
    }

    [Test]
    public void A_connection_that_holds_too_many_unsent_bytes_is_closed()
    {
        Restart(new WireOptions { MaximumPendingBytes = 1 << 20 });
        var server = Serve(() => new ScriptedHandler { Connected = connection => connection.ReadingPaused = true });
        var client = new ScriptedHandler();
        var connection = Connect(server, client);
        var block = new byte[1 << 19];
        for (var i = 0; i < 100 && !client.WhenClosed.IsCompleted; i++)
            Thread.Invoke(() => connection.Send(block));
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.SendBufferFull));
        Assert.That(client.Detail, Does.Contain("1048576"));
    }

    [Test]
    public void A_thousand_connections_echo()
    {
        var connections = IsTls ? 100 : 1000;
        var server = Serve(Echo);
        var clients = Enumerable
            .Range(0, connections)
            .Select(_ => new ScriptedHandler
            {
                Expected = 100,
                Connected = connection => connection.Send(new byte[100]),
            })
            .ToArray();
        Thread.Invoke(() =>
        {
            foreach (var client in clients)
                Wire.Connect(Endpoint(server), client);
        });
        foreach (var client in clients)
            Thread.Wait(client.WhenComplete);
        Assert.That(clients.Select(client => client.Received.Count), Is.All.EqualTo(100));
    }

    [Test]
    public void Everything_sent_in_one_batch_is_told_once_and_a_send_before_the_connection_waits_for_it()
    {
        var server = Serve(Echo);
        var client = new ScriptedHandler { Expected = 30 };
        Thread.Invoke(() =>
        {
            var connection = Wire.Connect(Endpoint(server), client);
            for (var i = 0; i < 3; i++)
                connection.Send(new byte[10]);
        });
        Thread.Wait(client.WhenComplete);
        Assert.That(client.Sends, Has.Count.EqualTo(1));
    }
}
