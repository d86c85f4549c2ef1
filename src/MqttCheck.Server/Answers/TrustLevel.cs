namespace MqttCheck.Server.Answers;

/// <summary>Where a scenario lies relative to what a model has seen.</summary>
internal enum TrustLevel
{
    /// <summary>Well inside.</summary>
    Inside,

    /// <summary>Inside, but above nine tenths of the largest load that was seen.</summary>
    Edge,

    /// <summary>Outside, or the simulation runs away.</summary>
    Outside,
}
