using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MqttCheck.Clusters.Mosquitto;

namespace MqttCheck.Clusters.Tests.Mosquitto;

/// <summary>
/// Verdicts on a configuration: 0 where it is taken, the line where it is refused, -1 where no line is named.
/// </summary>
internal static partial class ConfVerdict
{
    private const int MostMilliseconds = 10_000;

    /// <summary>The verdict of the reader.</summary>
    public static int OfReader(string path)
    {
        try
        {
            MosquittoConfReader.Read("a", path);
            return 0;
        }
        catch (InputException wrong)
        {
            return Line(wrong.Message, path);
        }
    }

    /// <summary>
    /// The verdict of the installed Mosquitto, which has to write to its error stream and is ended as soon as it has
    /// read the file.
    /// </summary>
    public static int OfMosquitto(string path)
    {
        var program = File.Exists("/usr/sbin/mosquitto") ? "/usr/sbin/mosquitto" : "mosquitto";
        using var broker = Process.Start(
            new ProcessStartInfo(program, ["-c", path]) { RedirectStandardError = true, RedirectStandardOutput = true }
        )!;
        try
        {
            var said = new StringBuilder();
            while (broker.StandardError.ReadLine() is { } line)
            {
                said.AppendLine(line);
                if (line.EndsWith(" starting", StringComparison.Ordinal))
                    return 0;
            }
            Assert.That(broker.WaitForExit(MostMilliseconds));
            Assert.That(broker.ExitCode, Is.Not.Zero, said.ToString());
            return Line(said.ToString(), path);
        }
        finally
        {
            broker.Kill();
            broker.WaitForExit(MostMilliseconds);
        }
    }

    private static int Line(string said, string path)
    {
        var place = Place().Match(said);
        if (!place.Success)
            return -1;
        Assert.That(place.Groups[1].Value, Is.EqualTo(path), said);
        return int.Parse(place.Groups[2].Value, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"(/\S+\.conf):(\d+)[.:]")]
    private static partial Regex Place();
}
