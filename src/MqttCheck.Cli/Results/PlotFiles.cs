using MqttCheck.Cli.Terminal;
using MqttCheck.Plots;
using MqttCheck.Reports.Formats;

namespace MqttCheck.Cli.Results;

/// <summary>
/// Draws pictures into files. Nothing else in this program touches the drawing library, so that it is loaded only where
/// pictures are asked for.
/// </summary>
internal static class PlotFiles
{
    /// <summary>Draws pictures.</summary>
    /// <param name="directory">The directory of the files, which is created if need be.</param>
    /// <returns>The pictures that were drawn, in the same order.</returns>
    public static IReadOnlyList<DrawnPicture> Write(IReadOnlyList<Picture> pictures, string directory)
    {
        Directory.CreateDirectory(directory);
        Parallel.ForEach(pictures, picture => picture.Write(directory));
        return
        [
            .. pictures.Select(picture => new DrawnPicture(
                picture.Title,
                picture.Caption,
                Path.Combine(directory, picture.Name + ".png")
            )),
        ];
    }

    /// <summary>Says what was drawn.</summary>
    public static void Print(Screen screen, IReadOnlyList<DrawnPicture> drawn, string directory) =>
        screen.Note(
            drawn.Count == 0
                ? $"there is nothing to draw in {directory}"
                : $"plots: {directory}: "
                    + $"{string.Join(", ", drawn.Select(picture => Path.GetFileNameWithoutExtension(picture.Path)))} "
                    + "(.png and .svg)"
        );
}
