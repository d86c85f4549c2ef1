namespace MqttCheck.Reports.Marks;

/// <summary>How a mark is drawn from its columns.</summary>
internal enum MarkShape
{
    /// <summary>A line through the points (X, Y).</summary>
    Line,

    /// <summary>A line that keeps each Y until the next X.</summary>
    Steps,

    /// <summary>The area between Y and Y2 over X.</summary>
    Band,

    /// <summary>Boxes between the corners (X, Y) and (X2, Y2).</summary>
    Boxes,

    /// <summary>Straight lines from (X, Y) to (X2, Y2).</summary>
    Segments,

    /// <summary>A symbol at each point (X, Y).</summary>
    Symbols,

    /// <summary>Thousands of small symbols, drawn as one path.</summary>
    Dots,

    /// <summary>A text at each point (X, Y).</summary>
    Texts,

    /// <summary>
    /// The distribution function of the ascending values X, with its band: how many of them are at most so large.
    /// </summary>
    Distribution,

    /// <summary>The threshold that is chosen, and the share of the ascending values X below it.</summary>
    Reading,

    /// <summary>A dashed line through the probabilities, at each X, of the threshold that is chosen.</summary>
    Level,
}
