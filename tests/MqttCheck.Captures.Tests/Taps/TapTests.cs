using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Tls;
using MqttCheck.Captures.Taps;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Captures.Tests.Taps;

/// <summary>A tap changes nothing, and logs what passes.</summary>
[TestFixture]
internal sealed class TapTests : DirectoryFixture
{
    private static readonly IPEndPoint s_anyPort = new(IPAddress.Loopback, 0);

    [Test]
    public async Task The_log_of_a_tap_holds_the_exchanges_of_the_fleet()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions { Address = s_anyPort });
        await using var tap = Tap.Start(Setup(new(broker.Address)) with { KeepsNames = true });
        var own = new ExchangeList();
        var setup = FleetSetup.For(broker, ProfileFile.Read("up1"), 8, FleetSetup.NewPrefix()) with
        {
            Endpoint = new(tap.Address),
            Seed = 1,
            Duration = TimeSpan.FromSeconds(.6),
        };
        new FleetRun(setup, own, createWire: options => WireFactory.Create(options)).Run();

        var summary = await tap.EndAsync();

        var log = ExchangeLogReader.Read(In("tap.csv"));
        Assert.That(
            log.Exchanges.Where(exchange => exchange.Outcome == ExchangeOutcome.Success)
                .CountBy(exchange => (exchange.Message, exchange.Receivers, exchange.MessageSize))
                .OrderBy(pair => pair.Key),
            Is.EqualTo(
                own.Exchanges.CountBy(exchange => (exchange.Message, exchange.Receivers, exchange.MessageSize))
                    .OrderBy(pair => pair.Key)
            )
        );
        Assert.That(summary!.Counts.NotUsed, Is.Empty);
        Assert.That(summary.Population.Clients, Is.EqualTo(8));
        Assert.That(log.Information!.Engine["source"], Is.EqualTo("tap"));
    }

    // Seed 1: 400 kB in pieces of up to 9 kB, in both directions, whatever they are.
    [Test]
    public async Task Bytes_pass_unchanged_in_both_directions_also_if_they_are_no_MQTT()
    {
        using var server = new TcpListener(s_anyPort);
        server.Start();
        await using var tap = Tap.Start(Setup(new((IPEndPoint)server.LocalEndpoint)));
        using var client = new TcpClient();
        await client.ConnectAsync(tap.Address);
        using var served = await server.AcceptTcpClientAsync();
        var bytes = new byte[400_000];
        new Random(1).NextBytes(bytes);

        var there = SendAsync(client.GetStream(), bytes);
        var back = SendAsync(served.GetStream(), [.. bytes.Reverse()]);
        var atServer = await ReadAsync(served.GetStream(), bytes.Length);
        var atClient = await ReadAsync(client.GetStream(), bytes.Length);
        await Task.WhenAll(there, back);

        Assert.That(atServer.SequenceEqual(bytes));
        Assert.That(atClient.SequenceEqual(bytes.Reverse()));
        Assert.That(await tap.EndAsync(), Is.Null, "no MQTT passed");
        Assert.That(File.Exists(In("tap.csv")), Is.False);
    }

    [Test]
    public async Task Clients_and_broker_may_speak_TLS()
    {
        using var certificate = Certificate();
        var tls = new TlsServerOptions(SslStreamCertificateContext.Create(certificate, null, offline: true));
        var trust = new TlsClientOptions { ServerName = "localhost", TrustedRoots = [certificate] };
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Address = s_anyPort, MoreListeners = [new(s_anyPort) { Tls = tls }] }
        );
        var target = new WireEndpoint(broker.MoreAddresses[0]) { Tls = trust };
        await using var tap = Tap.Start(Setup(target) with { Listener = new(s_anyPort) { Tls = tls } });
        using var client = new TcpClient();
        await client.ConnectAsync(tap.Address);
        await using var secured = new SslStream(
            client.GetStream(),
            false,
            (_, shown, _, _) => shown!.Equals(certificate)
        );
        await secured.AuthenticateAsClientAsync("localhost");
        var talk = new Talk();

        await secured.WriteAsync(talk.Connect("a"));
        await ReadAsync(secured, talk.Connack().Length);
        await secured.WriteAsync(talk.Publish("x", "hello", 1, 7));
        var answer = await ReadAsync(secured, talk.Puback(7).Length);

        Assert.That(answer, Is.EqualTo(talk.Puback(7)));
        var summary = await tap.EndAsync();
        Assert.That((summary!.Counts.Exchanges, summary.Clients, summary.Topics), Is.EqualTo((2, 1, 1)));
        Assert.That(File.ReadAllText(In("tap.csv")), Does.Not.Contain("hello"));
    }

    [Test]
    public async Task A_broker_that_goes_away_is_named_once_and_its_clients_are_turned_away()
    {
        var notes = new List<string>();
        using var server = new TcpListener(s_anyPort);
        server.Start();
        var target = (IPEndPoint)server.LocalEndpoint;
        server.Stop();
        await using var tap = Tap.Start(Setup(new(target)) with { Note = notes.Add });

        for (var i = 0; i < 3; i++)
            Assert.That(await IsTurnedAwayAsync(tap.Address));

        Assert.That(await tap.EndAsync(), Is.Null);
        Assert.That(tap.TurnedAway, Is.EqualTo(3));
        Assert.That(notes, Has.Count.EqualTo(1).And.All.Contain("does not answer"));
    }

    [Test]
    public void A_broker_that_does_not_answer_at_the_beginning_is_refused()
    {
        using var server = new TcpListener(s_anyPort);
        server.Start();
        var port = ((IPEndPoint)server.LocalEndpoint).Port;
        server.Stop();

        Assert.That(
            () => TapTarget.ReachAsync(TapTarget.Parse($"127.0.0.1:{port}"), new(), CancellationToken.None),
            Throws.InstanceOf<BrokerException>().With.Message.Contains("does not answer")
        );
    }

    [Test]
    public void A_port_in_use_is_refused_and_leaves_no_log()
    {
        using var taken = new TcpListener(s_anyPort);
        taken.Start();

        Assert.That(
            () => Tap.Start(Setup(new(s_anyPort)) with { Listener = new((IPEndPoint)taken.LocalEndpoint) }),
            Throws.InstanceOf<WireException>().With.Message.Contains("in use")
        );
        Assert.That(File.Exists(In("tap.csv")), Is.False);
    }

    [TestCase("ws://localhost:80")]
    [TestCase("exec:\"x\"")]
    [TestCase("mqtt://a,mqtt://b")]
    public void An_address_of_something_else_is_refused(string text) =>
        Assert.That(() => TapTarget.Parse(text), Throws.InstanceOf<InputException>());

    private TapSetup Setup(WireEndpoint target) => new(new(s_anyPort), target, In("tap.csv"), "1.2.3");

    private static X509Certificate2 Certificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        request.CertificateExtensions.Add(names.Build());
        var now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
    }

    private static async Task<bool> IsTurnedAwayAsync(IPEndPoint address)
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(address);
            return client.GetStream().ReadByte() < 0;
        }
        catch (Exception reset) when (reset is IOException or SocketException)
        {
            return true;
        }
    }

    private static async Task SendAsync(Stream stream, byte[] bytes)
    {
        var random = new Random(1);
        for (var at = 0; at < bytes.Length; )
        {
            var count = Math.Min(random.Next(1, 9000), bytes.Length - at);
            await stream.WriteAsync(bytes.AsMemory(at, count));
            at += count;
        }
    }

    private static async Task<byte[]> ReadAsync(Stream stream, int count)
    {
        var bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes);
        return bytes;
    }
}
