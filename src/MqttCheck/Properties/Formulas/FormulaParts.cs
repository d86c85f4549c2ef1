namespace MqttCheck.Properties.Formulas;

/// <summary>Lists the parts of a formula.</summary>
internal static class FormulaParts
{
    /// <summary>The formulas directly inside another.</summary>
    /// <param name="formula">The formula.</param>
    public static IEnumerable<Formula> Of(Formula formula) =>
        formula switch
        {
            NotFormula not => [not.Inner],
            SpanFormula span => [span.Inner],
            BinaryFormula binary => [binary.Left, binary.Right],
            _ => [],
        };

    /// <summary>The comparisons, kinds, outcomes and constants at its leaves, from left to right.</summary>
    /// <param name="formula">The formula.</param>
    public static IEnumerable<Formula> Atoms(Formula formula) =>
        formula is AtomFormula ? [formula] : Of(formula).SelectMany(Atoms);
}
