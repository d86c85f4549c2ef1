using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;
using static System.FormattableString;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>Loops, copies and echoes of publications, and qualities of service that do not fit together.</summary>
internal sealed class RouteFindings(ConfTopology cluster, IReadOnlyList<BridgeRoute> routes)
{
    private const int MostWays = 3;

    // A publication with more ways than that has copies, which are told.
    private const int MostWalks = 200;

    private readonly BridgeForwarding _forwarding = new(cluster.Topology);

    /// <summary>All findings.</summary>
    public IEnumerable<ConfFinding> All() => [.. Loops(), .. Repeats(), .. MixedQos()];

    private IEnumerable<ConfFinding> Loops() =>
        routes
            .Where(route => route.Loop.Count > 0)
            .GroupBy(route => string.Join(' ', route.Round.Select(hop => Invariant($"{hop.Way}:{hop.Line}"))))
            .Select(same => Loop(same.FirstOrDefault(route => route.Loop.Contains(route.Node)) ?? same.First()));

    private ConfFinding Loop(BridgeRoute route)
    {
        var circle = string.Join(" -> ", route.Loop.Select(cluster.NameOf));
        var lines = route.Round.Select(hop => cluster.LineOf(hop).Place).Distinct().ToList();
        return new ConfFinding(
            lines[0],
            ConfRule.Loop,
            $"a publication on '{route.Filter}' at {cluster.NameOf(route.Node)} goes round {circle} without end"
                + (route.IsGrowing ? ", and its topic grows" : "")
                + (lines.Count > 1 ? $", by this line and {string.Join(", ", lines.Skip(1))}" : ", by this line"),
            LoopAdvice(route)
        );
    }

    private string LoopAdvice(BridgeRoute route)
    {
        var hops = route.Round;
        var echo = hops.Where((hop, at) => hop.Way == (hops[(at + hops.Count - 1) % hops.Count].Way ^ 1)).ToList();
        if (echo.Count > 0)
            return EchoAdvice(echo[0].Link);
        if (route.Loop.Count == 2)
            return "no bridge, since its address leads to the broker itself";
        var lines = hops.Select(cluster.LineOf).ToList();
        var renames = lines.Exists(line => line.Topic.LocalPrefix.Length + line.Topic.RemotePrefix.Length > 0);
        if (renames)
            return "filters that do not take what another line brings back, such as a prefix of its own for each site";
        if (route.Loop.Count > 3)
            return "a bridge less: a tree of bridges reaches every broker without a loop";
        var qos = lines.Max(line => line.Topic.Qos);
        return Invariant($"one bridge for both ways, 'topic {lines[0].Topic.Pattern} both {(int)qos}', ")
            + "without the line of the other one";
    }

    private IEnumerable<ConfFinding> Repeats()
    {
        var (told, elsewhere) = (new HashSet<string>(), (ConfFinding?)null);
        foreach (var repeat in routes.SelectMany(route => BridgeRepeat.Of(_forwarding, route)))
        {
            foreach (var echo in repeat.Walks.SelectMany(walk => walk.Echoes))
            {
                if (told.Add(Invariant($"echo {echo.Link}")))
                    yield return Echo(echo);
            }
            var walks = repeat.Walks.Where(walk => !walk.Echoes.Any()).ToList();
            if (walks.Count <= (repeat.IsBack ? 0 : 1))
                continue;
            if (IsToldElsewhere(repeat, walks))
            {
                elsewhere ??= Copies(repeat, walks);
                continue;
            }
            var lines = walks.SelectMany(walk => walk.Hops).Select(hop => Invariant($"{hop.Way}:{hop.Line}"));
            if (told.Add(string.Join(' ', lines)))
                yield return Copies(repeat, walks);
        }
        if (told.Count == 0 && elsewhere is not null)
            yield return elsewhere;
    }

    // Ways that begin or end with the same hop are the copies of another node, and are told there.
    private static bool IsToldElsewhere(BridgeRepeat repeat, List<BridgeWalk> walks) =>
        !repeat.IsBack
        && (
            walks.Select(walk => walk.Hops[0]).Distinct().Count() == 1
            || walks.Select(walk => walk.Hop).Distinct().Count() == 1
        )
        && walks.Exists(walk => walk.Before is not null);

    private ConfFinding Copies(BridgeRepeat repeat, List<BridgeWalk> walks)
    {
        var from = repeat.Route.Node;
        var ways = walks.Take(MostWays).Select(walk => Way(from, walk));
        var more = walks.Count - MostWays;
        return new ConfFinding(
            cluster.LineOf(walks[^1].Hop).Place,
            ConfRule.Copies,
            $"a publication on '{repeat.Route.Filter}' at {cluster.NameOf(from)} "
                + (repeat.IsBack ? "comes back " : $"reaches {cluster.NameOf(repeat.Node)} ")
                + $"{Times(walks.Count)}: {string.Join(", and ", ways)}"
                + (more > 0 ? Invariant($", and on {more} more ways") : ""),
            "only one of these ways, by filters for different topics or a line less"
        );
    }

    private ConfFinding Echo(BridgeHop echo)
    {
        var link = cluster.Topology.Links[echo.Link];
        var peer = cluster.PeerOf(echo.Link);
        return new ConfFinding(
            cluster.LineOf(echo).Place,
            ConfRule.Echo,
            $"{cluster.NameOf(link.To)} ({peer.Title}) sends back to {cluster.NameOf(link.From)} what it gets here, "
                + $"so clients of {cluster.NameOf(link.From)} get it twice ({peer.Ground})",
            EchoAdvice(echo.Link)
        );
    }

    private string EchoAdvice(int link) =>
        cluster.PeerOf(link).Bit == BridgeBitAnswer.Protects && !cluster.Links[link].Bridge.TriesPrivate
            ? "'try_private true', so that the far end knows the bridge"
            : cluster.PeerOf(link).Protection;

    private IEnumerable<ConfFinding> MixedQos()
    {
        var told = new HashSet<(ConfPlace, ConfPlace)>();
        foreach (var route in routes.Where(route => route.Loop.Count == 0))
        foreach (var walk in BridgeWalk.Of(_forwarding, route, MostWalks).Where(walk => walk.Before is not null))
        {
            var hops = walk.Hops;
            var (low, high) = (hops.MinBy(hop => hop.Qos), hops.MaxBy(hop => hop.Qos));
            var (place, other) = (cluster.LineOf(low), cluster.LineOf(high));
            if (low.Qos < high.Qos && told.Add((place.Place, other.Place)))
                yield return new ConfFinding(
                    place.Place,
                    ConfRule.MixedQos,
                    Invariant($"on the way {Names(route.Node, hops)} this line gives QoS {(int)low.Qos} and ")
                        + Invariant($"{other.Place} QoS {(int)high.Qos}: what arrives has at most the lower one"),
                    $"one QoS for the whole way, here 'topic {place.Topic with { Qos = high.Qos }}'"
                );
        }
    }

    private string Names(int from, IReadOnlyList<BridgeHop> hops) =>
        string.Join(" -> ", hops.Select(hop => hop.Node).Prepend(from).Select(cluster.NameOf));

    private string Way(int from, BridgeWalk walk) =>
        $"{Names(from, walk.Hops)} by {string.Join(", ", walk.Hops.Select(hop => cluster.LineOf(hop).Place))}";

    private static string Times(int count) =>
        count switch
        {
            1 => "once",
            2 => "twice",
            _ => Invariant($"{count} times"),
        };
}
