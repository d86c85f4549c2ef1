using System.Text.Json;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>How nodes of an overlay find each other and route.</summary>
internal static class OverlayReader
{
    private const string WithoutMulticast = "none";

    private static readonly JsonKind<double> s_seconds = JsonKinds.Number(0.001, 3600);

    private static readonly JsonKind<AdvertisementMode> s_advertisement = JsonKinds.Choice([
        ("carry", AdvertisementMode.Carry),
        ("bare", AdvertisementMode.Bare),
    ]);

    private static readonly JsonKind<RootRule> s_root = JsonKinds.Choice([
        ("capacity", RootRule.Capacity),
        ("balance", RootRule.Balance),
    ]);

    private static readonly JsonKind<string> s_multicast = JsonKinds.TextWhere(
        MulticastGroup.Allowed,
        text => text == WithoutMulticast || MulticastGroup.TryParse(text, out _)
    );

    private static readonly JsonKind<OverlaySettings> s_kind = JsonFormat.Of<OverlaySettings>(Fields);

    /// <summary>Reads the settings.</summary>
    /// <param name="tree">The object; null for the defaults.</param>
    /// <param name="system">The system that the nodes run.</param>
    /// <param name="findings">The receiver of findings.</param>
    public static OverlaySettings Read(JsonTree? tree, ClusterSystem system, JsonFindings findings)
    {
        if (tree is not null && system.HasOverlay())
            return s_kind.Read(tree, findings);
        if (tree is not null)
            findings.Add(
                tree,
                $"a system '{system.Name()}' has no such setting; allowed: with "
                    + "spanning-tree, single-overlay, topic-overlay"
            );
        return new OverlaySettings();
    }

    /// <summary>Writes the settings of a system that has them, as the member <c>overlay</c>.</summary>
    /// <param name="writer">The writer, within the object of a topology.</param>
    /// <param name="topology">The topology.</param>
    public static void Write(Utf8JsonWriter writer, Topology topology)
    {
        if (!topology.System.HasOverlay())
            return;
        writer.WritePropertyName("overlay");
        s_kind.Write(writer, topology.Overlay);
    }

    private static OverlaySettings Fields(JsonFields<OverlaySettings> fields)
    {
        var settings = new OverlaySettings
        {
            Advertisement = fields.Optional(
                "advertisement",
                s_advertisement,
                of => of.Advertisement,
                AdvertisementMode.Carry,
                always: true
            ),
            Root = fields.Optional("root", s_root, of => of.Root, RootRule.Capacity, always: true),
        };
        var multicast = fields.Nullable(
            "multicast",
            s_multicast,
            of => of.AnnouncesOnLinks ? WithoutMulticast : of.Multicast?.ToString()
        );
        settings = settings with
        {
            Multicast = MulticastGroup.TryParse(multicast ?? "", out var group) ? group : null,
            AnnouncesOnLinks = multicast == WithoutMulticast,
            AnnounceSeconds = fields.Optional("announceSeconds", s_seconds, of => of.AnnounceSeconds, 1, always: true),
            CollectSeconds = fields.Optional("collectSeconds", s_seconds, of => of.CollectSeconds, 2, always: true),
            SilenceSeconds = fields.Nullable("silenceSeconds", s_seconds, of => of.SilenceSeconds),
            Topics = fields.Nullable("topics", JsonKinds.Integer(1, 100_000), of => of.Topics),
            LocalityPercent = fields.Optional(
                "localityPercent",
                JsonKinds.Integer(0, 100),
                of => of.LocalityPercent,
                50,
                always: true
            ),
        };
        fields.Refuse(
            "localityPercent",
            settings.LocalityPercent is not (0 or 50 or 100),
            _ => FormattableString.Invariant($"{settings.LocalityPercent} given; allowed: 0, 50, 100")
        );
        return settings;
    }
}
