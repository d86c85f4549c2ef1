using System.Globalization;
using System.Text.RegularExpressions;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>
/// Variants of a topology: <c>link(oslo,rome).delay=10..80ms:5</c>, <c>link(oslo,rome).rate=1..10Mbit:4</c>,
/// <c>node(oslo).capability=0..3:4</c>, <c>keepalive=0.2..2s:5</c>: a range and how many equally spaced values. For
/// overlays also lists of values: <c>topics=3,30,60</c>, <c>locality=0,50,100</c>, and
/// <c>system=spanning-tree,single-overlay,topic-overlay</c>. And for all of MqttCheck's own nodes
/// <c>hop=qos1,transport-4.18</c>, for the system of that name <c>design=4.17,4.18</c>.
/// </summary>
internal static partial class TopologyVariation
{
    private const string Forms =
        "link(a,b).delay=10..80ms:5, link(a,b).rate=1..10Mbit:4, node(a).capability=0..3:4, keepalive=0.2..2s:5, "
        + "topics=3,30,60, locality=0,50,100, system=spanning-tree,single-overlay,topic-overlay, design=4.17,4.18, "
        + "hop=qos1,transport-4.18";

    /// <summary>The variants, each with what was changed.</summary>
    /// <param name="topology">The topology.</param>
    /// <param name="text">The variation.</param>
    /// <param name="where">The place of the text, for the message.</param>
    /// <exception cref="InputException">It is no variation of the topology.</exception>
    public static IReadOnlyList<(string Label, Topology Topology)> Of(Topology topology, string text, string where)
    {
        if (NameForm().Match(text) is { Success: true } names)
            return OfNames(topology, names, where);
        if (OverlayForm().Match(text) is { Success: true } list)
            return OfOverlay(topology, list, where);
        var match = Form().Match(text);
        if (!match.Success)
            throw new InputException($"{where}: '{text}' is not a variation. Allowed: {Forms}.");
        var (low, high) = (Number(match, "low"), Number(match, "high"));
        var count = int.Parse(match.Groups["count"].Value, CultureInfo.InvariantCulture);
        if (low > high || count is < 1 or > 1000)
            throw new InputException($"{where}: '{text}' has no values; allowed: FROM..TO:COUNT with up to 1000.");
        var (what, unit) = (match.Groups["what"].Value, match.Groups["unit"].Value);
        var change =
            Change(topology, what, unit)
            ?? throw new InputException(
                $"{where}: '{text}' names what the topology has not, or a wrong unit. Allowed: {Forms}."
            );
        return
        [
            .. Enumerable
                .Range(0, count)
                .Select(i => count == 1 ? low : low + ((high - low) * i / (count - 1)))
                .Select(value =>
                    (string.Create(CultureInfo.InvariantCulture, $"{what}={value:0.######}{unit}"), change(value))
                ),
        ];
    }

    private static Func<double, Topology>? Change(Topology topology, string what, string unit)
    {
        if (what == "keepalive" && unit is "s" or "ms")
            return value => topology with { KeepAliveSeconds = unit == "s" ? value : value / 1000 };
        var match = Part().Match(what);
        var (a, b) = (topology.NodeIndex(match.Groups["a"].Value), topology.NodeIndex(match.Groups["b"].Value));
        if (a < 0)
            return null;
        var links = b < 0 ? [] : topology.LinksBetween(a, b);
        return (match.Groups["key"].Value, unit) switch
        {
            ("capability", "") when b < 0 => value => WithCapability(topology, a, value),
            ("delay", "us" or "ms" or "s") when links.Count > 0 => value =>
                WithLinks(
                    topology,
                    links,
                    link =>
                        link with
                        {
                            DelayMilliseconds = new ConstantLaw(
                                value
                                    * (
                                        unit == "us" ? 1e-3
                                        : unit == "s" ? 1e3
                                        : 1
                                    )
                            ),
                        }
                ),
            ("rate", "kbit" or "Mbit" or "Gbit") when links.Count > 0 => value =>
                WithLinks(
                    topology,
                    links,
                    link =>
                        link with
                        {
                            BitsPerSecond =
                                value
                                * (
                                    unit == "kbit" ? 1e3
                                    : unit == "Mbit" ? 1e6
                                    : 1e9
                                ),
                        }
                ),
            _ => null,
        };
    }

