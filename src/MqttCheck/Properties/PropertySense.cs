using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties;

/// <summary>
/// Whether a property can say anything about the traces of a population: decided before anything is simulated or
/// measured.
/// </summary>
internal static class PropertySense
{
    /// <summary>
    /// Refuses a property that says nothing about any trace, because no message has what it asks for.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="population">Whose traces; null where that is not known, as for those of a log.</param>
    /// <exception cref="InputException">It says nothing; the message tells why, and what is allowed.</exception>
    public static void RequireSense(TraceProperty property, Population? population = null)
    {
        if (
            property.Measure is { Kind: { } kind, Quantity: TraceQuantity.Latency or TraceQuantity.Acknowledgement }
            && !All(population).Contains(kind)
        )
            throw new InputException(
                $"property '{property}' says nothing: profile {population!.Name} "
                    + $"sends no {kind.Name()}; allowed: {Names(population)}."
            );
        if (property.Formula is not { } formula)
            return;
        Formula[] asked = [.. FormulaParts.Atoms(formula).Where(atom => atom is not ConstantFormula)];
        ComparisonFormula[] mute = [.. Reach(population).NeverJudged(formula)];
        if (asked.Length == 0 || mute.Length < asked.Length)
            return;
        throw new InputException(
            $"property '{property}' says nothing about any trace: "
                + $"{Why(mute[0], population)}; allowed: {Remedy(formula, mute[0], population)}."
        );
    }

    /// <summary>
    /// Refuses a property that no trace can violate, or none can fulfil, as a gate: a test of it would have only one
    /// result.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="population">Whose traces.</param>
    /// <exception cref="InputException">It says nothing, always holds or never holds.</exception>
    public static void RequireGate(TraceProperty property, Population population)
    {
        RequireSense(property, population);
        if (property.Formula is not { } formula)
            return;
        var reach = Reach(population);
        if (reach.CanHold(formula) && reach.CanFail(formula))
            return;
        throw new InputException(
            $"property '{property}' "
                + $"{(reach.CanFail(formula) ? "holds on no trace" : "cannot be violated by any trace")}, "
                + "so measuring decides nothing; allowed: a formula that some traces fulfil and others violate."
        );
    }

    /// <summary>
    /// Warns about likely misunderstandings: parts of a formula that are never judged, and formulas with only one
    /// result.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="population">Whose traces; null where that is not known.</param>
    /// <returns>One sentence for each.</returns>
    public static IReadOnlyList<string> Notes(TraceProperty property, Population? population = null)
    {
        if (property.Formula is not { } formula)
            return [];
        var reach = Reach(population);
        var notes = reach
            .NeverJudged(formula)
            .Distinct()
            .Select(part => $"'{part}' is never judged: {Why(part, population)}. {Hint(formula, part, population)}")
            .ToList();
        if (!reach.CanFail(formula))
            notes.Add($"No trace can violate '{formula}': its probability is 1 whatever the broker does.");
        if (!reach.CanHold(formula))
            notes.Add($"No trace can fulfil '{formula}': its probability is 0 whatever the broker does.");
        return notes;
    }

    /// <summary>Refuses a property that a simulation cannot answer.</summary>
    /// <param name="property">The property.</param>
    /// <exception cref="InputException">It reads acknowledgements.</exception>
    internal static void RequireLatencies(TraceProperty property)
    {
        if (property.UsesAcknowledgements)
            throw new InputException(
                $"property '{property}' reads acknowledgement; allowed in a "
                    + "simulation: latency, which is all that a latency model knows."
            );
    }

    private static FormulaReach Reach(Population? population) => new(All(population));

    // Unsubscribing takes a subscription; a client may always be told to disconnect or connect.
    private static HashSet<MessageKind> All(Population? population) =>
        Enum.GetValues<MessageKind>()
            .Where(kind => population is null || population.Sends(kind))
            .Where(kind => kind != MessageKind.Unsubscribe || population?.Sends(MessageKind.Subscribe) != false)
            .ToHashSet();

    private static bool IsSent(ComparisonFormula part, Population? population) =>
        All(population).Contains(FormulaReach.Kind(part)!.Value);

    private static string Why(ComparisonFormula part, Population? population) =>
        IsSent(part, population)
            ? $"'{part}' is asked of the first message of a trace alone, which is always a {FormulaReach.First.Name()}"
            : $"profile {population!.Name} sends no {FormulaReach.Kind(part)!.Value.Name()}";

    private static string Remedy(Formula formula, ComparisonFormula part, Population? population) =>
        IsSent(part, population)
            ? $"'{Formula.Always(formula)}' for every such message, '{Formula.Eventually(formula)}' for some"
            : Names(population!);

    private static string Hint(Formula formula, ComparisonFormula part, Population? population) =>
        IsSent(part, population)
            ? $"For every such message write '{Formula.Always(part)}', "
                + $"or 'G' before the whole: '{Formula.Always(formula)}'."
            : $"It sends {Names(population!)}.";

    private static string Names(Population population) =>
        string.Join(", ", All(population).Order().Select(kind => kind.Name()));
}
