using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using MqttCheck.Broker.Peers;
using MqttCheck.Brokers.Tests.Embedded.Judges;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Tests.Nodes;

/// <summary>
/// A node of a spanning tree that states it inside PINGREQ. The test stands for its neighbour, and for foreign clients.
/// </summary>
[TestFixture]
internal sealed class InBandNodeTests : DirectoryFixture
{
    private const int Neighbour = 1;
    private const ulong Incarnation = 57;

    private static readonly byte[] s_connect = PeerPackets.Connect(
        Neighbour,
        Incarnation,
        cleanStart: true,
        isInBand: true
    );

    private TcpListener? _neighbour;
    private ServedNode? _node;

    [SetUp]
    public void Start()
    {
        _neighbour = new TcpListener(IPAddress.Loopback, 0);
        _neighbour.Start();
        var topology = TopologyFile.Parse(
            """
            { "name": "pair", "system": "spanning-tree", "signalling": "in-band", "keepAliveSeconds": 0.2,
              "machine": { "alpha": 1, "beta": 3, "sampleSeconds": 0.1, "hysteresis": 0.001 },
              "nodes": [ { "name": "a" }, { "name": "b" } ], "links": [ { "between": ["a", "b"] } ] }
            """u8,
            "test"
        );
        _node = ServedNodes.Start(
            new NodeOptions
            {
                Topology = topology,
                Node = 0,
                Peers = new Dictionary<int, IPEndPoint> { [Neighbour] = (IPEndPoint)_neighbour.LocalEndpoint },
                Incarnation = 1,
            }
        );
    }

    [TearDown]
    public async Task Stop()
    {
        if (_node is not null)
            await _node.DisposeAsync();
        _neighbour?.Dispose();
    }

    // Without the statement the paper's PINGREQ has 78 bytes on the wire, with it 114.
    [Test]
    public async Task Tshark_shows_the_marked_CONNECT_and_statements_that_make_PINGREQ_36_bytes_longer()
    {
        Missing.Require("tshark", "apt-get install tshark");
        Missing.Require("text2pcap", "apt-get install tshark");
        using var theirs = await _neighbour!.AcceptTcpClientAsync();
        var stream = theirs.GetStream();
        List<byte[]> packets = [await PacketAsync(stream), [0xC0, 0]];
        using var ours = await AnswerAsync(stream);
        while (packets.Count < 6)
            packets.Add(await PingAsync(stream));
        var dump = new StringBuilder();
        foreach (var packet in packets)
            dump.Append("000000 ").AppendJoin(' ', packet.Select(one => one.ToString("x2"))).Append('\n');
        await File.WriteAllTextAsync(In("packets.txt"), dump.ToString());
        string[] convert = ["-q", "-T", "40000,1883", In("packets.txt"), In("packets.pcap")];
        await JudgeProgram.RunAsync("text2pcap", convert, "apt-get install tshark", Folder);
        string[] fields = ["mqtt.msgtype", "mqtt.len", "mqtt.ver", "tcp.len"];
        var shown = await JudgeProgram.RunAsync(
            "tshark",
            ["-r", In("packets.pcap"), "-d", "tcp.port==1883,mqtt", "-T", "fields", .. fields.SelectMany(OfField)],
            "apt-get install tshark",
            Folder
        );
        var rows = shown.Select(line => line.Split('\t')).ToList();
        Assert.That(rows[0][..3], Is.EqualTo((string[])["1", "77", "133"]), "CONNECT, level 5 with the top bit");
        Assert.That(rows[1][..2], Is.EqualTo((string[])["12", "0"]), "a client's PINGREQ, for comparison");
        var plain = int.Parse(rows[1][3], CultureInfo.InvariantCulture);
        foreach (var row in rows[2..])
            Assert.That((row[0], row[1], int.Parse(row[3], null) - plain), Is.EqualTo(("12", "36", 114 - 78)));

        static string[] OfField(string field) => ["-e", field];
    }

    // Its process leaves some of the processors and of the memory free, and uses some of both.
    [Test]
    public async Task A_node_without_a_capability_takes_it_from_its_machine_and_says_so()
    {
        using var theirs = await _neighbour!.AcceptTcpClientAsync();
        var stream = theirs.GetStream();
        await PacketAsync(stream);
        using var ours = await AnswerAsync(stream);
        var capability = 0.0;
        for (var pings = 0; pings < 100 && capability == 0; pings++)
        {
            var ping = await PingAsync(stream);
            Assert.That(StatementBytes.Instance.TryRead(ping.AsSpan(2), nodes: 2, out var statement), Is.True);
            capability = Bpdu.From(statement).SenderCapability;
        }
        Assert.That(capability, Is.GreaterThan(0).And.LessThan(1 + 3));
    }

    [TestCase(0x84, "20020001")]
    [TestCase(0x85, "2003008400")]
    public void A_foreign_client_with_the_top_bit_is_refused_with_its_reason(int level, string answer)
    {
        using var client = Open();
        byte[] properties = level == 0x85 ? [0] : [];
        byte[] rest = [0, 4, .. "MQTT"u8, (byte)level, 2, 0, 60, .. properties, 0, 1, (byte)'c'];
        client.GetStream().Write([0x10, (byte)rest.Length, .. rest]);
        Assert.That(Convert.ToHexString(ReadToEnd(client)), Is.EqualTo(answer));
    }

