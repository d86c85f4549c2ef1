using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// The knowledge about one filter of a session: the possible subscriptions, and whether there may be none.
/// </summary>
/// <param name="filter">The filter.</param>
/// <param name="version">The protocol version of the session.</param>
internal sealed class SubscriptionState(string filter, ProtocolVersion version)
{
    public string Filter => filter;

    /// <summary>Whether it is shared with other sessions, which is part of MQTT 5.</summary>
    public bool IsShared { get; } =
        version == ProtocolVersion.V5 && TopicFilter.IsShared(System.Text.Encoding.UTF8.GetBytes(filter));

    /// <summary>The filter without a share name.</summary>
    public string Plain { get; } =
        TopicFilter.TrySplitShared(System.Text.Encoding.UTF8.GetBytes(filter), out _, out var rest)
            ? System.Text.Encoding.UTF8.GetString(rest)
            : filter;

    public List<SubscriptionVariant> Variants { get; } = [];

    public bool MaybeAbsent { get; set; } = true;

    /// <summary>How many SUBSCRIBE and UNSUBSCRIBE packets for it wait for their answers.</summary>
    public int Pending { get; set; }

    /// <summary>The last of them.</summary>
    public int LastRequest { get; set; }

    /// <summary>The subscription that the last answer granted; null if it granted none.</summary>
    public SubscriptionVariant? LastAnswer { get; set; }

    public bool LastFailed { get; set; }

    /// <summary>Whether it was never granted, and its first request is the only one.</summary>
    public bool IsFirstRequest { get; set; } = true;

    public bool IsCertain => !MaybeAbsent && Variants.Count == 1 && Pending == 0;
}
