using System.Globalization;
using System.Text;
using System.Xml;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>The parts of an UPPAAL SMC model.</summary>
internal sealed class UppaalDocument(XmlWriter writer, AutomataNetwork network)
{
    public void Write(IEnumerable<NetworkProperty> properties)
    {
        writer.WriteStartElement("nta");
        writer.WriteElementString("declaration", Declarations(network.Variables));
        // Automata that differ in their names only share a template.
        var templates = new List<(StochasticTimedAutomaton Body, string Name)>();
        var processes = new List<(string Process, string Template)>();
        foreach (var automaton in network.Automata)
        {
            var body = automaton with { Name = "" };
            var name = templates.Find(template => template.Body == body).Name;
            if (name is null)
                templates.Add((body, name = "T" + UppaalWriter.Identifier(automaton.Name)));
            processes.Add((UppaalWriter.Identifier(automaton.Name), name));
        }
        foreach (var (body, name) in templates)
            WriteTemplate(body, name);
        var system = new StringBuilder();
        foreach (var (process, template) in processes)
            system.Append(process).Append(" = ").Append(template).Append("();\n");
        system.Append("system ").AppendJoin(", ", processes.Select(pair => pair.Process)).Append(';');
        writer.WriteElementString("system", system.ToString());
        writer.WriteStartElement("queries");
        foreach (var property in properties)
            WriteQuery(property);
        writer.WriteEndElement();
        writer.WriteEndElement();
    }

    private static string Declarations(IEnumerable<VariableDeclaration> variables)
    {
        var text = new StringBuilder();
        foreach (var variable in variables)
        {
            var type = variable.Type switch
            {
                VariableType.Clock => "clock",
                VariableType.Boolean => "bool",
                VariableType.Integer => string.Create(
                    CultureInfo.InvariantCulture,
                    $"int[{variable.LowerBound ?? -int.MaxValue},{variable.UpperBound ?? int.MaxValue}]"
                ),
                _ => "double",
            };
            text.Append(type).Append(' ').Append(UppaalWriter.Identifier(variable.Name));
            if (variable.Length > 0)
                text.Append(CultureInfo.InvariantCulture, $"[{variable.Length}]");
            var initial =
                variable.Type == VariableType.Boolean
                    ? (variable.InitialValue != 0 ? "true" : "false")
                    : UppaalWriter.Number(variable.InitialValue);
            if (variable.InitialValue != 0)
                text.Append(" = ")
                    .Append(
                        variable.Length > 0
                            ? "{ " + string.Join(", ", Enumerable.Repeat(initial, variable.Length)) + " }"
                            : initial
                    );
            text.Append(";\n");
        }
        return text.ToString();
    }

    private void WriteTemplate(StochasticTimedAutomaton automaton, string name)
    {
        var declarations = automaton
            .Variables.Concat(network.Variables)
            .DistinctBy(variable => variable.Name)
            .ToDictionary(variable => variable.Name, StringComparer.Ordinal);
        writer.WriteStartElement("template");
        writer.WriteElementString("name", name);
        writer.WriteElementString("declaration", Declarations(automaton.Variables));
        WriteLocations(automaton, name, declarations);
        var branching = Enumerable
            .Range(0, automaton.Edges.Count)
            .Where(edge => automaton.Edges[edge].Destinations.Count > 1)
            .ToList();
        foreach (var edge in branching)
        {
            writer.WriteStartElement("branchpoint");
            writer.WriteAttributeString("id", Id("b", edge));
            writer.WriteEndElement();
        }
        string Location(string location) =>
            Id("l", automaton.Locations.ToList().FindIndex(other => other.Name == location));
        writer.WriteStartElement("init");
        writer.WriteAttributeString("ref", Location(automaton.InitialLocation));
        writer.WriteEndElement();
        for (var i = 0; i < automaton.Edges.Count; i++)
        {
            var edge = automaton.Edges[i];
            var where = string.Create(CultureInfo.InvariantCulture, $"edge {i} from {edge.Source}");
            var expressions = Expressions(declarations, name, where);
            RefuseSynchronisation(edge, name, where);
            var guard = edge.Guard is null ? null : expressions.Text(edge.Guard);
            if (!branching.Contains(i))
            {
                WriteTransition(
                    Location(edge.Source),
                    Location(edge.Destinations[0].Location),
                    guard,
                    null,
                    Assignments(edge.Destinations[0], declarations, expressions, $"template {name}, {where}")
                );
                continue;
            }
            WriteTransition(Location(edge.Source), Id("b", i), guard, null, "");
            var weights = Weights(edge, expressions);
            for (var k = 0; k < weights.Count; k++)
            {
                var destination = edge.Destinations[k];
                WriteTransition(
                    Id("b", i),
                    Location(destination.Location),
                    null,
                    weights[k],
                    Assignments(destination, declarations, expressions, $"template {name}, {where}")
                );
            }
        }
        writer.WriteEndElement();
    }

