using System.Text.Json;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>Reads an automaton of a JANI model.</summary>
internal static class JaniAutomatonReader
{
    public static StochasticTimedAutomaton Read(JsonTree tree, JaniExpressionReader expressions)
    {
        var findings = expressions.Findings;
        var reader = JaniReader.Open(tree, findings, "comment");
        var name = reader.Text("name", null);
        var variables = JaniVariableReader.Read(JaniReader.Items(reader, "variables"), expressions);
        JaniReader.RefuseRestriction(reader, findings);
        var locations = reader
            .Array("locations", "an array of locations")
            .Select(location => ReadLocation(location, expressions))
            .ToList();
        var initial = reader.Array("initial-locations", "an array with one location");
        if (initial.Count != 1)
            findings.Add(tree, $"the automaton {name} has {initial.Count} initial locations; allowed: one");
        var edges = reader.Array("edges", "an array of edges").Select(edge => ReadEdge(edge, expressions)).ToList();
        reader.End();
        return new()
        {
            Name = name,
            Variables = [.. variables],
            Locations = [.. locations],
            InitialLocation = initial.Count > 0 ? initial[0].Text : "",
            Edges = [.. edges],
        };
    }

    private static Location ReadLocation(JsonTree tree, JaniExpressionReader expressions)
    {
        var reader = JaniReader.Open(tree, expressions.Findings, "comment");
        var name = reader.Text("name", null);
        var invariant = ReadCondition(reader, "time-progress", expressions);
        if (reader.Optional("transient-values") is { Items.Count: > 0 } transient)
            expressions.Findings.Add(transient, "transient values are not supported; allowed: none");
        reader.End();
        return new(name, invariant);
    }

    private static Expression? ReadCondition(JsonObjectReader outer, string key, JaniExpressionReader expressions)
    {
        if (outer.Optional(key) is not { } tree)
            return null;
        var reader = JaniReader.Open(tree, expressions.Findings, "comment");
        var expression = expressions.Member(reader, "exp");
        reader.End();
        return expression;
    }

    private static Edge ReadEdge(JsonTree tree, JaniExpressionReader expressions)
    {
        var findings = expressions.Findings;
        var reader = JaniReader.Open(tree, findings, "comment");
        var source = reader.Text("location", null);
        var action = reader.Optional("action");
        if (reader.Optional("rate") is { } rate)
            findings.Add(rate, "a rate is not allowed in the model type sta; allowed: draws from Exponential");
        var guard = ReadCondition(reader, "guard", expressions);
        var destinations = reader.Array("destinations", "an array of destinations");
        reader.End();
        var read = destinations.Select(destination => ReadDestination(destination, expressions)).ToList();
        var weights = read.Select(destination => NetworkCompiler.ConstantOf(destination.Weight)).ToList();
        if (
            weights.TrueForAll(weight => weight is not null)
            && Math.Abs(weights.Sum(weight => weight!.Value) - 1) > 1e-9
        )
            findings.Add(
                tree,
                FormattableString.Invariant(
                    $"the probabilities add up to {weights.Sum(weight => weight!.Value)}; allowed: 1"
                )
            );
        return new(source, [.. read])
        {
            Action = action?.Type == JsonTokenType.String ? action.Text : null,
            Guard = guard,
        };
    }

    private static Destination ReadDestination(JsonTree tree, JaniExpressionReader expressions)
    {
        var reader = JaniReader.Open(tree, expressions.Findings, "comment");
        var location = reader.Text("location", null);
        var probability = ReadCondition(reader, "probability", expressions) ?? 1;
        var assignments = JaniReader
            .Items(reader, "assignments")
            .Select(assignment => ReadAssignment(assignment, expressions))
            .ToList();
        reader.End();
        return new(location, probability, [.. assignments]);
    }

    private static Assignment ReadAssignment(JsonTree tree, JaniExpressionReader expressions)
    {
        var reader = JaniReader.Open(tree, expressions.Findings, "comment");
        var target = reader.Required("ref", "a variable or an element of an array");
        var value = reader.Required("value", "an expression");
        var order = reader.Integer("index", int.MinValue, int.MaxValue, 0);
        reader.End();
        var (name, element) =
            target?.Type == JsonTokenType.StartObject ? expressions.ReadElement(target) : (target?.Text ?? "", null);
        return new(name, value is null ? 0 : expressions.Read(value)) { Element = element, Order = order };
    }
}
