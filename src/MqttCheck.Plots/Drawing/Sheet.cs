using MqttCheck.Reports.Formats;
using ScottPlot;
using ScottPlot.TickGenerators;

namespace MqttCheck.Plots.Drawing;

/// <summary>
/// A picture while it is drawn: heading and explanation on top, then the legend, then the data between axes. Charts set
/// the axes, left and right margin and height of the data first, and draw then.
/// </summary>
internal sealed class Sheet : IDisposable
{
    /// <summary>The width of every picture, in points.</summary>
    public const int Width = 800;

    public const float TextSize = 12,
        TitleSize = 15,
        CaptionSize = 11.5f;
    private const double Margin = 18,
        LineHeight = 16,
        BottomMargin = 14;

    private readonly List<(LegendEntry Entry, double X, double Y)> _legend = [];
    private readonly List<LegendEntry> _entries = [];
    private readonly List<Label> _labels = [];
    private readonly Plot _plot = new();
    private readonly string _title,
        _caption;
    private string _yLabel = "",
        _xLabel = "";
    private bool _hasXTicks,
        _areYTicksGrid = true,
        _areXTicksGrid;

    public Sheet(string title, string caption)
    {
        (_title, _caption) = (title, caption);
        foreach (var axis in _plot.Axes.GetAxes())
        {
            axis.FrameLineStyle.Width = 0;
            axis.MinorTickStyle.Length = 0;
            axis.MajorTickStyle.Length = 0;
            axis.MajorTickStyle.Color = Palette.Soft;
            // ScottPlot sets text a little too high, and its fonts depend on the machine: all text is written by
            // Furniture.
            axis.TickLabelStyle.IsVisible = false;
            axis.TickGenerator = new EmptyTickGenerator();
        }
        _plot.Axes.Title.IsVisible = false;
        _plot.FigureBackground.Color = Palette.Surface;
        _plot.DataBackground.Color = Palette.Surface;
        _plot.Grid.MajorLineColor = Palette.Line;
        _plot.HideLegend();
    }

    /// <summary>The meanings of colours and symbols.</summary>
    public IReadOnlyList<LegendEntry> Legend => _entries;

    /// <summary>The height of the data, in points.</summary>
    public double DataHeight { get; init; } = 260;

    /// <summary>The room on the left of the data, in points.</summary>
    public double Left { get; set; } = 56;

    /// <summary>The room on the right of the data, in points.</summary>
    public double Right { get; init; } = 24;

    /// <summary>The room below the data beside ticks and axis label, in points.</summary>
    public double Below { get; init; }

    /// <summary>The width of the data, in points.</summary>
    public double DataWidth => Width - Left - Right;

    public Scale X { get; private set; } = new(0, 1);

    public Scale Y { get; private set; } = new(0, 1);

    /// <summary>A point in units of the horizontal axis as ScottPlot has it.</summary>
    public double PointsToX(double points) => points * (X.At(X.High) - X.At(X.Low)) / DataWidth;

    /// <summary>A point in units of the vertical axis as ScottPlot has it.</summary>
    public double PointsToY(double points) => points * (Y.At(Y.High) - Y.At(Y.Low)) / DataHeight;

    public void SetX(
        Scale scale,
        string label,
        IReadOnlyList<double>? ticks = null,
        Func<double, string>? format = null,
        bool grid = false
    )
    {
        (X, _xLabel, _hasXTicks, _areXTicksGrid) = (scale, label, true, grid);
        ticks ??= scale.IsLogarithmic ? Ticks.Logarithmic(scale, DataWidth) : Ticks.Linear(scale.Low, scale.High, 8);
        SetTicks(_plot.Axes.Bottom, scale, ticks);
        format ??= Words.Number;
        foreach (var tick in ticks)
            Write(
                format(tick),
                Left + scale.Share(tick) * DataWidth,
                DataHeight + 8,
                Alignment.UpperCenter,
                Palette.Ink
            );
        _plot.Axes.Bottom.MajorTickStyle.Length = 4;
    }

    /// <summary>A horizontal axis without ticks.</summary>
    public void SetX(Scale scale) => X = scale;

    /// <summary>The vertical axis; the room on its left grows with the names of its ticks.</summary>
    public void SetY(
        Scale scale,
        string label,
        IReadOnlyList<double>? ticks = null,
        Func<double, string>? format = null
    )
    {
        (Y, _yLabel) = (scale, label);
        ticks ??= scale.IsLogarithmic
            ? Ticks.Logarithmic(scale, DataHeight * 1.5)
            : Ticks.Linear(scale.Low, scale.High, 6);
        format ??= Words.Number;
        Left = Math.Max(
            40,
            ticks.Select(tick => Typefaces.Width(format(tick), TextSize)).DefaultIfEmpty().Max() + Margin + 8
        );
        SetTicks(_plot.Axes.Left, scale, ticks);
        foreach (var tick in ticks)
            Write(format(tick), Left - 7, (1 - scale.Share(tick)) * DataHeight, Alignment.MiddleRight, Palette.Ink);
    }

