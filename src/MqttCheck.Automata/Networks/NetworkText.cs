using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace MqttCheck.Automata.Networks;

/// <summary>Parts of a network as text.</summary>
internal static class NetworkText
{
    private static readonly Dictionary<VariableType, string> s_types = new()
    {
        [VariableType.Boolean] = "bool",
        [VariableType.Integer] = "int",
        [VariableType.Real] = "real",
        [VariableType.Clock] = "clock",
    };

    /// <summary>A type of variables, as JANI names it too.</summary>
    public static string Name(VariableType type) => s_types[type];

    /// <summary>The type of a name; null if no type has it.</summary>
    public static VariableType? TypeNamed(string name) =>
        s_types.Where(type => type.Value == name).Select(type => (VariableType?)type.Key).FirstOrDefault();

    public static string Line(VariableDeclaration variable)
    {
        var text = $"{Name(variable.Type)} {variable.Name}";
        if (variable.Length > 0)
            text += string.Create(CultureInfo.InvariantCulture, $"[{variable.Length}]");
        if (variable.LowerBound is not null || variable.UpperBound is not null)
            text += string.Create(CultureInfo.InvariantCulture, $" in {variable.LowerBound} .. {variable.UpperBound}");
        return variable.InitialValue == 0
            ? text
            : text + string.Create(CultureInfo.InvariantCulture, $" = {variable.InitialValue}");
    }

    public static string Lines(Edge edge, string indent)
    {
        var text = new StringBuilder().Append(indent).Append("edge ").Append(edge.Source);
        if (edge.Action is not null)
            text.Append(" on ").Append(edge.Action);
        if (edge.Guard is not null)
            text.Append(" when ").Append(edge.Guard);
        text.AppendLine();
        foreach (var destination in edge.Destinations)
        {
            text.Append(indent).Append("  -> ").Append(destination.Location);
            if (edge.Destinations.Count > 1)
                text.Append(" weight ").Append(destination.Weight);
            if (destination.Assignments.Count > 0)
                text.Append(" { ").Append(Text(destination.Assignments)).Append(" }");
            text.AppendLine();
        }
        return text.ToString();
    }

    /// <summary>
    /// Assignments in their order: groups are separated by semicolons, the assignments of a group by commas.
    /// </summary>
    public static string Text(IEnumerable<Assignment> assignments) =>
        string.Join(
            "; ",
            assignments
                .GroupBy(assignment => assignment.Order)
                .OrderBy(group => group.Key)
                .Select(group => string.Join(", ", group.Select(Text)))
        );

    private static string Text(Assignment assignment) =>
        assignment.Element is null
            ? $"{assignment.Variable} = {assignment.Value}"
            : $"{assignment.Variable}[{assignment.Element}] = {assignment.Value}";
}
