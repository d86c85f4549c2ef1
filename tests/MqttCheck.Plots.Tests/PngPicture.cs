using SkiaSharp;

namespace MqttCheck.Plots.Tests;

/// <summary>A PNG file read back.</summary>
internal sealed class PngPicture : IDisposable
{
    private readonly SKBitmap _bitmap;

    public PngPicture(byte[] bytes) =>
        _bitmap = SKBitmap.Decode(bytes) ?? throw new InvalidDataException("It is no picture.");

    public int Width => _bitmap.Width;

    public int Height => _bitmap.Height;

    /// <summary>The share of pixels that are not of the ground.</summary>
    public double Inked()
    {
        var pixels = _bitmap.Pixels;
        return (double)pixels.Count(pixel => pixel != SKColors.White) / pixels.Length;
    }

    /// <summary>Whether anything touches the edge: it would be cut.</summary>
    public bool TouchesEdge()
    {
        for (var x = 0; x < Width; x++)
            if (_bitmap.GetPixel(x, 0) != SKColors.White || _bitmap.GetPixel(x, Height - 1) != SKColors.White)
                return true;
        for (var y = 0; y < Height; y++)
            if (_bitmap.GetPixel(0, y) != SKColors.White || _bitmap.GetPixel(Width - 1, y) != SKColors.White)
                return true;
        return false;
    }

    /// <summary>Whether a colour occurs, within the little that smoothing changes.</summary>
    public bool Holds(string colour)
    {
        var wanted = SKColor.Parse(colour);
        return _bitmap.Pixels.Any(pixel =>
            Math.Abs(pixel.Red - wanted.Red) + Math.Abs(pixel.Green - wanted.Green) + Math.Abs(pixel.Blue - wanted.Blue)
            <= 6
        );
    }

    public void Dispose() => _bitmap.Dispose();
}