    /// <summary>
    /// A vertical axis of rows, the first on top: row i is centred at -i. The room on the left is as wide as the
    /// longest name.
    /// </summary>
    public void SetRows(IReadOnlyList<string> names, double widest = 290)
    {
        Y = new(-names.Count + .5, .5);
        _areYTicksGrid = false;
        var shown = names.Select(name => Typefaces.Fit(name, TextSize, (float)widest)).ToArray();
        Left = shown.Select(name => Typefaces.Width(name, TextSize)).DefaultIfEmpty().Max() + Margin + 10;
        for (var row = 0; row < shown.Length; row++)
            Write(shown[row], Left - 10, RowCentre(row), Alignment.MiddleRight, Palette.Ink);
    }

    /// <summary>A vertical axis without ticks.</summary>
    public void SetY(Scale scale) => (Y, _areYTicksGrid) = (scale, false);

    /// <summary>An entry of the legend.</summary>
    public void Explain(string text, Color colour, LegendShape shape, MarkerShape marker = MarkerShape.None) =>
        _entries.Add(new(text, colour, shape, marker));

    public void Line(IEnumerable<double> xs, IEnumerable<double> ys, Color colour, float width = 2)
    {
        var scatter = _plot.Add.ScatterLine(xs.Select(X.At).ToArray(), ys.Select(Y.At).ToArray());
        (scatter.Color, scatter.LineWidth, scatter.MarkerSize) = (colour, width, 0);
    }

    /// <summary>A line that keeps each value until the next.</summary>
    public void Steps(IReadOnlyList<double> xs, IReadOnlyList<double> ys, Color colour, float width = 2)
    {
        var (stepped, values) = Stepped(xs, ys);
        Line(stepped, values, colour, width);
    }

    public void Band(
        IReadOnlyList<double> xs,
        IReadOnlyList<double> lower,
        IReadOnlyList<double> upper,
        Color colour,
        double opacity,
        bool stepped = false
    )
    {
        var across = xs;
        if (stepped)
        {
            (across, var low) = Stepped(xs, lower);
            (lower, upper) = (low, Stepped(xs, upper).Values);
        }
        var polygon = _plot.Add.Polygon([
            .. across.Select((x, i) => new Coordinates(X.At(x), Y.At(upper[i]))),
            .. across.Select((x, i) => new Coordinates(X.At(x), Y.At(lower[i]))).Reverse(),
        ]);
        (polygon.FillColor, polygon.LineWidth) = (colour.WithAlpha(opacity), 0);
    }

    /// <summary>A box between values.</summary>
    public void Box(double x1, double x2, double y1, double y2, Color colour, double opacity = 1)
    {
        var box = _plot.Add.Rectangle(X.At(x1), X.At(x2), Y.At(y1), Y.At(y2));
        (box.FillColor, box.LineWidth) = (colour.WithAlpha(opacity), 0);
    }

    public void Segment(
        double x1,
        double y1,
        double x2,
        double y2,
        Color colour,
        float width = 1.5f,
        bool dashed = false,
        double dx = 0
    )
    {
        var shift = PointsToX(dx);
        var (from, to) = (new Coordinates(X.At(x1) + shift, Y.At(y1)), new Coordinates(X.At(x2) + shift, Y.At(y2)));
        if (dashed)
        {
            _plot.Add.Plottable(new Dashes(from, to, colour, width));
            return;
        }
        var line = _plot.Add.Line(from, to);
        (line.LineColor, line.LineWidth) = (colour, width);
    }

    /// <summary>A symbol at a value, moved by points.</summary>
    public void Mark(
        double x,
        double y,
        MarkerShape shape,
        Color colour,
        float size = 9,
        bool isHollow = true,
        double dx = 0,
        double dy = 0
    )
    {
        var mark = _plot.Add.Marker(X.At(x) + PointsToX(dx), Y.At(y) - PointsToY(dy));
        mark.MarkerStyle = Marker(shape, colour, size, isHollow);
    }

    public void Points(
        IEnumerable<(double X, double Y)> points,
        Color colour,
        MarkerShape shape,
        float size = 3.4f,
        double opacity = .6
    ) =>
        _plot.Add.Plottable(
            new Dots(
                [.. points.Select(point => new Coordinates(X.At(point.X), Y.At(point.Y)))],
                colour.WithAlpha(opacity),
                size,
                shape
            )
        );

    /// <summary>A text beside a value, moved by points.</summary>
    public void Write(
        string text,
        (double X, double Y) at,
        Alignment alignment,
        Color colour,
        double dx = 0,
        double dy = 0,
        bool bold = true,
        bool ground = true,
        float size = TextSize
    ) =>
        _labels.Add(
            new(text, Left + X.Share(at.X) * DataWidth + dx, (1 - Y.Share(at.Y)) * DataHeight + dy, alignment, colour)
            {
                Bold = bold,
                HasGround = ground,
                Size = size,
            }
        );