    // Seed 57.
    [Test]
    public void Ten_thousand_fuzzed_PINGREQs_and_CONNECTs_leave_a_node_that_serves()
    {
        var random = RandomStream.For(57, 3);
        byte[] ping = [0xC0, HopBytes.StatementBytes, .. new byte[HopBytes.StatementBytes]];
        var buffer = new byte[256];
        var answered = 0;
        for (var i = 0; i < 10_000; i++)
        {
            using var client = Open();
            // Reset at the end, so that no port is left waiting.
            client.LingerState = new LingerOption(true, 0);
            var stream = client.GetStream();
            if (i % 2 == 0)
                stream.Write(Fuzzed(s_connect, ref random));
            else
                stream.Write([.. s_connect, .. Fuzzed(ping, ref random)]);
            answered += ReadToEnd(client.Client, buffer) > 0 ? 1 : 0;
        }
        Assert.That(answered, Is.GreaterThan(5_000), "each of the well-formed CONNECTs was answered");
        Assert.That((_node!.Failure, _node.Completion.IsCompleted), Is.EqualTo(((string?)null, false)));
        using var after = Open();
        after.GetStream().Write([0x10, 13, 0, 4, .. "MQTT"u8, 4, 2, 0, 60, 0, 1, (byte)'c', 0xC0, 0]);
        Assert.That(Convert.ToHexString(ReadToEnd(after)), Is.EqualTo("20020000" + "D000"));
    }

    [Test]
    [Category("Whole")]
    public async Task Paho_is_not_disturbed()
    {
        var python = File.Exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
        JudgeProgram.RequireModule(python, "paho.mqtt", "on Debian: apt-get install python3-paho-mqtt");
        var script = Path.Combine(JudgeProgram.SourceOf("paho"), "judge.py");
        var port = _node!.Address.Port.ToString(CultureInfo.InvariantCulture);
        AssertAllArrived(await JudgeProgram.RunAsync(python, [script, "tcp", port], "install Python 3", Folder));
    }

    [Test]
    [Category("Whole")]
    public async Task Mqtt_js_is_not_disturbed()
    {
        var directory = await JudgeProgram.InstallNpmAsync("mqttjs", "mqtt");
        var url = string.Create(CultureInfo.InvariantCulture, $"mqtt://127.0.0.1:{_node!.Address.Port}/mqtt");
        AssertAllArrived(await JudgeProgram.RunAsync("node", ["judge.mjs", url], "install Node.js", directory));
    }

    private static void AssertAllArrived(string[] lines) =>
        Assert.That(
            lines,
            Is.EqualTo(
                from version in (int[])[4, 5]
                from qos in (int[])[0, 1, 2]
                from i in Enumerable.Range(0, 10)
                select string.Create(CultureInfo.InvariantCulture, $"{version} {qos} judge/{version}/{qos}/ä {i}")
            )
        );

    private TcpClient Open()
    {
        var client = new TcpClient { NoDelay = true };
        client.Connect(_node!.Address);
        client.ReceiveTimeout = 10_000;
        return client;
    }

    // The neighbour takes the node's connection, and opens its own.
    private async Task<TcpClient> AnswerAsync(NetworkStream stream)
    {
        await stream.WriteAsync(Connack());
        var ours = Open();
        await ours.GetStream().WriteAsync(s_connect);
        return ours;
    }

    private static async Task<byte[]> PingAsync(NetworkStream stream)
    {
        var packet = await PacketAsync(stream);
        await stream.WriteAsync((byte[])[0xD0, 0]);
        return packet;
    }

    private static byte[] Connack() =>
        PacketEncoder.Encode(
            new ConnackPacket(false)
            {
                Properties = new PacketProperties
                {
                    UserProperties = [new UserProperty(PeerProtocol.PropertyName, PeerPackets.Answer(Incarnation))],
                },
            },
            ProtocolVersion.V5
        );

    // All packets here are shorter than 128 bytes.
    private static async Task<byte[]> PacketAsync(NetworkStream stream)
    {
        var header = new byte[2];
        await stream.ReadExactlyAsync(header);
        var rest = new byte[header[1]];
        await stream.ReadExactlyAsync(rest);
        return [.. header, .. rest];
    }

    private static byte[] ReadToEnd(TcpClient client)
    {
        var buffer = new byte[256];
        return buffer[..ReadToEnd(client.Client, buffer)];
    }

    // The client says that it sends no more, so that the node ends what it has taken.
    private static int ReadToEnd(Socket client, byte[] buffer)
    {
        var length = 0;
        try
        {
            client.Shutdown(SocketShutdown.Send);
            while (client.Receive(buffer.AsSpan(length)) is > 0 and var count)
                length += count;
        }
        catch (SocketException exception)
            when (exception.SocketErrorCode is SocketError.ConnectionReset or SocketError.NotConnected)
        {
            // A node resets a connection whose rest it does not read.
        }
        return length;
    }

    private static byte[] Fuzzed(byte[] packet, ref RandomStream random)
    {
        byte[] fuzzed = [.. packet];
        for (var change = random.NextInt(4); change >= 0; change--)
            fuzzed[random.NextInt(fuzzed.Length)] = (byte)random.NextInt(256);
        return random.NextInt(8) == 0 ? fuzzed[..random.NextInt(fuzzed.Length)] : fuzzed;
    }
}