    private void WriteLocations(
        StochasticTimedAutomaton automaton,
        string name,
        Dictionary<string, VariableDeclaration> declarations
    )
    {
        for (var i = 0; i < automaton.Locations.Count; i++)
        {
            var location = automaton.Locations[i];
            writer.WriteStartElement("location");
            writer.WriteAttributeString("id", Id("l", i));
            writer.WriteElementString("name", UppaalWriter.Identifier(location.Name));
            if (location.Invariant is null)
                WriteLabel("exponentialrate", "1");
            else
                WriteLabel(
                    "invariant",
                    Invariant(location, declarations, Expressions(declarations, name, $"location {location.Name}"))
                );
            writer.WriteEndElement();
        }
    }

    private static UppaalExpressions Expressions(
        Dictionary<string, VariableDeclaration> declarations,
        string name,
        string where
    ) => new(declarations, UppaalWriter.Identifier, $"template {name}, {where}");

    private static string Id(string kind, int number) => string.Create(CultureInfo.InvariantCulture, $"{kind}{number}");

    // UPPAAL blocks a step that would make an invariant false, where this library lets it happen and leaves the
    // location at once.
    private static string Invariant(
        Location location,
        Dictionary<string, VariableDeclaration> declarations,
        UppaalExpressions expressions
    )
    {
        foreach (var term in ExpressionText.Conjuncts(location.Invariant!))
        {
            if (
                !ExpressionText
                    .Names(term)
                    .Any(variable => declarations.GetValueOrDefault(variable)?.Type == VariableType.Clock)
            )
                throw new InputException(
                    $"location {location.Name}: the invariant {term} "
                        + "bounds no clock; allowed for UPPAAL: bounds of clocks"
                );
        }
        return expressions.Text(location.Invariant!);
    }

    // An action that synchronises with nobody is a step of its own; in UPPAAL SMC all channels are broadcast channels,
    // on which nobody waits for the others.
    private void RefuseSynchronisation(Edge edge, string template, string where)
    {
        if (edge.Action is null)
            return;
        foreach (
            var synchronisation in network.Synchronisations.Where(synchronisation =>
                synchronisation.Participants.Any(part => part.Action == edge.Action)
            )
        )
        {
            if (synchronisation.Participants.Count > 1)
            {
                throw new InputException(
                    $"template {template}, {where}: the synchronisation {synchronisation.Result} "
                        + $"of {synchronisation.Participants.Count} automata waits for all of them; "
                        + "allowed for UPPAAL SMC: shared variables, or a synchronisation of one"
                );
            }
        }
        if (
            !network.Synchronisations.Any(synchronisation =>
                synchronisation.Participants.Any(part => part.Action == edge.Action)
            )
        )
            throw new InputException(
                $"template {template}, {where}: no synchronisation has the action {edge.Action}, "
                    + "so the edge is never taken; allowed for UPPAAL: an edge that can be taken"
            );
    }

