using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>Whom TLS trusts, and what is said when it does not.</summary>
[TestFixture(TestWire.Epoll)]
[TestFixture(TestWire.Portable)]
[TestFixture(TestWire.Memory)]
public sealed class TlsTests(TestWire kind) : WireFixture(kind, TestTransport.Tls)
{
    [Test]
    public void Both_versions_carry_bytes([Values(SslProtocols.Tls12, SslProtocols.Tls13)] SslProtocols version)
    {
        var server = ServeTls(TestCertificates.ServerOptions, Echo);
        var client = new ScriptedHandler
        {
            Expected = 100_000,
            Connected = connection => connection.Send(new byte[100_000]),
        };
        ConnectTls(server, TestCertificates.ClientOptions with { Versions = version }, client);
        Assert.That(Thread.Wait(client.WhenComplete), Is.True);
    }

    private static TestCaseData[] Mistrusts =>
        [
            new(
                TestCertificates.ServerOptions with
                {
                    Versions = SslProtocols.Tls13,
                },
                TestCertificates.ClientOptions with
                {
                    Versions = SslProtocols.Tls12,
                },
                "protocol version"
            )
            {
                TestName = "No common version",
            },
            new(
                TestCertificates.ServerOptions,
                new TlsClientOptions(),
                "the broker's certificate (CN=localhost) is not signed by an authority that is trusted here"
            )
            {
                TestName = "A strange authority",
            },
            new(
                TestCertificates.ServerOptions,
                TestCertificates.ClientOptions with
                {
                    ServerName = "broker.example",
                },
                "the broker's certificate (CN=localhost) is not for 'broker.example' but for localhost, 127.0.0.1, ::1"
            )
            {
                TestName = "Another name",
            },
            new(
                new TlsServerOptions(TestCertificates.Expired),
                TestCertificates.ClientOptions,
                "valid from 2020-01-01 to 2021-01-01"
            )
            {
                TestName = "A time that is over",
            },
        ];

    [TestCaseSource(nameof(Mistrusts))]
    public void A_handshake_that_cannot_be_trusted_fails_with_the_reason(
        TlsServerOptions server,
        TlsClientOptions client,
        string reason
    ) => Assert.That(Failure(ServeTls(server, Echo), client), Does.StartWith("TLS: ").And.Contain(reason));

    [Test]
    public void Unchecked_takes_any_certificate()
    {
        var server = ServeTls(new TlsServerOptions(TestCertificates.Expired), Echo);
        var client = new ScriptedHandler();
        ConnectTls(server, new TlsClientOptions { IsUnchecked = true, ServerName = "broker.example" }, client);
        Thread.Wait(client.WhenConnected);
    }

    [Test]
    public void A_server_that_asks_for_certificates_takes_those_of_its_authority(
        [Values(SslProtocols.Tls12, SslProtocols.Tls13)] SslProtocols version
    )
    {
        var server = ServeTls(
            TestCertificates.ServerOptions with
            {
                ClientRoots = TestCertificates.Roots,
                Versions = version,
            },
            Echo
        );
        var client = new ScriptedHandler { Expected = 10, Connected = connection => connection.Send(new byte[10]) };
        ConnectTls(server, TestCertificates.ClientOptions with { Certificate = TestCertificates.Client }, client);
        Assert.That(Thread.Wait(client.WhenComplete), Is.True);
    }

    [Test]
    public void A_client_without_the_certificate_asked_for_is_refused(
        [Values(SslProtocols.Tls12, SslProtocols.Tls13)] SslProtocols version
    )
    {
        var accepted = new ScriptedHandler();
        var server = ServeTls(
            TestCertificates.ServerOptions with
            {
                ClientRoots = TestCertificates.Roots,
                Versions = version,
            },
            () => accepted
        );
        var client = new ScriptedHandler();
        ConnectTls(server, TestCertificates.ClientOptions, client);
        // The client's side of the handshake may be over before the server judges the certificate.
        Assert.That(
            Thread.Wait(client.WhenClosed),
            Is.AnyOf(CloseReason.HandshakeFailed, CloseReason.ClosedByPeer, CloseReason.Reset)
        );
        Assert.That(
            (Thread.Wait(accepted.WhenClosed), accepted.Detail),
            Is.EqualTo((CloseReason.HandshakeFailed, "TLS: the client shows no certificate"))
        );
    }

    [Test]
    public void A_peer_that_does_not_speak_TLS_fails_the_handshake()
    {
        var plain = Thread.Invoke(() =>
            Wire.Listen(
                AnyPort,
                () =>
                    new ScriptedHandler
                    {
                        Connected = connection => connection.Send(" \u0002\0\0 and more than that"u8),
                    }
            )
        );
        Assert.That(Failure(plain, TestCertificates.ClientOptions), Does.StartWith("TLS: "));
        var accepted = new ScriptedHandler();
        var server = ServeTls(TestCertificates.ServerOptions, () => accepted);
        var client = new ScriptedHandler { Connected = connection => connection.Send("\u0010\u000c\0\u0004MQTT"u8) };
        Thread.Invoke(() => Wire.Connect(new WireEndpoint(server), client));
        Assert.That(Thread.Wait(accepted.WhenClosed), Is.EqualTo(CloseReason.HandshakeFailed));
    }

