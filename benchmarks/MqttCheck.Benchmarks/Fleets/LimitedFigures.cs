using System.Globalization;

namespace MqttCheck.Benchmarks.Fleets;

/// <summary>Figures that have to keep a limit: printed with it and with the ratio of both, and counted.</summary>
internal sealed class LimitedFigures
{
    private readonly List<(string Name, string Figure, string Limit, string Ratio, bool IsWithin)> _rows = [];

    /// <summary>A figure that must not be above its limit.</summary>
    /// <param name="name">What was measured.</param>
    /// <param name="figure">The figure; NaN, where it could not be measured, is not within any limit.</param>
    /// <param name="limit">The limit.</param>
    /// <param name="unit">The unit of both, or nothing.</param>
    public void AtMost(string name, double figure, double limit, string unit) =>
        Add(name, figure, "at most", limit, unit, figure <= limit);

    /// <summary>A figure that must not be below its limit.</summary>
    /// <param name="name">What was measured.</param>
    /// <param name="figure">The figure; NaN, where it could not be measured, is not within any limit.</param>
    /// <param name="limit">The limit.</param>
    /// <param name="unit">The unit of both, or nothing.</param>
    public void AtLeast(string name, double figure, double limit, string unit) =>
        Add(name, figure, "at least", limit, unit, figure >= limit);

    /// <summary>Prints the figures, and how many of them are within their limits.</summary>
    /// <returns>The exit code: 0 when all of them are, otherwise 1.</returns>
    public int Conclude()
    {
        (int Name, int Figure, int Limit) width = (
            _rows.Max(row => row.Name.Length),
            _rows.Max(row => row.Figure.Length),
            _rows.Max(row => row.Limit.Length)
        );
        Console.WriteLine();
        foreach (var (name, figure, limit, ratio, isWithin) in _rows)
            Console.WriteLine(
                $"{name.PadRight(width.Name)}  {figure.PadLeft(width.Figure)}  "
                    + $"{limit.PadRight(width.Limit)}  ratio {ratio, -5}  {(isWithin ? "within" : "NOT WITHIN")}"
            );
        var within = _rows.Count(row => row.IsWithin);
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"{within} of {_rows.Count} within their limits")
        );
        return within == _rows.Count ? 0 : 1;
    }

    private void Add(string name, double figure, string side, double limit, string unit, bool isWithin) =>
        _rows.Add(
            (
                name,
                double.IsNaN(figure) ? "not measured" : Number(figure, unit),
                $"{side} {Number(limit, unit)}",
                Ratio(figure, limit),
                isWithin
            )
        );

    private static string Number(double value, string unit) =>
        (value.ToString(Math.Abs(value) < 100 ? "0.##" : "N0", CultureInfo.InvariantCulture) + " " + unit).TrimEnd();

    // A limit of zero has no ratio.
    private static string Ratio(double figure, double limit) =>
        limit == 0 || double.IsNaN(figure) ? "-" : (figure / limit).ToString("0.00", CultureInfo.InvariantCulture);
}
