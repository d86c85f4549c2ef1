using System.Text.Json;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>How nodes of an overlay find each other and route.</summary>
internal static class OverlayFormat
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

    private static readonly JsonKind<double> s_weight = JsonKinds.Number(0, 1e6);

    private static readonly JsonKind<bool> s_counts = JsonKinds.Choice([("clients", false), ("filters", true)]);

    private static readonly JsonKind<string> s_multicast = JsonKinds.TextWhere(
        MulticastGroup.Allowed,
        text => text == WithoutMulticast || MulticastGroup.TryParse(text, out _)
    );

    /// <summary>The settings of overlays.</summary>
    public static JsonKind<OverlaySettings> Kind { get; } = JsonFormat.Of<OverlaySettings>(Fields);

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
            Balance = new RootBalance
            {
                Gamma = fields.Optional("gamma", s_weight, of => of.Balance.Gamma, 1),
                Delta = fields.Optional("delta", s_weight, of => of.Balance.Delta, 1),
                CountsFilters = fields.Optional("counts", s_counts, of => of.Balance.CountsFilters, false),
            },
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
            AnnounceLoss = fields.Optional("announceLoss", JsonKinds.Number(0, 1), of => of.AnnounceLoss, 0),
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
