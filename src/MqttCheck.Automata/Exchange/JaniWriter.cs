using System.Text.Json;
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
public static class JaniWriter
{
    /// <summary>The text of a model file.</summary>
    /// <param name="model">The network and its properties.</param>
    /// <exception cref="InputException">The network has something that JANI has not: one finding per line.</exception>
    public static byte[] ToBytes(NetworkModel model)
    {
        var (network, _) = LawLowering.Lower(model.Network);
        Check(network, model.Properties);
        return JsonText.Of(writer => new Document(writer, network).Write(model.Properties));
    }

    private static void Check(AutomataNetwork network, IEnumerable<NetworkProperty> properties)
    {
        // What is wrong in itself is said first.
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

    private sealed class Document(Utf8JsonWriter writer, AutomataNetwork network)
    {
        public void Write(IEnumerable<NetworkProperty> properties)
        {
            writer.WriteStartObject();
            writer.WriteNumber("jani-version", 1);
            writer.WriteString("name", network.Name);
            writer.WriteString("type", "sta");
            writer.WriteStartArray("features");
            writer.WriteStringValue("derived-operators");
            if (
                network
                    .Variables.Concat(network.Automata.SelectMany(automaton => automaton.Variables))
                    .Any(variable => variable.Length > 0)
            )
                writer.WriteStringValue("arrays");
            writer.WriteEndArray();
            WriteActions();
            Write("variables", network.Variables);
            writer.WriteStartArray("properties");
            var expressions = Expressions([]);
            foreach (var property in properties)
                JaniPropertyWriter.Write(writer, expressions, property);
            writer.WriteEndArray();
            writer.WriteStartArray("automata");
            foreach (var automaton in network.Automata)
                Write(automaton);
            writer.WriteEndArray();
            WriteSystem();
            writer.WriteEndObject();
        }

        private JaniExpressionWriter Expressions(IEnumerable<VariableDeclaration> own)
        {
            var booleans = network
                .Variables.Concat(own)
                .Where(variable => variable.Type == VariableType.Boolean)
                .Select(variable => variable.Name)
                .ToHashSet(StringComparer.Ordinal);
            return new(writer, booleans.Contains);
        }

        private void WriteActions()
        {
            var actions = network
                .Automata.SelectMany(automaton => automaton.Edges)
                .Select(edge => edge.Action)
                .Concat(network.Synchronisations.Select(synchronisation => synchronisation.Result))
                .OfType<string>()
                .Distinct();
            writer.WriteStartArray("actions");
            foreach (var action in actions)
            {
                writer.WriteStartObject();
                writer.WriteString("name", action);
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
        }

        private void Write(string key, IEnumerable<VariableDeclaration> variables)
        {
            writer.WriteStartArray(key);
            foreach (var variable in variables)
            {
                writer.WriteStartObject();
                writer.WriteString("name", variable.Name);
                writer.WritePropertyName("type");
                WriteType(variable);
                writer.WritePropertyName("initial-value");
                if (variable.Length > 0)
                {
                    writer.WriteStartObject();
                    writer.WriteString("op", "ac");
                    writer.WriteString("var", "index");
                    writer.WriteNumber("length", variable.Length);
                    writer.WritePropertyName("exp");
                }
                new JaniExpressionWriter(writer, _ => false).Write(
                    variable.InitialValue,
                    variable.Type == VariableType.Boolean
                );
                if (variable.Length > 0)
                    writer.WriteEndObject();
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
        }

        private void WriteType(VariableDeclaration variable)
        {
            if (variable.Length > 0)
            {
                writer.WriteStartObject();
                writer.WriteString("kind", "array");
                writer.WritePropertyName("base");
            }
            var name = variable.Type switch
            {
                VariableType.Boolean => "bool",
                VariableType.Integer => "int",
                VariableType.Real => "real",
                _ => "clock",
            };
            if (variable.LowerBound is null && variable.UpperBound is null)
            {
                writer.WriteStringValue(name);
            }
            else
            {
                writer.WriteStartObject();
                writer.WriteString("kind", "bounded");
                writer.WriteString("base", name);
                if (variable.LowerBound is { } lower)
                    writer.WriteNumber("lower-bound", lower);
                if (variable.UpperBound is { } upper)
                    writer.WriteNumber("upper-bound", upper);
                writer.WriteEndObject();
            }
            if (variable.Length > 0)
                writer.WriteEndObject();
        }

        private void Write(StochasticTimedAutomaton automaton)
        {
            var expressions = Expressions(automaton.Variables);
            var booleans = network
                .Variables.Concat(automaton.Variables)
                .Where(variable => variable.Type == VariableType.Boolean)
                .Select(variable => variable.Name)
                .ToHashSet(StringComparer.Ordinal);
            writer.WriteStartObject();
            writer.WriteString("name", automaton.Name);
            Write("variables", automaton.Variables);
            writer.WriteStartArray("locations");
            foreach (var location in automaton.Locations)
            {
                writer.WriteStartObject();
                writer.WriteString("name", location.Name);
                if (location.Invariant is not null)
                    WriteCondition(expressions, "time-progress", location.Invariant);
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
            writer.WriteStartArray("initial-locations");
            writer.WriteStringValue(automaton.InitialLocation);
            writer.WriteEndArray();
            writer.WriteStartArray("edges");
            foreach (var edge in automaton.Edges)
                WriteEdge(edge, expressions, booleans);
            writer.WriteEndArray();
            writer.WriteEndObject();
        }

        private void WriteEdge(Edge edge, JaniExpressionWriter expressions, HashSet<string> booleans)
        {
            writer.WriteStartObject();
            writer.WriteString("location", edge.Source);
            if (edge.Action is not null)
                writer.WriteString("action", edge.Action);
            if (edge.Guard is not null)
                WriteCondition(expressions, "guard", edge.Guard);
            writer.WriteStartArray("destinations");
            foreach (var destination in edge.Destinations)
                WriteDestination(edge, destination, expressions, booleans);
            writer.WriteEndArray();
            writer.WriteEndObject();
        }

        private void WriteCondition(JaniExpressionWriter expressions, string key, Expression condition)
        {
            writer.WriteStartObject(key);
            writer.WritePropertyName("exp");
            expressions.Write(condition, true);
            writer.WriteEndObject();
        }

        private void WriteDestination(
            Edge edge,
            Destination destination,
            JaniExpressionWriter expressions,
            HashSet<string> booleans
        )
        {
            writer.WriteStartObject();
            writer.WriteString("location", destination.Location);
            if (edge.Destinations.Count > 1)
            {
                writer.WriteStartObject("probability");
                writer.WritePropertyName("exp");
                expressions.Write(Probability(edge, destination), false);
                writer.WriteEndObject();
            }
            if (destination.Assignments.Count > 0)
            {
                writer.WriteStartArray("assignments");
                foreach (var assignment in destination.Assignments)
                    WriteAssignment(assignment, expressions, booleans);
                writer.WriteEndArray();
            }
            writer.WriteEndObject();
        }

        private void WriteAssignment(Assignment assignment, JaniExpressionWriter expressions, HashSet<string> booleans)
        {
            writer.WriteStartObject();
            writer.WritePropertyName("ref");
            if (assignment.Element is null)
                writer.WriteStringValue(assignment.Variable);
            else
                expressions.WriteElement(assignment.Variable, assignment.Element);
            writer.WritePropertyName("value");
            expressions.Write(assignment.Value, booleans.Contains(assignment.Variable));
            if (assignment.Order != 0)
                writer.WriteNumber("index", assignment.Order);
            writer.WriteEndObject();
        }

        private static Expression Probability(Edge edge, Destination destination)
        {
            var total = edge.Destinations.Select(other => other.Weight).Aggregate((sum, weight) => sum + weight);
            return NetworkCompiler.ConstantOf(total) is not { } constant ? destination.Weight / total
                : constant == 1 ? NetworkCompiler.ConstantOf(destination.Weight)!.Value
                : NetworkCompiler.ConstantOf(destination.Weight)!.Value / constant;
        }

        private void WriteSystem()
        {
            writer.WriteStartObject("system");
            writer.WriteStartArray("elements");
            foreach (var automaton in network.Automata)
            {
                writer.WriteStartObject();
                writer.WriteString("automaton", automaton.Name);
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
            writer.WriteStartArray("syncs");
            foreach (var synchronisation in network.Synchronisations)
            {
                writer.WriteStartObject();
                writer.WriteStartArray("synchronise");
                foreach (var automaton in network.Automata)
                {
                    var part = synchronisation.Participants.FirstOrDefault(part => part.Automaton == automaton.Name);
                    if (part is null)
                        writer.WriteNullValue();
                    else
                        writer.WriteStringValue(part.Action);
                }
                writer.WriteEndArray();
                if (synchronisation.Result is not null)
                    writer.WriteString("result", synchronisation.Result);
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
            writer.WriteEndObject();
        }
    }
}