    private static string Assignments(
        Destination destination,
        Dictionary<string, VariableDeclaration> declarations,
        UppaalExpressions expressions,
        string where
    )
    {
        Assignment[] ordered = [.. destination.Assignments.OrderBy(assignment => assignment.Order)];
        if (!NetworkCompiler.OneByOne(ordered))
            throw new InputException(
                $"{where}: assignments of a group read what others of it assign; allowed for "
                    + "UPPAAL, which assigns one after the other: an order in which they do not"
            );
        return string.Join(
            ", ",
            ordered.Select(assignment =>
            {
                var target =
                    UppaalWriter.Identifier(assignment.Variable)
                    + (assignment.Element is null ? "" : $"[{expressions.Text(assignment.Element)}]");
                return $"{target} = {expressions.Assigned(assignment.Value, declarations[assignment.Variable])}";
            })
        );
    }

    // Constant weights become integers where a power of ten makes them so, because older versions know no others.
    private static List<string> Weights(Edge edge, UppaalExpressions expressions)
    {
        var constants = edge
            .Destinations.Select(destination => NetworkCompiler.ConstantOf(destination.Weight))
            .ToList();
        for (var scale = 1.0; scale <= 1e6 && constants.TrueForAll(weight => weight is not null); scale *= 10)
        {
            var scaled = constants.ConvertAll(weight => Math.Round(weight!.Value * scale));
            if (scaled.Zip(constants).All(pair => Math.Abs(pair.First - pair.Second!.Value * scale) < 1e-9 * scale))
                return scaled.ConvertAll(UppaalWriter.Number);
        }
        return [.. edge.Destinations.Select(destination => expressions.Text(destination.Weight))];
    }

    private void WriteTransition(string source, string target, string? guard, string? weight, string assignments)
    {
        writer.WriteStartElement("transition");
        writer.WriteStartElement("source");
        writer.WriteAttributeString("ref", source);
        writer.WriteEndElement();
        writer.WriteStartElement("target");
        writer.WriteAttributeString("ref", target);
        writer.WriteEndElement();
        if (guard is not null)
            WriteLabel("guard", guard);
        if (assignments.Length > 0)
            WriteLabel("assignment", assignments);
        if (weight is not null)
            WriteLabel("probability", weight);
        writer.WriteEndElement();
    }

    private void WriteLabel(string kind, string text)
    {
        writer.WriteStartElement("label");
        writer.WriteAttributeString("kind", kind);
        writer.WriteString(text);
        writer.WriteEndElement();
    }

    // Queries need a bound on time.
    private void WriteQuery(NetworkProperty property)
    {
        var declarations = network.Variables.ToDictionary(variable => variable.Name, StringComparer.Ordinal);
        var expressions = new UppaalExpressions(declarations, UppaalWriter.Identifier, $"property {property.Name}");
        var formula = property switch
        {
            NetworkProperty.Probability
            {
                Formula: PathFormula.Eventually { Bound: { Lower: 0, LowerOpen: false } bound } eventually
            } when double.IsFinite(bound.Upper) =>
                $"Pr[<={UppaalWriter.Number(bound.Upper)}](<> {expressions.Text(eventually.Goal)})",
            NetworkProperty.Probability
            {
                Formula: PathFormula.Always { Bound: { Lower: 0, LowerOpen: false } bound } always
            } when double.IsFinite(bound.Upper) =>
                $"Pr[<={UppaalWriter.Number(bound.Upper)}]([] {expressions.Text(always.Condition)})",
            _ => null,
        };
        if (formula is null)
        {
            throw new InputException(
                $"property {property.Name}: {property} cannot be written "
                    + "for UPPAAL SMC; allowed: F or G up to a time bound"
            );
        }
        writer.WriteStartElement("query");
        writer.WriteElementString("formula", formula);
        writer.WriteElementString("comment", property.Name);
        writer.WriteEndElement();
    }
}