    [Test]
    public void A_peer_that_never_answers_the_handshake_times_out_on_both_sides()
    {
        var silent = Thread.Invoke(() => Wire.Listen(AnyPort, () => new ScriptedHandler()));
        var client = new ScriptedHandler();
        Thread.Invoke(() =>
            Wire.Connect(Endpoint(silent) with { ConnectTimeout = TimeSpan.FromMilliseconds(50) }, client)
        );
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.ConnectTimeout));
        var accepted = new ScriptedHandler();
        var server = Thread.Invoke(() =>
            Wire.Listen(Listener(AnyPort) with { HandshakeTimeout = TimeSpan.FromMilliseconds(50) }, () => accepted)
        );
        Thread.Invoke(() => Wire.Connect(new WireEndpoint(server), new ScriptedHandler()));
        Assert.That(
            (Thread.Wait(accepted.WhenClosed), accepted.Detail),
            Is.EqualTo((CloseReason.ConnectTimeout, "no TLS handshake in time"))
        );
    }

    [Test]
    public void Connections_that_are_given_up_in_the_middle_of_the_handshake_leave_the_wire_serving()
    {
        var server = ServeTls(TestCertificates.ServerOptions, Echo);
        var given = Enumerable.Range(0, 40).Select(_ => new ScriptedHandler()).ToArray();
        var connections = Thread.Invoke(() =>
            given
                .Select(handler =>
                    Wire.Connect(new WireEndpoint(server) { Tls = TestCertificates.ClientOptions }, handler)
                )
                .ToArray()
        );
        // At different points: some before the first byte, some while the handshake is computed.
        foreach (var connection in connections)
            Thread.Invoke(connection.Abort);
        foreach (var handler in given)
            Assert.That(Thread.Wait(handler.WhenClosed), Is.EqualTo(CloseReason.ClosedHere));
        var client = new ScriptedHandler { Expected = 1000, Connected = connection => connection.Send(new byte[1000]) };
        ConnectTls(server, TestCertificates.ClientOptions, client);
        Assert.That(Thread.Wait(client.WhenComplete), Is.True);
    }

    [Test]
    public void What_is_sent_in_one_piece_with_the_end_of_the_handshake_arrives()
    {
        var accepted = Enumerable.Range(0, 20).Select(_ => new ScriptedHandler { Expected = 3 }).ToArray();
        var next = 0;
        var server = ServeTls(TestCertificates.ServerOptions, () => accepted[next++]);
        foreach (var _ in accepted)
        {
            var client = new ScriptedHandler { Connected = connection => connection.Send("abc"u8) };
            ConnectTls(server, TestCertificates.ClientOptions, client);
        }
        foreach (var handler in accepted)
            Assert.That(Thread.Wait(handler.WhenComplete), Is.True);
    }

    [Test]
    [Category("Whole")]
    public void Bytes_that_were_changed_on_the_way_break_the_connection()
    {
        Assume.That(Kind.HasSockets());
        var accepted = new ScriptedHandler();
        var server = ServeTls(TestCertificates.ServerOptions, () => accepted);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(server);
        using var stream = new SslStream(new NetworkStream(socket));
        stream.AuthenticateAsClient(
            new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                CertificateChainPolicy = CertificateTrust.Policy(TestCertificates.Roots),
            }
        );
        Thread.Wait(accepted.WhenConnected);
        stream.Write(new byte[5]);
        socket.Send((byte[])[0x17, 3, 3, 0, 32, .. new byte[32]]);
        Assert.That(Thread.Wait(accepted.WhenClosed), Is.EqualTo(CloseReason.Reset));
        Assert.That(accepted.Received, Has.Count.EqualTo(5), "what came before the damage is delivered");
    }

    private IPEndPoint ServeTls(TlsServerOptions options, Func<IWireHandler> accept) =>
        Thread.Invoke(() => Wire.Listen(new WireListener(AnyPort) { Tls = options }, accept));

    private void ConnectTls(IPEndPoint server, TlsClientOptions options, ScriptedHandler client) =>
        Thread.Invoke(() => Wire.Connect(new WireEndpoint(server) { Tls = options }, client));

    private string Failure(IPEndPoint server, TlsClientOptions options)
    {
        var client = new ScriptedHandler();
        ConnectTls(server, options, client);
        Assert.That(Thread.Wait(client.WhenClosed), Is.EqualTo(CloseReason.HandshakeFailed), client.Detail);
        return client.Detail;
    }
}
