using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire.Memory;

/// <summary>Something that happens on the memory wire at a time.</summary>
/// <param name="action">What.</param>
internal sealed class MemoryEvent(Action action) : IDeadline
{
    /// <inheritdoc/>
    public void OnDeadline() => action();
}
