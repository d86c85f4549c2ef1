using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Topologies;

/// <summary>
/// A graph that is known by name and size: <c>mesh:5</c> (every pair), <c>ring:6</c>, <c>star:4</c> (the first node and
/// three around it), <c>line:3</c>, <c>tree:2x3</c> (two children each, three levels) and <c>grid:3x3</c>. Its nodes
/// are n1, n2 and so on.
/// </summary>
internal sealed record TopologyFamily
{
    /// <summary>The forms of a family, for messages.</summary>
    public const string Forms =
        "mesh:5, ring:6, star:4, line:3, tree:2x3 (children x levels), grid:3x3 (rows x columns)";

    private static readonly string[] s_names = ["mesh", "ring", "star", "line", "tree", "grid"];

    private TopologyFamily(string text, int nodes, IReadOnlyList<(int From, int To)> links) =>
        (Text, NodeCount, Links) = (text, nodes, links);

    /// <summary>The family as it was written.</summary>
    public string Text { get; }

    /// <summary>How many nodes it has, 1 .. <see cref="Topology.MostNodes"/>.</summary>
    public int NodeCount { get; }

    /// <summary>The pairs of nodes that are linked; the first has the lower number.</summary>
    public IReadOnlyList<(int From, int To)> Links { get; }

    /// <summary>Reads a family.</summary>
    /// <param name="text">One of <see cref="Forms"/>, with any numbers.</param>
    /// <param name="family">The family.</param>
    /// <returns>Whether the text names one of at most <see cref="Topology.MostNodes"/> nodes.</returns>
    public static bool TryParse(string text, [NotNullWhen(true)] out TopologyFamily? family)
    {
        family = null;
        var words = text.Split(':');
        if (words.Length != 2 || Numbers(words[1]) is not { } numbers)
            return false;
        (int Nodes, IEnumerable<(int, int)> Links)? graph = (words[0], numbers) switch
        {
            ("mesh", [var n]) => (n, Pairs(n)),
            ("ring", [var n]) when n >= 3 => (n, Line(n).Append((0, n - 1))),
            ("star", [var n]) => (n, Enumerable.Range(1, n - 1).Select(leaf => (0, leaf))),
            ("line", [var n]) => (n, Line(n)),
            ("tree", [var children, var levels]) => Tree(children, levels),
            ("grid", [var rows, var columns]) => (rows * columns, Grid(rows, columns)),
            _ => null,
        };
        if (graph is not { Nodes: >= 1 and <= Topology.MostNodes } found)
            return false;
        family = new TopologyFamily(text, found.Nodes, [.. found.Links]);
        return true;
    }

    /// <summary>Says what is wrong with a text that has the form of a family and is none.</summary>
    /// <param name="text">The text, which <see cref="TryParse"/> refused.</param>
    /// <returns>A sentence without its end; null where it is no family, but perhaps a path.</returns>
    public static string? Problem(string text)
    {
        var words = text.Split(':');
        if (words.Length != 2 || File.Exists(text))
            return null;
        if (s_names.Contains(words[0]))
            return $"'{Printable.Value(words[1])}' is no size of a {words[0]}; allowed: {Forms}, "
                + string.Create(
                    CultureInfo.InvariantCulture,
                    $"of 1 to {Topology.MostNodes} nodes, a ring of 3 at least"
                );
        var meant = NearestName.Meant(words[0], s_names);
        return meant.Length == 0 ? null : $"'{words[0]}' is no family; allowed: {Forms}{meant}";
    }

    /// <summary>The topology of the family, with equal nodes and equal links.</summary>
    /// <param name="system">The system that the nodes run.</param>
    /// <param name="link">The delay, rate and loss of every link; its ends do not count.</param>
    public Topology ToTopology(ClusterSystem system, TopologyLink? link = null)
    {
        var sample = link ?? new TopologyLink { From = 0, To = 1 };
        return new Topology
        {
            Name = Text.Replace(':', '-'),
            System = system,
            Nodes = [.. Enumerable.Range(1, NodeCount).Select(number => new TopologyNode { Name = NodeName(number) })],
            Links = [.. Links.Select(pair => sample with { From = pair.From, To = pair.To })],
        };
    }

    private static string NodeName(int number) => string.Create(CultureInfo.InvariantCulture, $"n{number}");

    private static int[]? Numbers(string text)
    {
        var numbers = new List<int>();
        foreach (var part in text.Split('x'))
        {
            if (
                !int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                || number is < 1 or > Topology.MostNodes
            )
                return null;
            numbers.Add(number);
        }
        return [.. numbers];
    }

    private static IEnumerable<(int, int)> Pairs(int n) =>
        from a in Enumerable.Range(0, n)
        from b in Enumerable.Range(a + 1, n - 1 - a)
        select (a, b);

    private static IEnumerable<(int, int)> Line(int n) => Enumerable.Range(0, n - 1).Select(node => (node, node + 1));

    private static (int, IEnumerable<(int, int)>) Tree(int children, int levels)
    {
        var (nodes, width) = (0, 1);
        for (var level = 0; level < levels && nodes <= Topology.MostNodes; level++)
        {
            nodes += width;
            width = Math.Min(width * children, Topology.MostNodes + 1);
        }
        return (nodes, Enumerable.Range(1, nodes - 1).Select(node => ((node - 1) / children, node)));
    }

    private static IEnumerable<(int, int)> Grid(int rows, int columns)
    {
        for (var node = 0; node < rows * columns; node++)
        {
            if (node % columns < columns - 1)
                yield return (node, node + 1);
            if (node / columns < rows - 1)
                yield return (node, node + columns);
        }
    }
}
