namespace MqttCheck.Brokers.Wire.Timers;

/// <summary>A part of the wire that set a timer for itself.</summary>
internal interface IDeadline
{
    /// <summary>The time is over.</summary>
    void OnDeadline();
}
