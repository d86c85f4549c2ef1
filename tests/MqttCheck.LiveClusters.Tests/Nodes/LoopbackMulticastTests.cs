using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Discovery;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Nodes;

namespace MqttCheck.LiveClusters.Tests.Nodes;

/// <summary>Nodes that announce themselves by multicast on the loopback interface.</summary>
public sealed class LoopbackMulticastTests : DirectoryFixture
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private MulticastGroup _group = null!;

    private string Notes => In("notes");

    [SetUp]
    public void FindGroup()
    {
        _group = MulticastGroup.Default with { Port = FreePort.Find() };
        try
        {
            LoopbackMulticast.Join(_group).Dispose();
        }
        catch (BrokerException impossible)
        {
            Assert.Ignore(impossible.Message);
        }
    }

    [Test]
    public void A_datagram_reaches_all_that_have_joined_the_group_and_nobody_of_another_one()
    {
        using var sender = new Bystander(_group);
        using var receiver = new Bystander(_group);
        using var other = new Bystander(_group with { Address = IPAddress.Parse("239.255.77.114") });
        sender.Channel.Send("hello"u8);
        Assert.That(() => sender.Has("hello"u8.ToArray()), Is.True.After(60).Seconds.PollEvery(5).MilliSeconds);
        Assert.That(() => receiver.Has("hello"u8.ToArray()), Is.True.After(60).Seconds.PollEvery(5).MilliSeconds);
        // What it would get came with the same call.
        Assert.That(other.Has("hello"u8.ToArray()), Is.False);
    }

    [Test]
    public async Task A_node_announces_itself_and_hears_of_another_one_without_any_link()
    {
        var topology = Pair();
        var cluster = Announcement.ClusterOf(topology);
        using var bystander = new Bystander(_group);
        await using var node = ClusterNodeServer.Start(Options(topology, Notes));

        var own = new Announcement(Incarnation).ToDatagram(cluster, 0);
        Assert.That(() => bystander.Has(own), Is.True.After(60).Seconds.PollEvery(5).MilliSeconds);
        // Nobody else is there: it goes on alone.
        await UntilAsync(() => States().Contains(DiscoveryState.Tree));

        bystander.Channel.Send(new Announcement(7).ToDatagram(cluster + 1, 1));
        bystander.Channel.Send(new Announcement(7).ToDatagram(cluster, 9));
        bystander.Channel.Send("mqttchk1 and something else"u8);
        var before = States().Count(state => state == DiscoveryState.Discovery);
        bystander.Channel.Send(new Announcement(8).ToDatagram(cluster, 1));
        await UntilAsync(() => States().Count(state => state == DiscoveryState.Discovery) > before);
        Assert.That(before, Is.EqualTo(1), "nodes of other clusters, unknown nodes and other datagrams are no news");
        // The same process again is no news either, another one is.
        await UntilAsync(() => States()[^1] != DiscoveryState.Discovery);
        bystander.Channel.Send(new Announcement(8).ToDatagram(cluster, 1));
        bystander.Channel.Send(new Announcement(9).ToDatagram(cluster, 1));
        await UntilAsync(() => States().Count(state => state == DiscoveryState.Discovery) > before + 1);
        Assert.That(States().Count(state => state == DiscoveryState.Discovery), Is.EqualTo(before + 2));
        Assert.That(node.Failure, Is.Null);
    }

    // The filter leaves out the shorter datagram by which a node tries the group.
    [Test]
    [Platform("Linux")]
    public async Task Tshark_sees_an_announcement_that_goes_to_the_group_and_stays_on_the_machine()
    {
        Missing.Require("tshark", "apt-get install tshark");
        var filter = $"udp dst port {_group.Port} and udp[4:2] = {8 + Announcement.DatagramBytes}";
        string[] fields = ["ip.dst", "ip.ttl", "udp.dstport", "udp.length", "data.data"];
        string[] words = ["-l", "-i", "lo", "-c", "1", "-f", filter, "-T", "fields"];
        using var tshark = Process.Start(
            new ProcessStartInfo("tshark", [.. words, .. fields.SelectMany(field => (string[])["-e", field])])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        while (await tshark.StandardError.ReadLineAsync() is var line && line?.Contains("Capturing on") != true)
            if (line is null)
                Assert.Ignore("tshark may not capture packets here; allowed: root, or the group wireshark.");
        // It announces itself until tshark has begun and seen it.
        var topology = Pair();
        topology = topology with { Overlay = topology.Overlay with { CollectSeconds = 60 } };
        await using var node = ClusterNodeServer.Start(Options(topology, Notes));
        using var patience = new CancellationTokenSource(s_patience);
        var shown = (await tshark.StandardOutput.ReadLineAsync(patience.Token))!.Split('\t');
        var datagram = new Announcement(Incarnation).ToDatagram(Announcement.ClusterOf(topology), 0);
        Assert.That(
            shown,
            Is.EqualTo(
                (string[])
                    [
                        _group.Address.ToString(),
                        "0",
                        _group.Port.ToString(CultureInfo.InvariantCulture),
                        "36",
                        Convert.ToHexString(datagram).ToLowerInvariant(),
                    ]
            )
        );
        await tshark.WaitForExitAsync(patience.Token);
    }

    [Test]
    public async Task A_node_without_multicast_sends_nothing_to_the_group()
    {
        var topology = Pair();
        topology = topology with { Overlay = topology.Overlay with { AnnouncesOnLinks = true } };
        using var bystander = new Bystander(_group);
        await using var node = ClusterNodeServer.Start(Options(topology, Notes));
        await UntilAsync(() => States().Contains(DiscoveryState.Tree));
        Assert.That(bystander.Count, Is.Zero);
    }

    // A socket that does not share its port keeps the nodes off it.
    [Test]
    [Platform("Linux")]
    public void A_port_that_is_taken_is_an_error_that_says_what_to_do()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        taken.ExclusiveAddressUse = true;
        taken.Bind(new IPEndPoint(IPAddress.Any, _group.Port));
        var refused = Assert.Throws<BrokerException>(() => ClusterNodeServer.Start(Options(Pair(), Notes)))!;
        Assert.That(
            refused.Message,
            Does.StartWith("Node n1 does not start. The multicast group 239.255.77.113:")
                .And.Contain("set \"multicast\": \"none\"")
        );
    }

    private const ulong Incarnation = 5;

    private Topology Pair()
    {
        var topology = TopologyFile.Read("mesh:2", ClusterSystem.SingleOverlay);
        return topology with
        {
            KeepAliveSeconds = 0.1,
            Overlay = new OverlaySettings
            {
                Multicast = _group,
                AnnounceSeconds = 0.05,
                CollectSeconds = 0.2,
            },
        };
    }

    // The notes of the node about its discovery.
    private List<DiscoveryState> States()
    {
        using var file = new FileStream(Notes, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(file);
        return
        [
            .. reader
                .ReadToEnd()
                .Split('\n')
                .Select(line => line.Split(' '))
                .Where(words => words is [_, "discovery", _, _])
                .Select(words => (DiscoveryState)int.Parse(words[3], CultureInfo.InvariantCulture)),
        ];
    }

    // Nobody listens where the other node should be.
    private static NodeOptions Options(Topology topology, string notes) =>
        new()
        {
            Topology = topology,
            Node = 0,
            Peers = new Dictionary<int, IPEndPoint> { [1] = new(IPAddress.Loopback, FreePort.Find()) },
            NotesPath = notes,
            Incarnation = Incarnation,
        };

    private static async Task UntilAsync(Func<bool> holds)
    {
        var until = MonotonicClock.NowNanoseconds + (long)s_patience.TotalNanoseconds;
        while (!holds())
        {
            Assert.That(MonotonicClock.NowNanoseconds, Is.LessThan(until), "it did not happen");
            await Task.Delay(5);
        }
    }

    /// <summary>Somebody who has joined the group and keeps what comes.</summary>
    private sealed class Bystander : IDisposable
    {
        private readonly List<byte[]> _taken = [];

        public Bystander(MulticastGroup group)
        {
            Channel = LoopbackMulticast.Join(group);
            Channel.Listen(datagram =>
            {
                lock (_taken)
                    _taken.Add(datagram);
            });
        }

        public LoopbackMulticast Channel { get; }

        public int Count
        {
            get
            {
                lock (_taken)
                    return _taken.Count;
            }
        }

        public bool Has(byte[] datagram)
        {
            lock (_taken)
                return _taken.Exists(one => one.AsSpan().SequenceEqual(datagram));
        }

        public void Dispose() => Channel.Dispose();
    }
}
