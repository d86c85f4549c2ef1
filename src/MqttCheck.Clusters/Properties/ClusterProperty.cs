using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Properties;
using MqttCheck.Properties.Language;

namespace MqttCheck.Clusters.Properties;

/// <summary>
/// A property of the runs of a cluster: <c>P[ repair &lt; 5s ]</c>, <c>P&gt;=0.99[ lost = 0 &amp; duplicates = 0 ]</c>,
/// <c>P&lt;=0.05[ ... ]</c>, <c>Q0.95[ delivery ]</c>, <c>E[ link messages per publication ]</c>,
/// <c>D[ blackout ]</c>. The run is the sampling unit.
/// </summary>
internal sealed record ClusterProperty
{
    private ClusterProperty(PropertyKind kind) => Kind = kind;

    /// <summary>The kind of question or statement.</summary>
    public PropertyKind Kind { get; }

    /// <summary>The probability that is compared with, or the share of a quantile; otherwise 0.</summary>
    public double Level { get; private init; }

    /// <summary>The formula that must hold in a run; null for a property of a measure.</summary>
    public OutcomeFormula? Formula { get; private init; }

    /// <summary>The measure that the property asks about; null for a property of a formula.</summary>
    public ClusterMeasure? Measure { get; private init; }

    /// <summary>Whether it is a statement that holds or does not.</summary>
    public bool IsDecision => Kind is PropertyKind.AtLeast or PropertyKind.AtMost;

    /// <summary>Whether it asks for a mean.</summary>
    public bool IsOfMean => Kind == PropertyKind.Expectation;

    /// <summary>The measures that it reads.</summary>
    public IEnumerable<ClusterMeasure> Measures => Formula?.Measures ?? (Measure is { } one ? [one] : []);

    /// <summary>Reads a property.</summary>
    /// <param name="text">The text.</param>
    /// <param name="source">The origin of the text, for messages.</param>
    /// <exception cref="InputException">No property; the message names the column and what is allowed.</exception>
    public static ClusterProperty Parse(string text, string source) =>
        new ClusterPropertyParser(text, source).Property();

    /// <summary>Reads the properties of a scenario.</summary>
    /// <param name="properties">The properties as they were written.</param>
    /// <exception cref="InputException">Some are no properties: every finding, a line each.</exception>
    public static IReadOnlyList<ClusterProperty> Parse(IEnumerable<ScenarioProperty> properties)
    {
        var (parsed, findings) = (new List<ClusterProperty>(), new List<string>());
        foreach (var (text, source) in properties)
        {
            try
            {
                parsed.Add(Parse(text, source));
            }
            catch (InputException wrong)
            {
                findings.Add(wrong.Message);
            }
        }
        InputException.ThrowIfAny(findings);
        return parsed;
    }

    /// <inheritdoc/>
    public override string ToString()
    {
        var level = Level.ToString(CultureInfo.InvariantCulture);
        var inner = Formula?.ToString() ?? Measure.ToString();
        return Kind switch
        {
            PropertyKind.Probability => $"P[ {inner} ]",
            PropertyKind.AtLeast => $"P>={level}[ {inner} ]",
            PropertyKind.AtMost => $"P<={level}[ {inner} ]",
            PropertyKind.Expectation => $"E[ {inner} ]",
            PropertyKind.Quantile => $"Q{level}[ {inner} ]",
            PropertyKind.Distribution => $"D[ {inner} ]",
            _ => throw new UnreachableException(),
        };
    }

    internal static ClusterProperty OfFormula(PropertyKind kind, double level, OutcomeFormula formula) =>
        new(kind) { Level = level, Formula = formula };

    internal static ClusterProperty OfMeasure(PropertyKind kind, double level, ClusterMeasure measure) =>
        new(kind) { Level = level, Measure = measure };
}
