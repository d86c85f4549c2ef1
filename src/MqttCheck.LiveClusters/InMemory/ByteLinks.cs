using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>
/// The links of a cluster in memory. Each directed link has its own address, to which a node connects to reach the
/// other, as with the relays of live runs. Connections, packets and resets behave as in the simulator of frames.
/// </summary>
internal sealed class ByteLinks
{
    private const int FirstLinkPort = 20_000;
    private const int FirstNodePort = 10_000;
    private const int ConnectPacket = 1;

    private readonly MemoryWire _wire;
    private readonly ByteLink[] _links;
    private readonly Func<int, bool> _isAlive;
    private readonly Action _arrived;

    /// <param name="wire">The wire that carries all links.</param>
    /// <param name="topology">Nodes and links.</param>
    /// <param name="isAlive">Whether the process of a node runs.</param>
    /// <param name="arrived">Told of each packet that arrives.</param>
    /// <param name="arm">Has <see cref="Happen"/> called for a directed link at a time.</param>
    public ByteLinks(MemoryWire wire, Topology topology, Func<int, bool> isAlive, Action arrived, Action<int, long> arm)
    {
        (_wire, _isAlive, _arrived) = (wire, isAlive, arrived);
        _links =
        [
            .. topology.Links.SelectMany<TopologyLink, ByteLink>(
                (link, i) =>
                    [
                        new(link.From, link.To, link, () => wire.NowNanoseconds, at => arm(2 * i, at)),
                        new(link.To, link.From, link, () => wire.NowNanoseconds, at => arm((2 * i) + 1, at)),
                    ]
            ),
        ];
        for (var index = 0; index < _links.Length; index++)
        {
            var link = index;
            wire.Listen(new WireListener(AddressOfLink(index)), () => Accept(link));
        }
    }

    public int Count => _links.Length;

    /// <summary>Lets the first packet on a directed link arrive.</summary>
    /// <returns>Whether the next one is due at once.</returns>
    public bool Happen(int index) => _links[index].ArriveNext();

    /// <summary>The address at which a node serves clients and the ends of links.</summary>
    public static IPEndPoint AddressOfNode(int node) => new(IPAddress.Loopback, FirstNodePort + node);

    /// <summary>The addresses by which a node reaches its neighbours, by their indices.</summary>
    public Dictionary<int, IPEndPoint> PeersOf(int node) =>
        LinksFrom(node).ToDictionary(index => _links[index].Target, AddressOfLink);

    public void Reset(ulong seed, ulong replication)
    {
        for (var index = 0; index < _links.Length; index++)
            _links[index].Reset(seed, replication, (ulong)index);
    }

    /// <summary>A process has ended: its connections vanish, and the system tells its neighbours.</summary>
    public void ProcessEnded(int node)
    {
        foreach (var index in LinksFrom(node))
        {
            var (link, back) = (_links[index], _links[index ^ 1]);
            link.Current?.CloseNear();
            // Its packets are still under way: only the neighbour's notice ends the connections there.
            back.Current?.CloseFar();
            Reset(index, back.Generation);
        }
    }

    /// <summary>Both ends of all connections between two nodes are reset, and new ones are refused.</summary>
    public void Cut(int link)
    {
        Both(link, direction => direction.Cuts++);
        foreach (var index in (int[])[2 * link, (2 * link) + 1])
        {
            _links[index].Current?.CloseFar();
            CloseNear(index);
        }
    }

    public void Mend(int link) => Both(link, direction => direction.Cuts--);

    public void Stall(int link) => Both(link, direction => direction.Stall());

    public void Release(int link) => Both(link, direction => direction.Release());

    public void Slow(int link, TopologyLink law) => Both(link, direction => direction.Use(law));

    /// <summary>The near node has sent a packet.</summary>
    public void SendThere(int index, ByteConnection from, byte[] packet)
    {
        if (_links[index].Current == from)
            _links[index].Put(packet.Length, () => ArriveThere(index, from, packet));
    }

    /// <summary>The far node has sent a packet. Over a connection that another has replaced it is lost.</summary>
    public void SendBack(int index, ByteConnection from, byte[] packet)
    {
        if (_links[index].Current == from)
            _links[index ^ 1].Put(packet.Length, () => ArriveBack(index, from, packet));
    }

    /// <summary>The near node has given up a connection.</summary>
    public void NearEnded(int index, ByteConnection ended)
    {
        if (_links[index].Current == ended)
            _links[index].Generation++;
    }

    /// <summary>The far node has ended a connection that nobody has replaced.</summary>
    public void FarEnded(int index, ByteConnection ended)
    {
        if (_links[index].Current == ended && _links[index].Generation == ended.Generation)
            Reset(index ^ 1, ended.Generation);
    }

    private static IPEndPoint AddressOfLink(int index) => new(IPAddress.Loopback, FirstLinkPort + index);

    private IEnumerable<int> LinksFrom(int node) =>
        Enumerable.Range(0, _links.Length).Where(index => _links[index].Source == node);

    private void Both(int link, Action<ByteLink> change)
    {
        change(_links[2 * link]);
        change(_links[(2 * link) + 1]);
    }

    private IWireHandler Accept(int index)
    {
        var link = _links[index];
        var isCut = link.Cuts > 0;
        link.Current = new ByteConnection(this, index, ++link.Generation, isCut);
        if (isCut)
            Reset(index ^ 1, link.Generation);
        return link.Current.Near();
    }

    private void ArriveThere(int index, ByteConnection connection, byte[] packet)
    {
        _arrived();
        var link = _links[index];
        // A connection that has ended meanwhile takes its packets with it.
        if (link.Generation != connection.Generation)
            return;
        if (!_isAlive(link.Target))
        {
            Reset(index ^ 1, link.Generation);
            return;
        }
        if (packet[0] >> 4 == ConnectPacket)
            connection.OpenFar(handler => _wire.Connect(new WireEndpoint(AddressOfNode(link.Target)), handler));
        connection.ToFar(packet);
    }

    private void ArriveBack(int index, ByteConnection connection, byte[] packet)
    {
        _arrived();
        if (_links[index].Generation == connection.Generation)
            connection.ToNear(packet);
    }

    // A reset of the connection in the other direction goes over a link.
    private void Reset(int index, int generation) => _links[index].Put(0, () => TakeReset(index, generation));

    private void TakeReset(int index, int generation)
    {
        var opened = _links[index ^ 1];
        if (opened.Generation != generation || !_isAlive(opened.Source))
            return;
        _links[index].Current?.CloseFar();
        CloseNear(index ^ 1);
    }

    private void CloseNear(int index)
    {
        _links[index].Generation++;
        _links[index].Current?.CloseNear();
    }
}
