using System.Text;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>Draws networks in the DOT language of Graphviz: one cluster per automaton.</summary>
internal static class DotWriter
{
    /// <summary>The network as a DOT graph.</summary>
    /// <param name="network">The network.</param>
    public static string ToDot(AutomataNetwork network)
    {
        var text = new StringBuilder()
            .Append("digraph ")
            .Append(Quoted(network.Name))
            .AppendLine(" {")
            .AppendLine("  node [shape=box, style=rounded];");
        for (var number = 0; number < network.Automata.Count; number++)
            Write(text, network.Automata[number], number);
        return text.AppendLine("}").ToString();
    }

    private static void Write(StringBuilder text, StochasticTimedAutomaton automaton, int number)
    {
        text.Append("  subgraph cluster_")
            .Append(number)
            .AppendLine(" {")
            .Append("    label=")
            .Append(Quoted(automaton.Name))
            .AppendLine(";");
        foreach (var location in automaton.Locations)
        {
            var label = location.Invariant is null ? location.Name : $"{location.Name}\n{location.Invariant}";
            text.Append("    ").Append(Node(automaton, location.Name)).Append(" [label=").Append(Quoted(label));
            text.AppendLine(location.Name == automaton.InitialLocation ? ", peripheries=2];" : "];");
        }
        for (var i = 0; i < automaton.Edges.Count; i++)
            Write(text, automaton, automaton.Edges[i], i);
        text.AppendLine("  }");
    }

    private static void Write(StringBuilder text, StochasticTimedAutomaton automaton, Edge edge, int number)
    {
        var label = string.Join("\n", new[] { edge.Action, edge.Guard?.ToString() }.OfType<string>());
        if (edge.Destinations is [var only])
        {
            Arrow(
                text,
                automaton,
                Node(automaton, edge.Source),
                only,
                string.Join("\n", new[] { label, NetworkText.Text(only.Assignments) }.Where(part => part.Length > 0))
            );
            return;
        }
        var branch = Quoted($"{automaton.Name}#{number}");
        text.Append("    ").Append(branch).AppendLine(" [shape=point];");
        text.Append("    ")
            .Append(Node(automaton, edge.Source))
            .Append(" -> ")
            .Append(branch)
            .Append(" [arrowhead=none, label=")
            .Append(Quoted(label))
            .AppendLine("];");
        foreach (var destination in edge.Destinations)
            Arrow(
                text,
                automaton,
                branch,
                destination,
                string.Join(
                    "\n",
                    new[] { destination.Weight.ToString(), NetworkText.Text(destination.Assignments) }.Where(part =>
                        part.Length > 0
                    )
                )
            );
    }

    private static void Arrow(
        StringBuilder text,
        StochasticTimedAutomaton automaton,
        string from,
        Destination to,
        string label
    ) =>
        text.Append("    ")
            .Append(from)
            .Append(" -> ")
            .Append(Node(automaton, to.Location))
            .Append(" [label=")
            .Append(Quoted(label))
            .AppendLine("];");

    private static string Node(StochasticTimedAutomaton automaton, string location) =>
        Quoted($"{automaton.Name}.{location}");

    private static string Quoted(string text) =>
        '"'
        + text.Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("\"", "\\\"", StringComparison.Ordinal)
            .Replace("\n", "\\n", StringComparison.Ordinal)
        + '"';
}
