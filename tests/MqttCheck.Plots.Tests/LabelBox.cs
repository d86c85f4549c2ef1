namespace MqttCheck.Plots.Tests;

/// <summary>The box of a text in a picture, perhaps turned: four corners in order.</summary>
internal sealed record LabelBox(string Text, double Size, string Colour, (double X, double Y)[] Corners)
{
    /// <summary>Whether all of it lies inside of a picture.</summary>
    public bool IsInside(double width, double height) =>
        Corners.All(corner => corner.X >= 0 && corner.Y >= 0 && corner.X <= width && corner.Y <= height);

    /// <summary>
    /// Whether two boxes share a place: they do not where some side of one separates them (separating axis theorem).
    /// </summary>
    public bool Overlaps(LabelBox other) => !IsSeparated(this, other) && !IsSeparated(other, this);

    private static bool IsSeparated(LabelBox sides, LabelBox other)
    {
        for (var i = 0; i < 2; i++)
        {
            var (dx, dy) = (sides.Corners[i + 1].X - sides.Corners[i].X, sides.Corners[i + 1].Y - sides.Corners[i].Y);
            double[] Project(LabelBox box) => [.. box.Corners.Select(corner => corner.X * dx + corner.Y * dy)];
            var (mine, theirs) = (Project(sides), Project(other));
            if (mine.Max() <= theirs.Min() || theirs.Max() <= mine.Min())
                return true;
        }
        return false;
    }
}
