using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Xml.Linq;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>The parts of an UPPAAL SMC model.</summary>
internal sealed class UppaalDocument(AutomataNetwork network)
{
    public XElement Root(IEnumerable<NetworkProperty> properties)
    {
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
        var system = new StringBuilder();
        foreach (var (process, template) in processes)
            system.Append(process).Append(" = ").Append(template).Append("();\n");
        system.Append("system ").AppendJoin(", ", processes.Select(pair => pair.Process)).Append(';');
        return new(
            "nta",
            Text("declaration", Declarations(network.Variables)),
            templates.ConvertAll(template => Template(template.Body, template.Name)),
            Text("system", system.ToString()),
            new XElement("queries", properties.Select(Query))
        );
    }

    // An empty text would be written as an element with two tags.
    private static XElement Text(string name, string text) => new(name, text.Length > 0 ? text : null);

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
                VariableType.Real => "double",
                _ => throw new UnreachableException(),
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

    private XElement Template(StochasticTimedAutomaton automaton, string name)
    {
        var declarations = automaton
            .Variables.Concat(network.Variables)
            .DistinctBy(variable => variable.Name)
            .ToDictionary(variable => variable.Name, StringComparer.Ordinal);
        var locations = automaton.Locations.Select(location => location.Name).ToList();
        string Location(string location) => Id("l", locations.IndexOf(location));
        return new(
            "template",
            Text("name", name),
            Text("declaration", Declarations(automaton.Variables)),
            automaton.Locations.Select((location, number) => Node(location, number, name, declarations)).ToList(),
            Enumerable
                .Range(0, automaton.Edges.Count)
                .Where(edge => automaton.Edges[edge].Destinations.Count > 1)
                .Select(edge => new XElement("branchpoint", new XAttribute("id", Id("b", edge)))),
            new XElement("init", new XAttribute("ref", Location(automaton.InitialLocation))),
            automaton.Edges.Select((edge, number) => Transitions(edge, number, name, declarations, Location))
        );
    }

    private static XElement Node(
        Location location,
        int number,
        string template,
        Dictionary<string, VariableDeclaration> declarations
    ) =>
        new(
            "location",
            new XAttribute("id", Id("l", number)),
            Text("name", UppaalWriter.Identifier(location.Name)),
            location.Invariant is null
                ? Label("exponentialrate", "1")
                : Label(
                    "invariant",
                    Invariant(location, declarations, Expressions(declarations, template, $"location {location.Name}"))
                )
        );

    private List<XElement> Transitions(
        Edge edge,
        int number,
        string template,
        Dictionary<string, VariableDeclaration> declarations,
        Func<string, string> location
    )
    {
        var where = string.Create(CultureInfo.InvariantCulture, $"edge {number} from {edge.Source}");
        var expressions = Expressions(declarations, template, where);
        RefuseSynchronisation(edge, template, where);
        var guard = edge.Guard is null ? null : expressions.Text(edge.Guard);
        string Assigned(Destination destination) =>
            Assignments(destination, declarations, expressions, $"template {template}, {where}");
        if (edge.Destinations is [var only])
            return [Transition(location(edge.Source), location(only.Location), guard, null, Assigned(only))];
        var branch = Id("b", number);
        return
        [
            Transition(location(edge.Source), branch, guard, null, ""),
            .. edge.Destinations.Zip(
                Weights(edge, expressions),
                (destination, weight) =>
                    Transition(branch, location(destination.Location), null, weight, Assigned(destination))
            ),
        ];
    }

    private static UppaalExpressions Expressions(
        Dictionary<string, VariableDeclaration> declarations,
        string name,
        string where
    ) => new(declarations, $"template {name}, {where}");

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

    private static XElement Transition(
        string source,
        string target,
        string? guard,
        string? weight,
        string assignments
    ) =>
        new(
            "transition",
            new XElement("source", new XAttribute("ref", source)),
            new XElement("target", new XAttribute("ref", target)),
            Label("guard", guard),
            Label("assignment", assignments),
            Label("probability", weight)
        );

    private static XElement? Label(string kind, string? text) =>
        string.IsNullOrEmpty(text) ? null : new("label", new XAttribute("kind", kind), text);

    // Queries need a bound on time.
    private XElement Query(NetworkProperty property)
    {
        var declarations = network.Variables.ToDictionary(variable => variable.Name, StringComparer.Ordinal);
        var expressions = new UppaalExpressions(declarations, $"property {property.Name}");
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
            _ => throw new InputException(
                $"property {property.Name}: {property} cannot be written "
                    + "for UPPAAL SMC; allowed: F or G up to a time bound"
            ),
        };
        return new("query", Text("formula", formula), Text("comment", property.Name));
    }
}
