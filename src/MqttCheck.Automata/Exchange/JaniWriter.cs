using System.Text.Json.Nodes;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Writes networks in the JANI format (jani-spec.org), model type <c>sta</c>, with the features
/// <c>derived-operators</c> and, where needed, <c>arrays</c>.
/// </summary>
/// <remarks>
/// Laws are written by named distributions, see <see cref="LawLowering"/>. Weights become probabilities.
/// </remarks>
internal static class JaniWriter
{
    /// <summary>The text of a model file.</summary>
    /// <param name="model">The network and its properties.</param>
    /// <exception cref="InputException">The network has something that JANI has not: one finding per line.</exception>
    public static byte[] ToBytes(NetworkModel model)
    {
        var (network, _) = LawLowering.Lower(model.Network);
        Check(network, model.Properties);
        return JsonText.Of(writer => Document(network, model.Properties).WriteTo(writer));
    }

    private static void Check(AutomataNetwork network, IEnumerable<NetworkProperty> properties)
    {
        // Errors of the network itself are reported before those of its translation.
        _ = new NetworkSimulator(network);
        var shared = network.Variables.Select(variable => variable.Name).ToHashSet(StringComparer.Ordinal);
        var errors = network
            .Automata.SelectMany(automaton =>
                automaton
                    .Variables.Where(variable => shared.Contains(variable.Name))
                    .Select(variable =>
                        $"automaton {automaton.Name}: the variable {variable.Name} "
                        + "hides a shared one; allowed in JANI: names that differ"
                    )
            )
            .ToList();
        foreach (var property in properties)
        {
            errors.AddRange(
                PropertyMonitor
                    .Expressions(property)
                    .SelectMany(ExpressionText.Names)
                    .Distinct()
                    .Where(name => !shared.Contains(name))
                    .Select(name =>
                        $"property {property.Name}: {name} is no shared "
                        + $"variable; allowed in JANI: {string.Join(", ", shared)}"
                    )
            );
        }
        InputException.ThrowIfAny(errors);
    }

    private static JsonObject Document(AutomataNetwork network, IEnumerable<NetworkProperty> properties)
    {
        var hasArrays = network
            .Variables.Concat(network.Automata.SelectMany(automaton => automaton.Variables))
            .Any(variable => variable.Length > 0);
        var actions = network
            .Automata.SelectMany(automaton => automaton.Edges)
            .Select(edge => edge.Action)
            .Concat(network.Synchronisations.Select(synchronisation => synchronisation.Result))
            .OfType<string>()
            .Distinct();
        var expressions = Expressions(network.Variables);
        return JsonNodes.Object(
            ("jani-version", 1),
            ("name", network.Name),
            ("type", "sta"),
            ("features", JsonNodes.List(hasArrays ? ["derived-operators", "arrays"] : ["derived-operators"])),
            ("actions", JsonNodes.List(actions.Select(action => JsonNodes.Object(("name", action))))),
            ("variables", JsonNodes.List(network.Variables.Select(Variable))),
            (
                "properties",
                JsonNodes.List(properties.Select(property => JaniPropertyWriter.Node(expressions, property)))
            ),
            ("automata", JsonNodes.List(network.Automata.Select(automaton => Automaton(network, automaton)))),
            ("system", Composition(network))
        );
    }

    private static JaniExpressionWriter Expressions(IEnumerable<VariableDeclaration> variables)
    {
        var booleans = variables
            .Where(variable => variable.Type == VariableType.Boolean)
            .Select(variable => variable.Name)
            .ToHashSet(StringComparer.Ordinal);
        return new(booleans.Contains);
    }

    private static JsonObject Variable(VariableDeclaration variable)
    {
        JsonNode initial = variable.Type == VariableType.Boolean ? variable.InitialValue != 0 : variable.InitialValue;
        return JsonNodes.Object(
            ("name", variable.Name),
            ("type", Type(variable)),
            (
                "initial-value",
                variable.Length > 0
                    ? JsonNodes.Object(("op", "ac"), ("var", "index"), ("length", variable.Length), ("exp", initial))
                    : initial
            )
        );
    }

    private static JsonNode Type(VariableDeclaration variable)
    {
        JsonNode type = NetworkText.Name(variable.Type);
        if (variable.LowerBound is not null || variable.UpperBound is not null)
            type = JsonNodes.Object(
                ("kind", "bounded"),
                ("base", type),
                ("lower-bound", variable.LowerBound),
                ("upper-bound", variable.UpperBound)
            );
        return variable.Length > 0 ? JsonNodes.Object(("kind", "array"), ("base", type)) : type;
    }

    private static JsonObject Automaton(AutomataNetwork network, StochasticTimedAutomaton automaton)
    {
        var expressions = Expressions(network.Variables.Concat(automaton.Variables));
        return JsonNodes.Object(
            ("name", automaton.Name),
            ("variables", JsonNodes.List(automaton.Variables.Select(Variable))),
            (
                "locations",
                JsonNodes.List(
                    automaton.Locations.Select(location =>
                        JsonNodes.Object(
                            ("name", location.Name),
                            ("time-progress", expressions.Condition(location.Invariant))
                        )
                    )
                )
            ),
            ("initial-locations", JsonNodes.List([automaton.InitialLocation])),
            ("edges", JsonNodes.List(automaton.Edges.Select(edge => Node(edge, expressions))))
        );
    }

    private static JsonObject Node(Edge edge, JaniExpressionWriter expressions) =>
        JsonNodes.Object(
            ("location", edge.Source),
            ("action", edge.Action),
            ("guard", expressions.Condition(edge.Guard)),
            (
                "destinations",
                JsonNodes.List(
                    edge.Destinations.Select(destination =>
                        JsonNodes.Object(
                            ("location", destination.Location),
                            ("probability", Probability(edge, destination, expressions)),
                            (
                                "assignments",
                                destination.Assignments.Count > 0
                                    ? JsonNodes.List(destination.Assignments.Select(expressions.Assigned))
                                    : null
                            )
                        )
                    )
                )
            )
        );

    // A single destination needs no probability.
    private static JsonObject? Probability(Edge edge, Destination destination, JaniExpressionWriter expressions)
    {
        if (edge.Destinations.Count == 1)
            return null;
        var total = edge.Destinations.Select(other => other.Weight).Aggregate((sum, weight) => sum + weight);
        var share =
            NetworkCompiler.ConstantOf(total) is not { } constant ? destination.Weight / total
            : constant == 1 ? NetworkCompiler.ConstantOf(destination.Weight)!.Value
            : NetworkCompiler.ConstantOf(destination.Weight)!.Value / constant;
        return JsonNodes.Object(("exp", expressions.Node(share, false)));
    }

    private static JsonObject Composition(AutomataNetwork network) =>
        JsonNodes.Object(
            (
                "elements",
                JsonNodes.List(network.Automata.Select(automaton => JsonNodes.Object(("automaton", automaton.Name))))
            ),
            (
                "syncs",
                JsonNodes.List(
                    network.Synchronisations.Select(synchronisation =>
                        JsonNodes.Object(
                            (
                                "synchronise",
                                JsonNodes.List(
                                    network.Automata.Select(automaton => (JsonNode?)Action(synchronisation, automaton))
                                )
                            ),
                            ("result", synchronisation.Result)
                        )
                    )
                )
            )
        );

    private static string? Action(Synchronisation synchronisation, StochasticTimedAutomaton automaton) =>
        synchronisation.Participants.FirstOrDefault(part => part.Automaton == automaton.Name)?.Action;
}
