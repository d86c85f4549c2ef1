using System.Globalization;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Mosquitto.Joining;

/// <summary>Finds the node that an address of a bridge leads to.</summary>
internal sealed class ConfPlaces
{
    private readonly IReadOnlyList<MosquittoConf> _files;
    private readonly Dictionary<string, string> _at = [];
    private readonly HashSet<string> _unused;
    private readonly List<string> _names = [];
    private readonly List<List<string>> _addresses = [];
    private readonly Dictionary<string, int> _outside = [];

    // A port alone is no reason to take two hosts for one.
    private readonly Dictionary<int, ConfAddress> _byPort = [];

    /// <summary>Knows the files, and what the user says of addresses.</summary>
    public ConfPlaces(IReadOnlyList<MosquittoConf> files, IReadOnlyDictionary<string, string> at)
    {
        _files = files;
        foreach (var file in files)
            Add(file.Name);
        foreach (var (address, name) in at)
        {
            if (!TopologyNames.IsNode(name))
                throw new InputException(
                    $"--at {Printable.Value(address)}={Printable.Value(name)}: no name of a node given; allowed: "
                        + TopologyNames.AllowedNode
                );
            _at[address.ToLowerInvariant()] = name;
        }
        _unused = [.. _at.Keys];
    }

    /// <summary>The name of a node.</summary>
    public string NameOf(int node) => _names[node];

    /// <summary>Finds the node of an address, and adds one where there is none.</summary>
    /// <param name="from">The index of the file that opens the bridge.</param>
    /// <param name="bridge">The bridge.</param>
    /// <param name="address">One of its addresses.</param>
    public (int Node, ConfMatch Match) Find(int from, ConfBridge bridge, ConfAddress address)
    {
        var text = Text(address);
        var (node, match) = _at.TryGetValue(text, out var told)
            ? (Told(text, told), ConfMatch.Told)
            : FromFiles(from, bridge, address) ?? (Outside(text), ConfMatch.Outside);
        if (!_addresses[node].Contains(text))
            _addresses[node].Add(text);
        return (node, match);
    }

    /// <summary>Says that an address of the user is none of any bridge.</summary>
    public void RequireUsed()
    {
        if (_unused.Count == 0)
            return;
        var known = _files
            .SelectMany(file => file.Bridges)
            .SelectMany(bridge => bridge.Addresses)
            .Select(Text)
            .Distinct()
            .Select(Printable.Value);
        throw new InputException(
            $"--at: no bridge leads to {Printable.Value(_unused.Order(StringComparer.Ordinal).First())}; allowed: "
                + string.Join(", ", known.DefaultIfEmpty("nothing, since the files have no bridge"))
        );
    }

    /// <summary>The nodes, with the brokers that the user names.</summary>
    public IReadOnlyList<ConfNode> Nodes(IReadOnlyDictionary<string, BridgePeer> brokers)
    {
        foreach (var name in brokers.Keys.Where(name => !_names.Contains(name)))
            throw new InputException(
                $"--broker: {Printable.Value(name)} is no node; allowed: {string.Join(", ", _names)}"
            );
        return [.. Enumerable.Range(0, _names.Count).Select(Node)];

        ConfNode Node(int node)
        {
            var isTold = brokers.TryGetValue(_names[node], out var broker);
            if (
                !isTold
                && node >= _files.Count
                && _addresses[node].Exists(address => BridgePeers.IsAwsIot(address[..address.LastIndexOf(':')]))
            )
                broker = BridgePeer.AwsIot;
            return new ConfNode(
                _names[node],
                node < _files.Count ? _files[node] : null,
                _addresses[node],
                broker,
                isTold
            );
        }
    }

    private int Told(string address, string name)
    {
        _unused.Remove(address);
        var node = _names.IndexOf(name);
        return node < 0 ? Add(name) : node;
    }

    private (int Node, ConfMatch Match)? FromFiles(int from, ConfBridge bridge, ConfAddress address)
    {
        var listening = Enumerable
            .Range(0, _files.Count)
            .Where(file => _files[file].Listeners.Any(listener => listener.Port == address.Port))
            .ToList();
        var host = address.Host.ToLowerInvariant();
        if (ConfHosts.IsLoopback(host))
        {
            var local = listening.FindAll(file =>
                ListenersOf(file, address)
                    .Any(listener => ConfHosts.IsAny(listener.Host) || ConfHosts.IsLoopback(listener.Host))
            );
            // Nobody else can listen there on the host of the bridge.
            return local.Contains(from) ? (from, ConfMatch.Listener) : Only(local, address, ConfMatch.Listener);
        }
        var bound = listening.FindAll(file =>
            ListenersOf(file, address).Any(listener => host.Equals(listener.Host, StringComparison.OrdinalIgnoreCase))
        );
        if (bound.Count > 0)
            return Only(bound, address, ConfMatch.Listener);
        var named = listening.FindAll(file => ConfHosts.IsNamed(host, _files[file].Name));
        if (named.Count > 0)
            return Only(named, address, ConfMatch.Name);
        if (BridgePeers.IsAwsIot(host))
            return null;
        var others = listening.FindAll(file =>
            file != from
            && ListenersOf(file, address)
                .Any(listener => ConfHosts.MayBe(listener.Host, host) && listener.IsTls == bridge.IsTls)
        );
        if (Only(others, address, ConfMatch.PortAlone) is not { } found)
            return null;
        if (
            _byPort.TryAdd(found.Node, address)
            || host.Equals(_byPort[found.Node].Host, StringComparison.OrdinalIgnoreCase)
        )
            return found;
        var earlier = _byPort[found.Node];
        throw new InputException(
            $"{address.Place}: {Printable.Value(Text(address))} and {Printable.Value(Text(earlier))} "
                + $"({earlier.Place}) are different hosts, and of the files {_files[found.Node].Name} alone listens on "
                + $"the port; allowed: --at HOST:PORT={_files[found.Node].Name} for the address that it has, and "
                + "--at with another name for the other one"
        );
    }

    private (int Node, ConfMatch Match)? Only(List<int> found, ConfAddress address, ConfMatch match) =>
        found.Count switch
        {
            0 => null,
            1 => (found[0], match),
            _ => throw new InputException(
                $"{address.Place}: {Printable.Value(Text(address))} fits several files: "
                    + $"{string.Join(", ", found.Select(file => $"{_files[file].Name} ({_files[file].File})"))}; "
                    + $"allowed: --at {Printable.Value(Text(address))}=NAME, such as "
                    + $"--at {Printable.Value(Text(address))}={_files[found[0]].Name}"
            ),
        };

    private IEnumerable<ConfListener> ListenersOf(int file, ConfAddress address) =>
        _files[file].Listeners.Where(listener => listener.Port == address.Port);

    private int Outside(string address)
    {
        if (_outside.TryGetValue(address, out var known))
            return known;
        var number = 1;
        while (_names.Contains(Name(number)) || _at.ContainsValue(Name(number)))
            number++;
        return _outside[address] = Add(Name(number));

        static string Name(int number) => string.Create(CultureInfo.InvariantCulture, $"outside{number}");
    }

    private int Add(string name)
    {
        _names.Add(name);
        _addresses.Add([]);
        return _names.Count - 1;
    }

    private static string Text(ConfAddress address) =>
        string.Create(CultureInfo.InvariantCulture, $"{address.Host.ToLowerInvariant()}:{address.Port}");
}
