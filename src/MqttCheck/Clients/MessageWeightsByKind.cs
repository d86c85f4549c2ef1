using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;

namespace MqttCheck.Clients;

/// <summary>The weights of a profile by the kinds of message of the functional model.</summary>
internal static class MessageWeightsByKind
{
    /// <summary>
    /// Whether clients of a population may send a kind of message. All connect, and disconnect at the end of a
    /// sequence.
    /// </summary>
    /// <param name="population">The population.</param>
    /// <param name="kind">A defined kind.</param>
    public static bool Sends(this Population population, MessageKind kind)
    {
        return kind is MessageKind.Connect or MessageKind.Disconnect
            || population.Groups.Any(group => group.Profile.Sends(kind));
    }

    /// <summary>Whether clients of a profile may send a kind of message, for whatever reason.</summary>
    /// <param name="profile">The profile.</param>
    /// <param name="kind">A defined kind.</param>
    public static bool Sends(this UsageProfile profile, MessageKind kind)
    {
        return profile.Weights.Of(kind) > 0
            || profile.Order.Contains((OrderStep)kind)
            || (kind == MessageKind.Publish && profile.AfterConnect is not null);
    }

    /// <summary>The weight of a kind.</summary>
    /// <param name="weights">The weights.</param>
    /// <param name="kind">A defined kind.</param>
    public static double Of(this MessageWeights weights, MessageKind kind)
    {
        return kind switch
        {
            MessageKind.Connect => weights.Connect,
            MessageKind.Disconnect => weights.Disconnect,
            MessageKind.Publish => weights.Publish,
            MessageKind.Subscribe => weights.Subscribe,
            MessageKind.Unsubscribe => weights.Unsubscribe,
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "not a message kind"),
        };
    }
}
