using System.Text;
using MqttCheck.Brokers.Wire.WebSockets;

namespace MqttCheck.Captures.Tests.Messages;

/// <summary>MQTT over WebSocket gives the same exchanges as over plain TCP.</summary>
[TestFixture]
internal sealed class WebSocketTests
{
    private const string Request =
        "GET /mqtt HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";

    [Test]
    public void Masked_and_fragmented_frames_give_the_exchanges([Values] bool isFragmented)
    {
        var turned = Turned.Of(Plant(isFragmented).PcapNg());

        Assert.That(turned.Exchanges, Has.Count.EqualTo(6));
        Assert.That(turned.Exchanges, Has.All.Property("Outcome").EqualTo(MqttCheck.Logs.ExchangeOutcome.Success));
        Assert.That((turned.Counts.WebSockets, turned.Counts.NotUsed.Count()), Is.EqualTo((1L, 0)));
    }

    [Test]
    public void A_connection_that_was_upgraded_before_the_capture_is_joined()
    {
        var traffic = Plant(isFragmented: false);
        // Behind the SUBACK: five publications and the end.
        var later = traffic.Packets.Skip(9);

        var turned = Turned.Of(traffic.With(later).PcapNg(), request => request with { Ports = [8080] });

        Assert.That((turned.Counts.WebSockets, turned.Counts.Joined), Is.EqualTo((1L, 1L)));
        Assert.That(
            turned.Exchanges.Count(exchange => exchange.Message == MqttCheck.Clients.MessageKind.Publish),
            Is.EqualTo(3)
        );
    }

    [Test]
    public void A_compressed_connection_is_counted_and_refused()
    {
        var traffic = new WireTraffic();
        var client = traffic.Connection(50_001, 8080).Open();
        client.Send(true, Encoding.ASCII.GetBytes(Request));
        client.Send(false, Encoding.ASCII.GetBytes(Response("Sec-WebSocket-Extensions: permessage-deflate\r\n")));
        client.Send(true, [0xC2, 0x81, 1, 2, 3, 4, 5]);

        Assert.That(
            () => Turned.Of(traffic.PcapNg()),
            Throws.TypeOf<InputException>().With.Message.Contains("no MQTT")
        );
    }

    private static WireTraffic Plant(bool isFragmented)
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        var client = traffic.Connection(50_001, 8080).Open();
        client.Send(true, Encoding.ASCII.GetBytes(Request)).Send(false, Encoding.ASCII.GetBytes(Response("")));
        Send(true, talk.Connect("browser"));
        Send(false, talk.Connack());
        Send(true, talk.Subscribe(1, "#"));
        Send(false, talk.Suback(1));
        for (var i = 1; i <= 3; i++)
        {
            var payload = new string('x', 200 * i);
            Send(true, talk.Publish("a/b", payload, 1, i));
            Send(false, talk.Publish("a/b", payload));
            Send(false, talk.Puback(i));
        }
        Send(true, talk.Disconnect());
        client.Close(false).Close(true);
        return traffic;

        void Send(bool fromClient, byte[] packet)
        {
            if (!isFragmented)
            {
                client.Send(fromClient, Frame(fromClient, 0x82, packet));
                return;
            }
            // Two frames of a message with a ping between, cut within a header.
            byte[] all =
            [
                .. Frame(fromClient, 0x02, packet.AsSpan(0, 1)),
                .. Frame(fromClient, 0x89, "ping"u8),
                .. Frame(fromClient, 0x80, packet.AsSpan(1)),
            ];
            client.Send(fromClient, all.AsSpan(0, all.Length / 2)).Send(fromClient, all.AsSpan(all.Length / 2));
        }
    }

    private static byte[] Frame(bool isMasked, byte first, ReadOnlySpan<byte> payload)
    {
        const uint mask = 0x1A2B3C4D;
        var head = new byte[WebSocketFrame.MaximumHead];
        var length = WebSocketFrame.WriteHead(head, WebSocketOpcode.Binary, payload.Length, isMasked ? mask : null);
        head[0] = first;
        var bytes = payload.ToArray();
        if (isMasked)
            WebSocketMask.Apply(bytes, mask);
        return [.. head.AsSpan(0, length), .. bytes];
    }

    private static string Response(string more) =>
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + $"Sec-WebSocket-Protocol: mqtt\r\n{more}Sec-WebSocket-Accept: AAAA\r\n\r\n";
}
