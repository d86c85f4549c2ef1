namespace MqttCheck.Server.Answers;

/// <summary>The position of a scenario relative to the range of data that its model was learned from.</summary>
internal enum TrustLevel
{
    /// <summary>Well inside.</summary>
    Inside,

    /// <summary>Inside, but above nine tenths of the largest load that was seen.</summary>
    Edge,

    /// <summary>Outside, or the simulation runs away.</summary>
    Outside,
}
