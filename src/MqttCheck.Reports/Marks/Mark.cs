namespace MqttCheck.Reports.Marks;

/// <summary>
/// One or many equal parts of a chart, in columns: element i has the place (X[i], Y[i]). An element with a place that
/// is not finite is left out.
/// </summary>
/// <param name="Shape">How it is drawn.</param>
/// <param name="Role">The colour.</param>
/// <param name="X">The places across, or the values of a distribution.</param>
/// <param name="Y">The places up; empty for a distribution.</param>
internal sealed record Mark(MarkShape Shape, Role Role, IReadOnlyList<double> X, IReadOnlyList<double> Y)
{
    /// <summary>The other end across.</summary>
    public IReadOnlyList<double>? X2 { get; init; }

    /// <summary>The other end up.</summary>
    public IReadOnlyList<double>? Y2 { get; init; }

    /// <summary>1 covers what is behind; 0 is not seen.</summary>
    public double Opacity { get; init; } = 1;

    /// <summary>The width of a line, or the size of a symbol, in points.</summary>
    public double Size { get; init; } = 2;

    /// <summary>Whether a line is dashed.</summary>
    public bool IsDashed { get; init; }

    /// <summary>The form of symbols.</summary>
    public Symbol Symbol { get; init; }

    /// <summary>Whether symbols have an empty inside.</summary>
    public bool IsHollow { get; init; }

    /// <summary>Moves it to the right, in points.</summary>
    public double Dx { get; init; }

    /// <summary>
    /// Whether X are whole numbers that <see cref="Jitter"/> moves apart, so that points do not stack on lines.
    /// </summary>
    public bool IsJittered { get; init; }

    /// <summary>Half width of the band of a distribution.</summary>
    public double HalfWidth { get; init; }

    /// <summary>The texts to write.</summary>
    public IReadOnlyList<string>? Texts { get; init; }

    /// <summary>The text under the pointer of each element.</summary>
    public IReadOnlyList<string>? Tips { get; init; }

    /// <summary>
    /// The text under the pointer of every element. <c>{x}</c> and <c>{y}</c> stand for its place, <c>{x:0}</c> for a
    /// whole number, <c>{y:2}</c> for two decimals, <c>{y:p}</c> for a probability.
    /// </summary>
    public string? Tip { get; init; }

    /// <summary>The estimates that a level is read from, one for each X.</summary>
    public IReadOnlyList<Estimates>? Of { get; init; }

    /// <summary>The thresholds at which a level is not drawn, since other marks show them.</summary>
    public IReadOnlyList<double>? Except { get; init; }

    /// <summary>The choices under which it is drawn; null under all.</summary>
    public IReadOnlyDictionary<string, string>? When { get; init; }

    /// <summary>Lines from side to side.</summary>
    public static Mark Horizontal(Scale x, IReadOnlyList<double> at, Role role) =>
        new(MarkShape.Segments, role, [.. at.Select(_ => x.Low)], at) { X2 = [.. at.Select(_ => x.High)], Y2 = at };

    /// <summary>Lines from the bottom to the top.</summary>
    public static Mark Vertical(Scale y, IReadOnlyList<double> at, Role role) =>
        new(MarkShape.Segments, role, at, [.. at.Select(_ => y.Low)]) { X2 = at, Y2 = [.. at.Select(_ => y.High)] };

    /// <summary>A pale box.</summary>
    public static Mark Box(double x1, double x2, double y1, double y2, Role role, double opacity = .12) =>
        new(MarkShape.Boxes, role, [x1], [y1])
        {
            X2 = [x2],
            Y2 = [y2],
            Opacity = opacity,
        };

    /// <summary>How far element i of jittered marks stands from its X: less than half a step.</summary>
    public static double Jitter(int i) => (i * 0.618033988749895 % 1 - .5) * .9;
}
