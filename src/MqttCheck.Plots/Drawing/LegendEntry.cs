using ScottPlot;

namespace MqttCheck.Plots.Drawing;

/// <summary>What a colour or symbol of a picture stands for.</summary>
/// <param name="Text">The name.</param>
/// <param name="Colour">The colour.</param>
/// <param name="Shape">How it is drawn.</param>
/// <param name="Marker">The symbol, for those that have one.</param>
internal sealed record LegendEntry(string Text, Color Colour, LegendShape Shape, MarkerShape Marker = MarkerShape.None);
