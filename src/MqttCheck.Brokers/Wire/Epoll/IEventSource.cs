namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>What a descriptor of the set belongs to.</summary>
internal interface IEventSource
{
    /// <summary>Something happened on the descriptor.</summary>
    /// <param name="mask">The events, <see cref="LibC.EpollIn"/> and so on.</param>
    void OnEvents(int mask);
}
