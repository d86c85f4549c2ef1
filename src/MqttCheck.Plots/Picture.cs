using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Marks;
using MqttCheck.Text;
using SkiaSharp;

namespace MqttCheck.Plots;

/// <summary>A chart that can be written as a PNG and as an SVG file.</summary>
internal sealed class Picture
{
    /// <summary>How many pixels of a PNG file make a point: screens of today have two.</summary>
    public const int PixelsPerPoint = 2;

    internal Picture(string name, string title, string caption, Chart chart) =>
        (Name, Title, Caption, Chart) = (name, title, caption, chart);

    /// <summary>
    /// The name of its files, without an ending. It says what is drawn and is the same whenever the same is drawn.
    /// </summary>
    public string Name { get; }

    /// <summary>The heading.</summary>
    public string Title { get; }

    /// <summary>The caption, which says what the picture shows and how to read it.</summary>
    public string Caption { get; }

    /// <summary>The picture as a PNG file, <see cref="PixelsPerPoint"/> pixels for each point.</summary>
    public byte[] ToPng()
    {
        using var sheet = new Sheet(Title, Caption, Chart);
        var (plot, height) = sheet.Finish();
        plot.ScaleFactor = PixelsPerPoint;
        return plot.GetImageBytes(Sheet.Width * PixelsPerPoint, height * PixelsPerPoint, ScottPlot.ImageFormat.Png);
    }

    /// <summary>The picture as an SVG file.</summary>
    public string ToSvg()
    {
        using var sheet = new Sheet(Title, Caption, Chart);
        var (plot, height) = sheet.Finish();
        // The first time ScottPlot draws a plot twice, since it learns the layout from the first; a canvas of SVG keeps
        // both.
        plot.RenderInMemory(Sheet.Width, height);
        using var stream = new MemoryStream();
        // The document is whole when its canvas is gone.
        using (var canvas = SKSvgCanvas.Create(new SKRect(0, 0, Sheet.Width, height), stream))
        {
            plot.RenderManager.ClearCanvasBeforeEachRender = false;
            plot.Render(canvas, Sheet.Width, height);
        }
        return SvgText.Finish(System.Text.Encoding.UTF8.GetString(stream.ToArray()), Title, Caption);
    }

    /// <summary>Writes <c>NAME.png</c> and <c>NAME.svg</c>; files of these names are replaced whole.</summary>
    /// <param name="directory">The directory of the files, which is created if need be.</param>
    public void Write(string directory)
    {
        AtomicFile.Write(Path.Combine(directory, Name + ".png"), ToPng());
        AtomicFile.Write(Path.Combine(directory, Name + ".svg"), ToSvg());
    }

    /// <summary>A name of which every character may stand in the name of a file.</summary>
    /// <param name="text">The text of the name.</param>
    public static string FileName(string text)
    {
        var safe = string.Join(
            '-',
            text.Split(
                text.Where(c => !char.IsAsciiLetterOrDigit(c) && c != '.').ToArray(),
                StringSplitOptions.RemoveEmptyEntries
            )
        );
        // File systems allow 255 bytes.
        return safe.Length <= 120 ? safe : safe[..120];
    }

    /// <summary>The chart.</summary>
    internal Chart Chart { get; }
}
