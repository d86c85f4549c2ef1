namespace MqttCheck.Reports.Marks;

/// <summary>The meaning of a colour or symbol in a chart.</summary>
/// <param name="Text">The meaning.</param>
/// <param name="Role">The colour.</param>
/// <param name="Shape">How it is drawn.</param>
/// <param name="Symbol">The symbol, for those that have one.</param>
internal sealed record LegendKey(string Text, Role Role, LegendShape Shape, Symbol? Symbol = null);
