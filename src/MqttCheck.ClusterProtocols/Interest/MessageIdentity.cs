using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Interest;

/// <summary>The identity that distinguishes a publication from all others.</summary>
internal readonly record struct MessageIdentity(int Origin, ulong Incarnation, long Counter)
{
    public static MessageIdentity Of(in RoutedMessage message) =>
        new(message.Origin, message.Incarnation, message.Counter);
}
