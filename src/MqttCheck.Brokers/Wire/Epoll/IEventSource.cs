namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>The owner of a descriptor in the set.</summary>
internal interface IEventSource
{
    /// <summary>Something happened on the descriptor.</summary>
    /// <param name="mask">The events, <see cref="LibC.EpollIn"/> and so on.</param>
    void OnEvents(int mask);
}
