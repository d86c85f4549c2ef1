namespace MqttCheck.Brokers.Conformance;

/// <summary>
/// What all runs of a runner have published together: what a run gets of the others cannot be more than follows from
/// that.
/// </summary>
internal sealed class Traffic
{
    public long Published { get; set; }
}
