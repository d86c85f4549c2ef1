using System.Net;
using System.Net.Sockets;
using System.Text;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>The WebSocket layer against peers that speak bytes.</summary>
[TestFixture(TestWire.Epoll)]
[TestFixture(TestWire.Portable)]
public sealed class WebSocketTests(TestWire kind) : WireFixture(kind, TestTransport.WebSocket)
{
    // The example of RFC 6455, section 1.3.
    private const string Key = "dGhlIHNhbXBsZSBub25jZQ==",
        Accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    [Test]
    public void The_handshake_is_answered_as_in_the_example_of_the_standard_however_it_is_cut()
    {
        using var socket = Open(Serve(Echo));
        foreach (var value in Encoding.ASCII.GetBytes(Request()))
            socket.Send([value]);
        var answer = ReadHead(socket);
        Assert.That(
            answer,
            Does.StartWith("HTTP/1.1 101 ")
                .And.Contain($"Sec-WebSocket-Accept: {Accept}\r\n")
                .And.Contain("Sec-WebSocket-Protocol: mqtt\r\n")
        );
    }

    [TestCase("GET /mqtt HTTP/1.1", "POST /mqtt HTTP/1.1", "400")]
    [TestCase("GET /mqtt HTTP/1.1", "GET /mqtt HTTP/1.0", "400")]
    [TestCase("Host: broker\r\n", "", "400")]
    [TestCase("Upgrade: websocket", "Upgrade: h2c", "426")]
    [TestCase("Connection: keep-alive, Upgrade", "Connection: close", "426")]
    [TestCase("Version: 13", "Version: 8", "426")]
    [TestCase(Key, "c2hvcnQ=", "400")]
    [TestCase("mqttv3.1, mqtt", "chat", "400")]
    [TestCase("Host: broker", "Host: broker\r\n: nothing", "400")]
    [Category("Whole")]
    public void A_request_that_breaks_a_rule_is_answered_with_its_status(string part, string instead, string status)
    {
        var accepted = new ScriptedHandler();
        using var socket = Open(Serve(() => accepted));
        socket.Send(Encoding.ASCII.GetBytes(Request().Replace(part, instead, StringComparison.Ordinal)));
        Assert.That(ReadHead(socket), Does.StartWith($"HTTP/1.1 {status} "));
        Assert.That(Thread.Wait(accepted.WhenClosed), Is.EqualTo(CloseReason.HandshakeFailed));
        Assert.That(accepted.Detail, Does.StartWith("WebSocket: "));
    }

    [Test]
    public void Another_path_than_the_one_served_is_not_found()
    {
        var server = Thread.Invoke(() =>
            Wire.Listen(new WireListener(AnyPort) { WebSocket = new() { Path = "/broker" } }, Echo)
        );
        var client = new ScriptedHandler();
        Thread.Invoke(() => Wire.Connect(Endpoint(server), client));
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.HandshakeFailed));
        Assert.That(
            client.Detail,
            Is.EqualTo("WebSocket: the request for '/mqtt' was answered with 'HTTP/1.1 404 Not Found'")
        );
        var other = new ScriptedHandler();
        Thread.Invoke(() =>
            Wire.Connect(new WireEndpoint(server) { WebSocket = new() { Path = "/broker?token=1" } }, other)
        );
        Thread.Wait(other.WhenConnected);
    }

    [Test]
    [Category("Whole")]
    public void A_head_without_end_is_cut_off()
    {
        var accepted = new ScriptedHandler();
        using var socket = Open(Serve(() => accepted));
        socket.Send(Encoding.ASCII.GetBytes("GET / HTTP/1.1\r\nCookie: " + new string('x', 9000)));
        Assert.That(Thread.Wait(accepted.WhenClosed), Is.EqualTo(CloseReason.HandshakeFailed));
    }

    [TestCase("HTTP/1.1 200 OK\r\n\r\n", "answered with 'HTTP/1.1 200 OK'")]
    [TestCase(
        "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: "
            + "Upgrade\r\nSec-WebSocket-Accept: wrong\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n",
        "does not fit the key"
    )]
    [TestCase("HTTP/1.1 101 X\r\n\r\n", "does not change to WebSocket")]
    [TestCase("SSH-2.0-OpenSSH_9.2\r\n\r\n", "answered with 'SSH-2.0-OpenSSH_9.2'")]
    public void An_answer_that_is_no_agreement_fails_the_handshake(string answer, string message)
    {
        var server = Thread.Invoke(() =>
            Wire.Listen(
                AnyPort,
                () => new ScriptedHandler { Connected = connection => connection.Send(Encoding.ASCII.GetBytes(answer)) }
            )
        );
        var client = new ScriptedHandler();
        Thread.Invoke(() => Wire.Connect(Endpoint(server), client));
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.HandshakeFailed));
        Assert.That(client.Detail, Does.Contain(message));
    }

    [Test]
    [Category("Whole")]
    public void A_ping_is_answered_with_its_payload_and_a_close_with_its_status()
    {
        var accepted = new ScriptedHandler();
        using var socket = Open(Serve(() => accepted));
        socket.Send(Encoding.ASCII.GetBytes(Request()));
        ReadHead(socket);
        socket.Send([0x89, 0x82, 0, 0, 0, 0, (byte)'h', (byte)'i']);
        Assert.That(ReadBytes(socket, 4), Is.EqualTo(new byte[] { 0x8A, 2, (byte)'h', (byte)'i' }));
        socket.Send([0x82, 0x81, 0, 0, 0, 0, 7, 0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE9]);
        Assert.That(ReadBytes(socket, 4), Is.EqualTo(new byte[] { 0x88, 2, 0x03, 0xE9 }));
        Assert.That(
            (socket.Receive(new byte[1]), Thread.Wait(accepted.WhenClosed)),
            Is.EqualTo((0, CloseReason.ClosedByPeer))
        );
        Assert.That(accepted.Received, Is.EqualTo(new byte[] { 7 }));
    }

    [Test]
    public void A_violation_is_answered_with_its_status_and_ends_the_connection()
    {
        var accepted = new ScriptedHandler();
        using var socket = Open(Serve(() => accepted));
        socket.Send(Encoding.ASCII.GetBytes(Request()));
        ReadHead(socket);
        socket.Send([0x81, 0x80, 0, 0, 0, 0]);
        Assert.That(ReadBytes(socket, 4), Is.EqualTo(new byte[] { 0x88, 2, 0x03, 0xEB }), "1003, unacceptable data");
        socket.Shutdown(SocketShutdown.Send);
        Assert.That(Thread.Wait(accepted.WhenClosed), Is.EqualTo(CloseReason.Reset));
        Assert.That(accepted.Detail, Does.Contain("text"));
    }

    private static string Request() =>
        "GET /mqtt HTTP/1.1\r\nHost: broker\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        + $"Sec-WebSocket-Key: {Key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqttv3.1, mqtt\r\n\r\n";

    private static Socket Open(IPEndPoint server)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 10_000, NoDelay = true };
        socket.Connect(server);
        return socket;
    }

    private static string ReadHead(Socket socket)
    {
        var text = new StringBuilder();
        while (!text.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
            text.Append((char)ReadBytes(socket, 1)[0]);
        return text.ToString();
    }

    private static byte[] ReadBytes(Socket socket, int count)
    {
        var bytes = new byte[count];
        for (var at = 0; at < count; )
        {
            var received = socket.Receive(bytes, at, count - at, SocketFlags.None);
            if (received == 0)
                Assert.Fail($"the connection ended after {at} of {count} bytes");
            at += received;
        }
        return bytes;
    }
}
