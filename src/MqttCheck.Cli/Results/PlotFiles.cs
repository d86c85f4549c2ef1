using System.Runtime.InteropServices;
using MqttCheck.Brokers.Processes;
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
    /// <exception cref="BrokerException">The package of the tool cannot draw on this platform.</exception>
    public static IReadOnlyList<DrawnPicture> Write(IReadOnlyList<Picture> pictures, string directory)
    {
        Directory.CreateDirectory(directory);
        try
        {
            Parallel.ForEach(pictures, picture => picture.Write(directory));
        }
        catch (AggregateException exception) when (exception.Flatten().InnerExceptions.Any(IsWithoutNativeCode))
        {
            throw new BrokerException(
                $"--plots: {directory} given, but this package of the tool has no native code to draw with on "
                    + $"{RuntimeInformation.RuntimeIdentifier}; allowed: a tool that was built on or for this "
                    + "platform, or a report without --plots.",
                exception
            );
        }
        return
        [
            .. pictures.Select(picture => new DrawnPicture(
                picture.Title,
                picture.Caption,
                Path.Combine(directory, picture.Name + ".png")
            )),
        ];
    }

    private static bool IsWithoutNativeCode(Exception exception) =>
        exception is DllNotFoundException
        || (exception is TypeInitializationException { InnerException: { } cause } && IsWithoutNativeCode(cause));

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
