using MqttCheck.Reports.Marks;
using ScottPlot;
using ScottPlot.TickGenerators;

namespace MqttCheck.Plots.Drawing;

/// <summary>
/// A chart as a picture: heading and explanation on top, then the notes, the legend, and the data between axes. It
/// knows marks and axes, and no chart.
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
        BottomMargin = 14,
        WidestName = 380,
        WidestEnd = 110,
        Slant = 36;

    private readonly List<(LegendKey Key, double X, double Y)> _legend = [];
    private readonly List<Label> _labels = [];
    private readonly Plot _plot = new();
    private readonly string _title,
        _caption;
    private readonly Chart _chart;
    private readonly Axis _x;
    private readonly double _left,
        _right;

    /// <summary>A picture of a chart.</summary>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The explanation.</param>
    /// <param name="chart">The chart.</param>
    public Sheet(string title, string caption, Chart chart)
    {
        (_title, _caption, _chart) = (title, caption, chart);
        _x = chart.X.First(axis => chart.IsStill(axis.When));
        _left = Math.Max(
            40,
            Margin + 10 + LeftTexts().Select(text => Typefaces.Width(text, TextSize)).DefaultIfEmpty().Max()
        );
        _right =
            chart.EndNames.Count == 0
                ? 24
                : Margin + 10 + Ends().Max(end => Typefaces.Width(end.Text, TextSize, bold: true));
        Prepare();
    }

    /// <summary>The width of the data, in points.</summary>
    private double DataWidth => Width - _left - _right;

    /// <summary>The finished picture.</summary>
    public (Plot Plot, int Height) Finish()
    {
        _plot.Axes.SetLimits(
            _x.Scale.At(_x.Scale.Low),
            _x.Scale.At(_x.Scale.High),
            _chart.Y.Scale.At(_chart.Y.Scale.Low),
            _chart.Y.Scale.At(_chart.Y.Scale.High)
        );
        var drawing = new MarkDrawing(_plot, _chart, _x.Scale, DataWidth);
        foreach (var mark in _chart.Marks.Where(mark => _chart.IsStill(mark.When)))
            drawing.Draw(mark);
        _labels.AddRange(drawing.Labels.Select(label => label with { X = label.X + _left }));
        var ticks = Ticks.Choose(_x.Ticks, _x.Scale, DataWidth, tick => Typefaces.Width(tick.Text, TextSize) + 9);
        NameAcross(ticks);
        NameUp();
        var (top, above) = Above();
        var bottom = (ticks.Count > 0 ? 24 : 0) + (_x.Label.Length > 0 ? 20 : 0) + BelowNames() + BottomMargin;
        if (_x.Label.Length > 0)
            Write(_x.Label, _left + DataWidth / 2, _chart.Height + 27, Alignment.UpperCenter, Role.Ink);
        above.AddRange(_labels.Select(label => label with { Y = label.Y + top }));
        _plot.Layout.Fixed(new PixelPadding((float)_left, (float)_right, (float)bottom, (float)top));
        _plot.Add.Plottable(new Furniture(above, _legend));
        return (_plot, (int)Math.Ceiling(top + _chart.Height + bottom));
    }

    public void Dispose() => _plot.Dispose();

    private void Prepare()
    {
        foreach (var axis in _plot.Axes.GetAxes())
        {
            axis.FrameLineStyle.Width = 0;
            axis.MinorTickStyle.Length = 0;
            axis.MajorTickStyle.Length = 0;
            axis.MajorTickStyle.Color = Palette.Of(Role.Soft);
            // ScottPlot sets text a little too high, and its fonts depend on the machine: all text is written by
            // Furniture.
            axis.TickLabelStyle.IsVisible = false;
            axis.TickGenerator = new EmptyTickGenerator();
        }
        _plot.Axes.Title.IsVisible = false;
        _plot.FigureBackground.Color = Palette.Of(Role.Surface);
        _plot.DataBackground.Color = Palette.Of(Role.Surface);
        _plot.Grid.MajorLineColor = Palette.Of(Role.Line);
        _plot.Grid.YAxisStyle.IsVisible = _chart.Y.HasGrid;
        _plot.Grid.XAxisStyle.IsVisible = _x.HasGrid;
        _plot.HideLegend();
    }

    private IEnumerable<string> LeftTexts() =>
        _chart.Y.Names is { } names
            ? names.Concat(_chart.Y.Details ?? []).Select(Fit)
            : _chart.Y.Ticks.SelectMany(ticks => ticks).Select(tick => tick.Text);

    private static string Fit(string name) => Typefaces.Fit(name, TextSize, (float)WidestName);

    private IEnumerable<EndName> Ends() =>
        _chart.EndNames.Select(end =>
            end with
            {
                Text = Typefaces.Fit(end.Text, TextSize, (float)WidestEnd, bold: true),
            }
        );

    private void NameAcross(IReadOnlyList<AxisTick> ticks)
    {
        SetTicks(_plot.Axes.Bottom, _x.Scale, ticks);
        if (ticks.Count > 0)
            _plot.Axes.Bottom.MajorTickStyle.Length = 4;
        foreach (var tick in ticks)
            Write(tick.Text, Across(tick.At), _chart.Height + 8, Alignment.UpperCenter, Role.Ink);
        foreach (var (name, column) in (_x.Names ?? []).Select((name, column) => (name, column)))
            Write(
                name,
                Across(column) + 6,
                _chart.Height + 10,
                Alignment.UpperRight,
                Role.Soft,
                rotation: -(float)Slant
            );
    }

    // The names of columns stand slanted.
    private double BelowNames() =>
        _x.Names is { } names
            ? names.Max(name => Typefaces.Width(name, TextSize)) * Math.Sin(Slant * Math.PI / 180) + 20
            : 0;

    private void NameUp()
    {
        IReadOnlyList<AxisTick> ticks = _chart.Y.Ticks is [var only] ? only : [];
        SetTicks(_plot.Axes.Left, _chart.Y.Scale, ticks);
        foreach (var tick in ticks)
            Write(tick.Text, _left - 7, Down(tick.At), Alignment.MiddleRight, Role.Ink);
        for (var row = 0; row < _chart.Y.Names?.Count; row++)
        {
            var aside = _chart.Y.Details is null ? 0 : 8;
            Write(Fit(_chart.Y.Names[row]), _left - 10, Down(-row) - aside, Alignment.MiddleRight, Role.Ink);
            if (_chart.Y.Details is { } details)
                Write(Fit(details[row]), _left - 10, Down(-row) + aside, Alignment.MiddleRight, Role.Soft);
        }
        EndName[] ends = [.. Ends()];
        var places = Ticks.Spread([.. ends.Select(end => Down(end.Y))], 16, _chart.Height);
        foreach (var (end, place) in ends.Zip(places))
            Write(end.Text, Width - _right + 10, place, Alignment.MiddleLeft, end.Role, bold: true);
    }

    // Heading, explanation, notes and legend, and where the data begin.
    private (double Top, List<Label> Labels) Above()
    {
        const float room = Width - 2 * (float)Margin;
        var labels = new List<Label>
        {
            new(
                Typefaces.Fit(_title, TitleSize, room, bold: true),
                Margin,
                Margin,
                Alignment.UpperLeft,
                Palette.Of(Role.Ink)
            )
            {
                Bold = true,
                Size = TitleSize,
            },
        };
        var top = Margin + 24;
        foreach (var note in _chart.Notes.Prepend(new(_caption, Role.Soft)))
        foreach (var line in Typefaces.Wrap(note.Text, CaptionSize, room))
        {
            labels.Add(new(line, Margin, top, Alignment.UpperLeft, Palette.Of(note.Role)) { Size = CaptionSize });
            top += LineHeight;
        }
        top = AddLegend(labels, top + 6);
        top += _chart.Y.Label.Length > 0 ? 32 : 8;
        if (_chart.Y.Label.Length > 0)
            labels.Add(new(_chart.Y.Label, Margin, top - 14, Alignment.LowerLeft, Palette.Of(Role.Ink)));
        return (top, labels);
    }

    private double AddLegend(List<Label> labels, double top)
    {
        if (_chart.Legend.Count == 0)
            return top;
        var (x, y) = (Margin, top + 8);
        foreach (var key in _chart.Legend)
        {
            var width = Furniture.SymbolWidth(key) + Typefaces.Width(key.Text, CaptionSize);
            if (x > Margin && x + width > Width - Margin)
                (x, y) = (Margin, y + 18);
            _legend.Add((key, x, y));
            labels.Add(
                new(key.Text, x + Furniture.SymbolWidth(key), y, Alignment.MiddleLeft, Palette.Of(Role.Soft))
                {
                    Size = CaptionSize,
                }
            );
            x += width + 18;
        }
        return y + 10;
    }

    // A text at a place, in points from the left of the picture and from the top of the data.
    private void Write(
        string text,
        double x,
        double y,
        Alignment alignment,
        Role role,
        bool bold = false,
        float rotation = 0
    ) => _labels.Add(new(text, x, y, alignment, Palette.Of(role)) { Bold = bold, Rotation = rotation });

    private double Across(double value) => _left + _x.Scale.Share(value) * DataWidth;

    private double Down(double value) => (1 - _chart.Y.Scale.Share(value)) * _chart.Height;

    private static void SetTicks(IAxis axis, Scale scale, IReadOnlyList<AxisTick> ticks) =>
        axis.TickGenerator = new NumericManual(
            [.. ticks.Select(tick => scale.At(tick.At))],
            [.. ticks.Select(_ => "")]
        );
}