    /// <summary>A text at a place, in points from the left of the picture and from the top of the data.</summary>
    public void Write(
        string text,
        double x,
        double y,
        Alignment alignment,
        Color colour,
        bool bold = false,
        float rotation = 0,
        float size = TextSize
    ) =>
        _labels.Add(
            new(text, x, y, alignment, colour)
            {
                Bold = bold,
                Rotation = rotation,
                Size = size,
            }
        );

    /// <summary>Names curves beside their ends; names that would cover each other move apart.</summary>
    public void NameEnds(IReadOnlyList<(string Name, double Y, Color Colour)> ends)
    {
        var places = Ticks.Spread([.. ends.Select(end => (1 - Y.Share(end.Y)) * DataHeight)], 16, DataHeight);
        for (var i = 0; i < ends.Count; i++)
            Write(ends[i].Name, Width - Right + 10, places[i], Alignment.MiddleLeft, ends[i].Colour, bold: true);
    }

    /// <summary>The place down of a row's middle, in points from the top of the data.</summary>
    public double RowCentre(int row) => (1 - Y.Share(-row)) * DataHeight;

    /// <summary>The finished picture.</summary>
    public (Plot Plot, int Height) Finish()
    {
        var labels = new List<Label>
        {
            new(
                Typefaces.Fit(_title, TitleSize, Width - 2 * (float)Margin, bold: true),
                Margin,
                Margin,
                Alignment.UpperLeft,
                Palette.Ink
            )
            {
                Bold = true,
                Size = TitleSize,
            },
        };
        var top = Margin + 24;
        foreach (var line in Typefaces.Wrap(_caption, CaptionSize, Width - 2 * (float)Margin))
        {
            labels.Add(new(line, Margin, top, Alignment.UpperLeft, Palette.Soft) { Size = CaptionSize });
            top += LineHeight;
        }
        top = AddLegend(labels, top + 6);
        top += _yLabel.Length > 0 ? 32 : 8;
        if (_yLabel.Length > 0)
            labels.Add(new(_yLabel, Margin, top - 14, Alignment.LowerLeft, Palette.Ink));
        var bottom = (_hasXTicks ? 24 : 0) + (_xLabel.Length > 0 ? 20 : 0) + Below + BottomMargin;
        if (_xLabel.Length > 0)
            labels.Add(new(_xLabel, Left + DataWidth / 2, top + DataHeight + 27, Alignment.UpperCenter, Palette.Ink));
        labels.AddRange(_labels.Select(label => label with { Y = label.Y + top }));

        _plot.Grid.YAxisStyle.IsVisible = _areYTicksGrid;
        _plot.Grid.XAxisStyle.IsVisible = _areXTicksGrid;
        _plot.Axes.SetLimits(X.At(X.Low), X.At(X.High), Y.At(Y.Low), Y.At(Y.High));
        _plot.Layout.Fixed(new PixelPadding((float)Left, (float)Right, (float)bottom, (float)top));
        _plot.Add.Plottable(new Furniture(labels, _legend));
        return (_plot, (int)Math.Ceiling(top + DataHeight + bottom));
    }

    public void Dispose() => _plot.Dispose();

    /// <summary>A symbol of the page: full, or with an empty inside.</summary>
    public static MarkerStyle Marker(MarkerShape shape, Color colour, float size, bool isHollow) =>
        shape == MarkerShape.TriUp
            ? new(shape, size, colour)
            : new(shape, size, isHollow ? Palette.Surface : colour)
            {
                OutlineColor = isHollow ? colour : Palette.Surface,
                OutlineWidth = isHollow ? 2 : 1,
            };

    private double AddLegend(List<Label> labels, double top)
    {
        if (_entries.Count == 0)
            return top;
        var (x, y) = (Margin, top + 8);
        foreach (var entry in _entries)
        {
            var width = Furniture.SymbolWidth(entry) + Typefaces.Width(entry.Text, CaptionSize);
            if (x > Margin && x + width > Width - Margin)
                (x, y) = (Margin, y + 18);
            _legend.Add((entry, x, y));
            labels.Add(
                new(entry.Text, x + Furniture.SymbolWidth(entry), y, Alignment.MiddleLeft, Palette.Soft)
                {
                    Size = CaptionSize,
                }
            );
            x += width + 18;
        }
        return y + 10;
    }

    private (List<double> Xs, List<double> Values) Stepped(IReadOnlyList<double> xs, IReadOnlyList<double> ys)
    {
        var (stepped, values) = (new List<double>(), new List<double>());
        for (var i = 0; i < xs.Count; i++)
        {
            // Steps that nobody could see would only make the SVG file larger.
            if (i > 0 && i < xs.Count - 1 && (X.Share(xs[i]) - X.Share(stepped[^1])) * DataWidth < .4)
                continue;
            if (i > 0)
            {
                stepped.Add(xs[i]);
                values.Add(values[^1]);
            }
            stepped.Add(xs[i]);
            values.Add(ys[i]);
        }
        return (stepped, values);
    }

    private static void SetTicks(IAxis axis, Scale scale, IReadOnlyList<double> ticks) =>
        axis.TickGenerator = new NumericManual([.. ticks.Select(scale.At)], [.. ticks.Select(_ => "")]);
}
