using ScottPlot;

namespace MqttCheck.Plots.Drawing;

/// <summary>The meaning of a colour or symbol in a picture.</summary>
/// <param name="Text">The name.</param>
/// <param name="Colour">The colour.</param>
/// <param name="Shape">How it is drawn.</param>
/// <param name="Marker">The symbol, for those that have one.</param>
internal sealed record LegendEntry(string Text, Color Colour, LegendShape Shape, MarkerShape Marker = MarkerShape.None);
