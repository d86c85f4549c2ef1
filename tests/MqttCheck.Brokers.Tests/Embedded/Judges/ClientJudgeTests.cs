using System.Globalization;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Embedded.Judges;

/// <summary>
/// The embedded broker judged by client libraries that nobody here wrote: 3.1.1 and 5, every QoS, every transport.
/// </summary>
public sealed class ClientJudgeTests : DirectoryFixture
{
    private string _authority = "";
    private EmbeddedBroker? _broker;

    private EmbeddedBroker Broker => _broker!;

    [SetUp]
    public void Start()
    {
        _authority = In("authority.pem");
        File.WriteAllText(_authority, TestCertificates.Authority.ExportCertificatePem());
        _broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions
            {
                MoreListeners =
                [
                    new WireListener(new(System.Net.IPAddress.Loopback, 0)) { Tls = TestCertificates.ServerOptions },
                    new WireListener(new(System.Net.IPAddress.Loopback, 0)) { WebSocket = new() },
                    new WireListener(new(System.Net.IPAddress.Loopback, 0))
                    {
                        WebSocket = new(),
                        Tls = TestCertificates.ServerOptions,
                    },
                ],
            }
        );
    }

    [TearDown]
    public async Task Stop()
    {
        if (_broker is not null)
            await _broker.DisposeAsync();
    }

    [Test]
    [Category("Whole")]
    public async Task Mqtt_js_gets_every_message_once_and_in_order([Values] TestTransport transport)
    {
        var scheme = transport switch
        {
            TestTransport.Tcp => "mqtt",
            TestTransport.Tls => "mqtts",
            TestTransport.WebSocket => "ws",
            _ => "wss",
        };
        var url = string.Create(CultureInfo.InvariantCulture, $"{scheme}://127.0.0.1:{Port(transport)}/mqtt");
        string[] arguments = scheme is "mqtts" or "wss" ? ["judge.mjs", url, _authority] : ["judge.mjs", url];
        var directory = await JudgeProgram.InstallNpmAsync("mqttjs", "mqtt");
        AssertAllArrived(await JudgeProgram.RunAsync("node", arguments, "install Node.js with npm", directory));
    }

    [Test]
    [Category("Whole")]
    public async Task Paho_gets_every_message_once_and_in_order([Values] TestTransport transport)
    {
        var port = Port(transport).ToString(CultureInfo.InvariantCulture);
        var kind = transport is TestTransport.WebSocket or TestTransport.SecureWebSocket ? "websockets" : "tcp";
        var script = Path.Combine(JudgeProgram.SourceOf("paho"), "judge.py");
        string[] arguments = transport is TestTransport.Tls or TestTransport.SecureWebSocket
            ? [script, kind, port, _authority]
            : [script, kind, port];
        // Debian's own interpreter, for which python3-paho-mqtt is installed.
        var python = File.Exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
        JudgeProgram.RequireModule(python, "paho.mqtt", "on Debian: apt-get install python3-paho-mqtt");
        AssertAllArrived(await JudgeProgram.RunAsync(python, arguments, "install Python 3", Folder));
    }

    private static void AssertAllArrived(string[] lines)
    {
        var expected =
            from version in (int[])[4, 5]
            from qos in (int[])[0, 1, 2]
            from i in Enumerable.Range(0, 10)
            select string.Create(CultureInfo.InvariantCulture, $"{version} {qos} judge/{version}/{qos}/ä {i}");
        Assert.That(lines, Is.EqualTo(expected));
    }

    private int Port(TestTransport transport) =>
        transport == TestTransport.Tcp ? Broker.Address.Port : Broker.MoreAddresses[(int)transport - 1].Port;
}
