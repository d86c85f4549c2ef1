using System.Globalization;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Mosquitto;

/// <summary>The configurations that a user names, one of each broker.</summary>
internal static class MosquittoConfFiles
{
    // Node names have up to 32 letters; "broker" may stand before this and a number behind it.
    private const int LongestStem = 22;

    /// <summary>Whether a path is that of a configuration or of a folder of them, and of no topology.</summary>
    /// <param name="path">The path.</param>
    public static bool IsConf(string path) =>
        path.EndsWith(".conf", StringComparison.OrdinalIgnoreCase) || Directory.Exists(path);

    /// <summary>Reads configurations.</summary>
    /// <param name="given">
    /// Paths of files, or of folders of which each file <c>*.conf</c> is that of one broker.
    /// </param>
    /// <param name="named">Paths with names, <c>NAME=FILE</c>.</param>
    /// <exception cref="InputException">One is wrong; the message has the findings of all.</exception>
    public static IReadOnlyList<MosquittoConf> Read(IReadOnlyList<string> given, IReadOnlyList<string> named)
    {
        var (files, findings) = (new List<(string Name, string Path)>(), new List<string>());
        foreach (var option in named)
            Collect(findings, () => files.Add(Named(option, files)));
        foreach (var path in given)
            Collect(
                findings,
                () =>
                {
                    foreach (var file in Files(path))
                        files.Add((Unique(Stem(file), files), file));
                }
            );
        var read = new List<MosquittoConf>();
        foreach (var (name, path) in files)
            Collect(findings, () => read.Add(MosquittoConfReader.Read(name, path)));
        InputException.ThrowIfAny(findings);
        return read;
    }

    private static (string Name, string Path) Named(string option, List<(string Name, string Path)> files)
    {
        var equals = option.IndexOf('=', StringComparison.Ordinal);
        var name = equals < 0 ? "" : option[..equals];
        if (!TopologyNames.IsNode(name) || equals == option.Length - 1)
            throw new InputException(
                $"--conf: '{Printable.Value(option)}' is no NAME=FILE; allowed for NAME: {TopologyNames.AllowedNode}"
            );
        return files.Exists(file => file.Name == name)
            ? throw new InputException($"--conf: the name '{name}' is given twice; allowed: another name for each file")
            : (name, option[(equals + 1)..]);
    }

    private static string[] Files(string path)
    {
        if (!Directory.Exists(path))
            return [path];
        string[] found =
        [
            .. Directory
                .GetFiles(path)
                .Where(file => file.EndsWith(".conf", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal),
        ];
        return found.Length > 0
            ? found
            : throw new InputException(
                $"folder \"{Printable.Value(path)}\": there is no file *.conf; allowed: a folder with one file of "
                    + "mosquitto.conf(5) for each broker"
            );
    }

    private static string Stem(string path)
    {
        var letters = Path.GetFileNameWithoutExtension(path)
            .ToLowerInvariant()
            .Where(char.IsAsciiLetterOrDigit)
            .Take(LongestStem);
        var stem = string.Concat(letters);
        return TopologyNames.IsNode(stem) ? stem : "broker" + stem;
    }

    private static string Unique(string stem, List<(string Name, string Path)> files) =>
        Enumerable
            .Range(1, files.Count + 1)
            .Select(number => number == 1 ? stem : stem + number.ToString(CultureInfo.InvariantCulture))
            .First(name => !files.Exists(file => file.Name == name));

    private static void Collect(List<string> findings, Action read)
    {
        try
        {
            read();
        }
        catch (InputException wrong)
        {
            findings.Add(wrong.Message);
        }
    }
}
