using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Exchanges;

/// <summary>The features that a client tells the broker as it connects.</summary>
/// <param name="KeepAliveSeconds">The keep alive.</param>
/// <param name="IsClean">Whether each of its connections begins a new session.</param>
/// <param name="Will">Its will without the text, or null.</param>
internal sealed record ToldFeatures(int KeepAliveSeconds, bool IsClean, SeenWill? Will)
{
    /// <summary>The features of a CONNECT.</summary>
    /// <param name="connect">The packet.</param>
    /// <param name="before">The features that were told before, or null.</param>
    public static ToldFeatures Of(ConnectPacket connect, ToldFeatures? before) =>
        new(
            connect.KeepAliveSeconds,
            before?.IsClean != false && connect.CleanStart,
            // The text is not needed, and is nobody's business.
            connect.Will
                is { } will
                ? new(will.Topic, will.Payload.Length, (int)will.Qos, will.Retain)
                : null
        );
}
