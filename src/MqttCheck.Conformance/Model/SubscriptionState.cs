using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// The knowledge about one filter of a session: the possible subscriptions, and whether there may be none.
/// </summary>
internal sealed class SubscriptionState(string filter)
{
    private readonly bool _isShared = TopicFilter.IsShared(System.Text.Encoding.UTF8.GetBytes(filter));

    public string Filter => filter;

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

    public bool IsShared(ProtocolVersion version) => _isShared && version == ProtocolVersion.V5;
}
