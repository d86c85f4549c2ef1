namespace MqttCheck.Captures.Exchanges;

/// <summary>A topic that messages were published to, or were delivered from.</summary>
/// <param name="name">Its name in UTF-8.</param>
/// <param name="number">Its number in the log.</param>
internal sealed class SeenTopic(byte[] name, int number)
{
    /// <summary>Its name in UTF-8.</summary>
    public byte[] Name => name;

    /// <summary>Its number in the log.</summary>
    public int Number => number;

    /// <summary>The clients of which it is known from deliveries that they are subscribed.</summary>
    public HashSet<Participant> InferredBy { get; } = [];

    /// <summary>The subscribers online, and whether each leaves out its own messages.</summary>
    public List<(Participant Client, bool NoLocal)> Subscribers { get; } = [];

    /// <summary>The state of all subscriptions that <see cref="Subscribers"/> belongs to.</summary>
    public long SubscribersVersion { get; set; } = -1;
}
