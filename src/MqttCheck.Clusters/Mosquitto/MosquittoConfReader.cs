using System.Text;
using MqttCheck.Clusters.Mosquitto.Reading;
using MqttCheck.Json;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Mosquitto;

/// <summary>
/// Reads a configuration as Mosquitto 2.0.11 does, and refuses what it refuses. Names are not resolved, and files that
/// settings name are not opened; only those of <c>include_dir</c> are. Secrets are dropped.
/// </summary>
internal static class MosquittoConfReader
{
    /// <summary>Reads a file and those that it includes.</summary>
    /// <param name="name">The name of the broker's node.</param>
    /// <param name="path">The path.</param>
    /// <exception cref="InputException">Mosquitto would refuse it; the message has all findings.</exception>
    public static MosquittoConf Read(string name, string path)
    {
        byte[] content;
        try
        {
            content = File.ReadAllBytes(path);
        }
        catch (Exception failure) when (IsRefusal(failure))
        {
            throw new InputException(
                $"configuration \"{Printable.Value(path)}\": {InputFile.Reason(failure, path)}; "
                    + "allowed: a file of mosquitto.conf(5)",
                failure
            );
        }
        var reading = new ConfReading(name, path);
        ReadLines(reading, path, content, isIncluded: false);
        return reading.Finish();
    }

    private static void ReadLines(ConfReading reading, string path, byte[] content, bool isIncluded)
    {
        var file = new ConfFile(reading);
        var number = 0;
        foreach (var line in Encoding.Latin1.GetString(content).Split('\n'))
        {
            var place = new ConfPlace(path, ++number);
            if (line.Contains('\0'))
            {
                reading.Refuse(place, "a character NUL; allowed: text, in UTF-8");
                return;
            }
            if (line.Length == 0 || line[0] is '#' or '\r')
                continue;
            var text = line.TrimEnd('\r').TrimStart(' ');
            if (text.Length == 0)
                continue;
            var end = text.IndexOf(' ', StringComparison.Ordinal);
            var (key, rest) = end < 0 ? (text, "") : (text[..end], text[(end + 1)..]);
            if (key == "include_dir" && !isIncluded && !ConfSecrets.AreInside(key, rest))
                Include(reading, place, rest);
            else
                file.Read(place, key, rest);
        }
    }

    private static void Include(ConfReading reading, ConfPlace place, string rest)
    {
        var folder = ConfKind.Decoded(rest);
        reading.Lines.Add(new(place, "include_dir", folder));
        try
        {
            var names = Directory
                .GetFileSystemEntries(folder)
                .Select(entry => Path.GetFileName(entry))
                .Where(name => name.Length > 5 && name.EndsWith(".conf", StringComparison.Ordinal))
                .OrderBy(SortKey, StringComparer.Ordinal);
            foreach (var path in names.Select(name => $"{folder}/{name}"))
                ReadLines(reading, path, File.ReadAllBytes(path), isIncluded: true);
        }
        catch (Exception failure) when (IsRefusal(failure))
        {
            reading.Refuse(
                place,
                $"include_dir: '{Printable.Value(folder)}': {(folder.Length == 0 ? "no value" : failure.Message)}; "
                    + "allowed: a folder that may be read, from the folder in which Mosquitto starts; "
                    + "write its whole path"
            );
        }
    }

    // Mosquitto compares names letter by letter, first without regard to capitals.
    private static string SortKey(string name) =>
        string.Concat(
            name.Select(letter => $"{(char.IsAscii(letter) ? char.ToUpperInvariant(letter) : letter)}{letter}")
        );

    private static bool IsRefusal(Exception failure) =>
        failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;
}
