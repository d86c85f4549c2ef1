using MqttCheck.Clients;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Charts;

/// <summary>The choice of a kind of message above charts of points.</summary>
internal static class KindChoice
{
    /// <summary>The name of the choice; its values are the names of the kinds.</summary>
    public const string Name = "kind";

    /// <summary>The choice of one of some kinds, or of all.</summary>
    public static Choice Of(IEnumerable<MessageKind> kinds) =>
        new(
            Name,
            "Kind of message",
            [new("", "all kinds"), .. kinds.Select(kind => KeyValuePair.Create(kind.Name(), kind.Name()))]
        );

    /// <summary>The meaning of a kind's points.</summary>
    public static LegendKey Key(MessageKind kind) =>
        new(kind.Name(), Looks.Series(Looks.Kind(kind)), LegendShape.Full, Looks.Symbols(Looks.Kind(kind)));
}
