using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Links;

/// <summary>
/// The links of a cluster: a relay over TCP for each directed one, all on one event loop. A node that opens a
/// connection to another one connects to the relay of that link, which connects onwards. Used on the wire's thread, or
/// before it runs.
/// </summary>
/// <param name="wire">The wire that carries the links.</param>
/// <param name="observer">Who is told of publications; null for nobody.</param>
internal sealed class LinkNetwork(IWire wire, ILinkObserver? observer)
{
    private readonly Dictionary<(int From, int To), DirectedLink> _links = [];
    private readonly Dictionary<(int From, int To), WireEndpoint> _targets = [];
    private readonly HashSet<RelayedConnection> _connections = [];

    /// <summary>The event loop.</summary>
    public IWire Wire { get; } = wire;

    /// <summary>Who is told of publications, or null.</summary>
    public ILinkObserver? Observer { get; } = observer;

    /// <summary>Who is told of all bytes, or null.</summary>
    public IStreamObserver? Streams { get; init; }

    /// <summary>The buffers for bytes under way.</summary>
    public BufferPool Buffers { get; } = new();

    /// <summary>How many connections are relayed.</summary>
    public int Connections => _connections.Count;

    /// <summary>Adds the two directions between two nodes, unless they exist.</summary>
    /// <param name="one">A node.</param>
    /// <param name="other">The other one.</param>
    /// <param name="law">How each direction treats bytes.</param>
    /// <param name="seed">The seed of all links.</param>
    public void Add(int one, int other, LinkLaw law, ulong seed)
    {
        _links.TryAdd((one, other), new DirectedLink(one, other, law, seed));
        _links.TryAdd((other, one), new DirectedLink(other, one, law, seed));
    }

    /// <summary>Whether there is a link between two nodes.</summary>
    public bool Has(int one, int other) => _links.ContainsKey((one, other));

    /// <summary>How many open connections from one node to another were answered by a packet of a type.</summary>
    public int Answered(int from, int to, PacketType answer) =>
        _connections.Count(connection => connection.WasAnswered(from, to, answer));

    /// <summary>A directed link.</summary>
    /// <param name="from">The node at its beginning.</param>
    /// <param name="to">The node at its end.</param>
    public DirectedLink this[int from, int to] => _links[(from, to)];

    /// <summary>Serves connections that one node opens to another.</summary>
    /// <param name="from">The node that connects.</param>
    /// <param name="to">The node that it wants to reach.</param>
    /// <param name="address">The address to listen on; port 0 takes a free one.</param>
    /// <returns>The relay's address, which the node gets in place of its peer's.</returns>
    /// <exception cref="WireException">The address cannot be served.</exception>
    public IPEndPoint Listen(int from, int to, IPEndPoint address) => Listen(from, to, new WireListener(address));

    /// <summary>Serves connections that one node opens to another.</summary>
    /// <param name="from">The node that connects.</param>
    /// <param name="to">The node that it wants to reach.</param>
    /// <param name="listener">The address to listen on, and whether TLS ends there.</param>
    /// <returns>The relay's address, which the node gets in place of its peer's.</returns>
    /// <exception cref="WireException">The address cannot be served.</exception>
    public IPEndPoint Listen(int from, int to, WireListener listener) =>
        Wire.Listen(
            listener,
            () =>
            {
                var forward = _links[(from, to)];
                if (forward.IsCut)
                    return null;
                var connection = new RelayedConnection(
                    this,
                    forward,
                    _links[(to, from)],
                    _targets.GetValueOrDefault((from, to))
                );
                _connections.Add(connection);
                return connection.Accepted;
            }
        );

    /// <summary>Sets the address at which a node listens for peers that reach it by a link.</summary>
    /// <param name="from">The node that connects.</param>
    /// <param name="to">The node that listens.</param>
    /// <param name="target">The address.</param>
    public void SetTarget(int from, int to, IPEndPoint target) => SetTarget(from, to, new WireEndpoint(target));

    /// <summary>Sets the address of a node for peers that reach it by a link, and whether TLS begins there.</summary>
    /// <param name="from">The node that connects.</param>
    /// <param name="to">The node that listens.</param>
    /// <param name="target">The address.</param>
    public void SetTarget(int from, int to, WireEndpoint target) => _targets[(from, to)] = target;

    /// <summary>Stalls both directions between two nodes.</summary>
    public void Stall(int one, int other)
    {
        foreach (var link in Between(one, other))
            link.IsStalled = true;
    }

    /// <summary>Resets every connection between two nodes, and refuses new ones.</summary>
    public void Cut(int one, int other)
    {
        foreach (var link in Between(one, other))
            link.IsCut = true;
        foreach (var connection in _connections.Where(connection => connection.Joins(one, other)).ToArray())
            connection.Cut();
    }

    /// <summary>Gives both directions between two nodes another law.</summary>
    public void Slow(int one, int other, LinkLaw law)
    {
        foreach (var link in Between(one, other))
            link.Slow(law);
    }

    /// <summary>Ends every fault between two nodes.</summary>
    public void Heal(int one, int other)
    {
        foreach (var link in Between(one, other))
            link.Heal();
        foreach (var connection in _connections.Where(connection => connection.Joins(one, other)).ToArray())
            connection.Heal();
    }

    /// <summary>A connection has ended.</summary>
    /// <param name="connection">The connection.</param>
    public void Remove(RelayedConnection connection) => _connections.Remove(connection);

    private DirectedLink[] Between(int one, int other) => [_links[(one, other)], _links[(other, one)]];
}
