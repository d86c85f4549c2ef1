using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire.Memory;

/// <summary>An action that the memory wire runs at a time.</summary>
/// <param name="action">The action.</param>
internal sealed class MemoryEvent(Action action) : IDeadline
{
    /// <inheritdoc/>
    public void OnDeadline() => action();
}