    private static Topology WithCapability(Topology topology, int node, double value) =>
        topology with
        {
            Nodes =
            [
                .. topology.Nodes.Select(
                    (own, i) => i == node ? own with { Capability = value, HasOwnCapability = true } : own
                ),
            ],
        };

    private static Topology WithLinks(
        Topology topology,
        IReadOnlyList<int> links,
        Func<TopologyLink, TopologyLink> change
    ) => topology with { Links = [.. topology.Links.Select((link, i) => links.Contains(i) ? change(link) : link)] };

    private static List<(string, Topology)> OfOverlay(Topology topology, Match match, string where)
    {
        if (!topology.System.HasOverlay())
            throw new InputException(
                $"{where}: '{match.Value}' is for overlays, and {topology.Name} is '{topology.System.Name()}'; "
                    + "allowed: spanning-tree, single-overlay, topic-overlay."
            );
        var (what, variants) = (match.Groups["what"].Value, new List<(string, Topology)>());
        foreach (var word in match.Groups["values"].Value.Split(','))
        {
            if (what == "system")
            {
                variants.Add(($"{what}={word}", topology with { System = SystemOf(word, where) }));
                continue;
            }
            var value = int.TryParse(word, CultureInfo.InvariantCulture, out var number) ? number : -1;
            var isAllowed = what == "topics" ? value is >= 1 and <= 100_000 : value is 0 or 50 or 100;
            if (!isAllowed)
                throw new InputException(
                    $"{where}: '{word}' is out of range in '{match.Value}'; allowed: topics 1..100000, "
                        + "locality 0, 50 or 100."
                );
            var overlay =
                what == "topics"
                    ? topology.Overlay with
                    {
                        Topics = value,
                    }
                    : topology.Overlay with
                    {
                        LocalityPercent = value,
                    };
            variants.Add(($"{what}={word}", topology with { Overlay = overlay }));
        }
        return variants;
    }

    private static List<(string, Topology)> OfNames(Topology topology, Match match, string where)
    {
        var variants = new List<(string, Topology)>();
        var isDesign = match.Groups["what"].Value == "design";
        foreach (var word in match.Groups["values"].Value.Split(','))
        {
            var index = Array.IndexOf(isDesign ? TransportFormat.Designs : TopologyFormat.Hops, word);
            var fits = isDesign
                ? topology.System == ClusterSystem.Transport
                : topology.System.Has(SystemTraits.PlainHops);
            if (index < 0 || !fits)
                throw new InputException(
                    $"{where}: '{word}' is not allowed in '{match.Value}' with a system '{topology.System.Name()}'; "
                        + $"allowed: {string.Join(", ", TransportFormat.Designs)} for the design of the system "
                        + $"'transport', {string.Join(", ", TopologyFormat.Hops)} for the hop of 'spanning-tree' and "
                        + "'flood'."
                );
            variants.Add(
                (
                    match.Groups["what"].Value + "=" + word,
                    isDesign
                        ? topology with
                        {
                            Transport = topology.Transport with { Design = word },
                        }
                        : topology with
                        {
                            Hop = (PeerHopMode)index,
                        }
                )
            );
        }
        return variants;
    }

    private static ClusterSystem SystemOf(string word, string where) =>
        ClusterSystems.TryParse(word, out var system) && system.HasOverlay()
            ? system
            : throw new InputException(
                $"{where}: '{word}' is no system to vary; allowed: spanning-tree, single-overlay, topic-overlay."
            );

    private static double Number(Match match, string group) =>
        double.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(
        @"^(?<what>[^=]+)=(?<low>\d+(\.\d+)?)\.\.(?<high>\d+(\.\d+)?)(?<unit>[A-Za-z]*):(?<count>\d{1,4})$"
    )]
    private static partial Regex Form();

    [GeneratedRegex(@"^(?<what>topics|locality|system)=(?<values>[a-z0-9-]+(,[a-z0-9-]+){0,99})$")]
    private static partial Regex OverlayForm();

    [GeneratedRegex(@"^(?<what>design|hop)=(?<values>[a-z0-9.-]+(,[a-z0-9.-]+){0,9})$")]
    private static partial Regex NameForm();

    [GeneratedRegex(@"^(node|link)\((?<a>[a-z0-9]+)(,(?<b>[a-z0-9]+))?\)\.(?<key>[a-z]+)$")]
    private static partial Regex Part();
}
