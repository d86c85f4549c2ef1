using System.Text.Json;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Reads how nodes of an overlay find each other and route.</summary>
internal static class OverlayReader
{
    private const double LongestSeconds = 3600;
    private const string WithoutMulticast = "none";
    private static readonly string[] s_advertisements = ["carry", "bare"];
    private static readonly string[] s_roots = ["capacity", "balance"];

    /// <summary>Reads the settings.</summary>
    /// <param name="tree">The object; null for the defaults.</param>
    /// <param name="system">The system that the nodes run.</param>
    /// <param name="findings">The receiver of findings.</param>
    public static OverlaySettings Read(JsonTree? tree, ClusterSystem system, JsonFindings findings)
    {
        if (tree is null)
            return new OverlaySettings();
        if (!system.HasOverlay())
        {
            findings.Add(
                tree,
                $"a system '{system.Name()}' has no such setting; allowed: with "
                    + "spanning-tree, single-overlay, topic-overlay"
            );
            return new OverlaySettings();
        }
        var reader = new JsonObjectReader(tree, findings);
        var settings = new OverlaySettings
        {
            Advertisement = (AdvertisementMode)
                ScenarioReader.Choice(reader.Optional("advertisement"), findings, s_advertisements),
            Root = (RootRule)ScenarioReader.Choice(reader.Optional("root"), findings, s_roots),
            Multicast = Multicast(reader.Optional("multicast"), findings, out var announcesOnLinks),
            AnnouncesOnLinks = announcesOnLinks,
            AnnounceSeconds = reader.Number("announceSeconds", 0.001, LongestSeconds, 1),
            CollectSeconds = reader.Number("collectSeconds", 0.001, LongestSeconds, 2),
            SilenceSeconds = reader.Optional("silenceSeconds") is { } silence
                ? JsonObjectReader.Number(silence, 0.001, LongestSeconds, findings)
                : null,
            Topics = reader.Optional("topics") is { } topics
                ? JsonObjectReader.Integer(topics, 1, 100_000, findings)
                : null,
            LocalityPercent = reader.Integer("localityPercent", 0, 100, 50),
        };
        if (settings.LocalityPercent is not (0 or 50 or 100))
            findings.Add(
                tree.Member("localityPercent")!,
                FormattableString.Invariant($"{settings.LocalityPercent} given; allowed: 0, 50, 100")
            );
        reader.End();
        return settings;
    }

    private static MulticastGroup? Multicast(JsonTree? tree, JsonFindings findings, out bool announcesOnLinks)
    {
        announcesOnLinks = false;
        if (tree is null)
            return null;
        announcesOnLinks = tree is { Type: JsonTokenType.String, Text: WithoutMulticast };
        if (announcesOnLinks)
            return null;
        if (tree.Type == JsonTokenType.String && MulticastGroup.TryParse(tree.Text, out var group))
            return group;
        findings.Add(tree, $"{tree.Given} given; allowed: {MulticastGroup.Allowed}");
        return null;
    }

    /// <summary>Writes the settings of a system that has them, as the member <c>overlay</c>.</summary>
    /// <param name="writer">The writer, within the object of a topology.</param>
    /// <param name="topology">The topology.</param>
    public static void Write(Utf8JsonWriter writer, Topology topology)
    {
        if (!topology.System.HasOverlay())
            return;
        var overlay = topology.Overlay;
        writer.WriteStartObject("overlay");
        writer.WriteString("advertisement", s_advertisements[(int)overlay.Advertisement]);
        writer.WriteString("root", s_roots[(int)overlay.Root]);
        if ((overlay.AnnouncesOnLinks ? WithoutMulticast : overlay.Multicast?.ToString()) is { } multicast)
            writer.WriteString("multicast", multicast);
        writer.WriteNumber("announceSeconds", overlay.AnnounceSeconds);
        writer.WriteNumber("collectSeconds", overlay.CollectSeconds);
        if (overlay.SilenceSeconds is { } silence)
            writer.WriteNumber("silenceSeconds", silence);
        if (overlay.Topics is { } topics)
            writer.WriteNumber("topics", topics);
        writer.WriteNumber("localityPercent", overlay.LocalityPercent);
        writer.WriteEndObject();
    }
}
