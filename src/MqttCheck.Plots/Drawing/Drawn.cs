using ScottPlot;

namespace MqttCheck.Plots.Drawing;

/// <summary>Something of a plot that neither has a legend entry nor moves the limits of the axes.</summary>
internal abstract class Drawn : IPlottable
{
    public bool IsVisible { get; set; } = true;

    public IAxes Axes { get; set; } = new Axes();

    public IEnumerable<LegendItem> LegendItems => [];

    public AxisLimits GetAxisLimits() => AxisLimits.NoLimits;

    public abstract void Render(RenderPack rp);
}
