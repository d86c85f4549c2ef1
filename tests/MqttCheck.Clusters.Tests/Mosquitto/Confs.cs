using System.Globalization;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Tests.Mosquitto;

/// <summary>Configurations made by hand, for tests of what is made of them.</summary>
internal static class Confs
{
    /// <summary>A configuration with one listener; line 1 names it.</summary>
    public static MosquittoConf Of(string name, int port, params ConfBridge[] bridges) =>
        new()
        {
            Name = name,
            File = $"{name}.conf",
            Lines = [],
            Listeners = [new ConfListener(new ConfPlace($"{name}.conf", 1), null, port)],
            // The first bridge begins at line 10, the next one at 20.
            Bridges = [.. bridges.Index().Select(bridge => At(bridge.Item, $"{name}.conf", 10 * (bridge.Index + 1)))],
        };

    /// <summary>A bridge; its lines follow each other from the line of the connection on.</summary>
    public static ConfBridge Bridge(string address, params string[] topics) =>
        new()
        {
            Place = default,
            Name = "c",
            Addresses = [Address(address)],
            Topics = [.. topics.Select(Topic)],
            Lines = [],
        };

    /// <summary>The topology, without more words of the user.</summary>
    public static ConfTopology Topology(params MosquittoConf[] files) =>
        ConfTopology.Of(files, new Dictionary<string, string>(), new Dictionary<string, BridgePeer>());

    private static ConfAddress Address(string text)
    {
        var colon = text.LastIndexOf(':');
        return new ConfAddress(default, text[..colon], int.Parse(text[(colon + 1)..], CultureInfo.InvariantCulture));
    }

    private static ConfTopic Topic(string text)
    {
        Assert.That(BridgeTopic.TryParse(text, out var topic, out var problem), Is.True, problem);
        return new ConfTopic(default, topic!);
    }

    private static ConfBridge At(ConfBridge bridge, string file, int line) =>
        bridge with
        {
            Place = new ConfPlace(file, line),
            Name = line == 10 ? bridge.Name : $"{bridge.Name}{line}",
            Addresses = [.. bridge.Addresses.Select(address => address with { Place = new ConfPlace(file, line + 1) })],
            Topics =
            [
                .. bridge
                    .Topics.Index()
                    .Select(topic => topic.Item with { Place = new ConfPlace(file, line + 2 + topic.Index) }),
            ],
        };
}
