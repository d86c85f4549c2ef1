namespace MqttCheck.Brokers.Wire;

/// <summary>A part of the wire that set a timer for itself.</summary>
internal interface IDeadline
{
    /// <summary>The time is over.</summary>
    void OnDeadline();
}
