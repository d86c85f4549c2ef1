namespace MqttCheck.Protocol.Topics;

/// <summary>
/// Receives the matches of <see cref="SubscriptionTree{T}"/>; a struct keeps a match free of allocation.
/// </summary>
/// <typeparam name="T">The type of the value of a subscription.</typeparam>
internal interface ISubscriptionVisitor<in T>
{
    /// <summary>A subscription whose filter matches the topic.</summary>
    /// <param name="value">The stored value.</param>
    void Visit(T value);
}
