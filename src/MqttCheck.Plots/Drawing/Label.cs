using ScottPlot;

namespace MqttCheck.Plots.Drawing;

/// <summary>A text in a picture.</summary>
/// <param name="Text">The text of the label.</param>
/// <param name="X">Its place across, in points from the left of the picture.</param>
/// <param name="Y">Its place down, in points from the top.</param>
/// <param name="Alignment">Which part of the text stands there.</param>
/// <param name="Colour">Its colour.</param>
internal sealed record Label(string Text, double X, double Y, Alignment Alignment, Color Colour)
{
    public float Size { get; init; } = Sheet.TextSize;

    public bool Bold { get; init; }

    /// <summary>Degrees, clockwise.</summary>
    public float Rotation { get; init; }

    /// <summary>Whether a pale ground keeps lines away from the text.</summary>
    public bool HasGround { get; init; }
}
