using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Mosquitto.Linting;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Tests.Mosquitto.Linting;

/// <summary>Files a.conf, b.conf and so on, and the remarks about them.</summary>
internal abstract class Lint : DirectoryFixture
{
    /// <summary>The remarks of a kind about files, each as <c>a.conf:3: text | advice</c>.</summary>
    /// <param name="rule">The kind.</param>
    /// <param name="files">Their texts; those after the first one listen at ports 1884, 1885 and so on.</param>
    protected string[] Remarks(ConfRule rule, params string[] files) => Remarks(rule, [], files);

    /// <summary>The remarks of a kind about files and brokers.</summary>
    protected string[] Remarks(ConfRule rule, string[] brokers, params string[] files)
    {
        var paths = new List<string>();
        foreach (var (index, text) in files.Index())
        {
            var path = In($"{(char)('a' + index)}.conf");
            File.WriteAllText(path, text);
            paths.Add(path);
        }
        var cluster = ConfTopology.Read(paths, [], [], brokers);
        var folder = Path.GetDirectoryName(paths[0]) + "/";
        return
        [
            .. ConfLint
                .Of(cluster, BridgeRoutes.Of(cluster.Topology))
                .Where(finding => finding.Rule == rule)
                .Select(finding => $"{finding.Place}: {finding.Text} | {finding.Advice}".Replace(folder, "")),
        ];
    }

    /// <summary>A bridge from a to the second file, from line 3 on: address, then the lines.</summary>
    protected static string A(params string[] lines) =>
        $"listener 1883\npersistence true\nconnection c\naddress 127.0.0.1:1884\n{string.Join('\n', lines)}\n";

    /// <summary>A second file, with more lines from line 3 on.</summary>
    protected static string B(params string[] lines) =>
        $"listener 1884\npersistence true\n{string.Join('\n', lines)}\n";
}
