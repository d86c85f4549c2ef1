namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>A change that every broker has to know.</summary>
/// <param name="Kind">The kind of change.</param>
/// <param name="Client">The number of the session.</param>
internal readonly record struct SessionChange(SessionChangeKind Kind, int Client)
{
    /// <summary>The broker that its client has connected to.</summary>
    public int Node { get; init; }

    /// <summary>Whether the session outlives its connection.</summary>
    public bool IsPersistent { get; init; }

    /// <summary>The filter of the subscription.</summary>
    public string Filter { get; init; } = "";

    /// <summary>Its quality of service, 0 .. 2.</summary>
    public int Qos { get; init; }
}
