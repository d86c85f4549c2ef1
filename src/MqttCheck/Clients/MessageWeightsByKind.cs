using MqttCheck.Profiles;

namespace MqttCheck.Clients;

/// <summary>The weights of a profile by the kinds of message of the functional model.</summary>
public static class MessageWeightsByKind
{
    /// <summary>The weight of a kind.</summary>
    /// <param name="weights">The weights.</param>
    /// <param name="kind">A defined kind.</param>
    public static double Of(this MessageWeights weights, MessageKind kind)
    {
        ArgumentNullException.ThrowIfNull(weights);
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
